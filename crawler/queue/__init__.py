"""queue: visits as jobs of procrastinate, in the same Postgres as everything else. See docs/schedule.md.

One job is one turn of a site. Its lock is the host: no host is visited by two at once, over all workers. Its queueing lock
is the site: no site waits twice.
"""
