"""How soon an annotator has the next item, and how much memory opening an audit takes. Start: python -m bench.audit."""
