"""Random pages of composed CSS: what the page script says is seen, beside what a reader of the pixels reads."""
