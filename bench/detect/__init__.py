"""Speed of re-running the rules over stored captures. Start: python -m bench.detect."""
