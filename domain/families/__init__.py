"""One file per probe family. To add one: a module here with NAME, VARIABLES and draw, and its name in FAMILIES."""

FAMILIES = ("web_natural",)
