"""How quick schedule and queue are: python -m bench.queue"""
