"""The history of the tables. A package, so that an installed Parallax can bring a database up to date."""
