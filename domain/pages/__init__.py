"""What a page is, one file per verdict. Each has its rules as functions in RULES and what they look for as data."""
