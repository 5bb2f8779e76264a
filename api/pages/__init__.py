"""Pages for people, rendered here and whole without scripts.

One page: one file here with its `router`, one template, one line in api/app.py.
A page's address is that of its JSON twin with /pages in front of it.
"""
