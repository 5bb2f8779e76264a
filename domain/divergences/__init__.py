"""One file per divergence kind. To add one: a module here with NAME, VERSION, applies, compare, and its name in KINDS."""

KINDS = ("aria", "title", "stale", "state")
