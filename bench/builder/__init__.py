"""How fast corpora are read, drawn from and stored, and how much memory that takes. Start: python -m bench.builder."""
