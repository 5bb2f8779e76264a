"""Measurements of Parallax beside other ways of doing the same. Not part of the distribution; see README.md."""
