"""One resource: one file here with its `router`, and one line in api/app.py."""
