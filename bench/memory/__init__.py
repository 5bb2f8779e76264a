"""Memory growth of this crawler over many visits. Start: python -m bench.memory."""
