"""Pages a minute of this crawler beside the paper's way, crawlee and the bare limit. Start: python -m bench.crawl."""
