"""Everything that can go wrong on purpose. Anything else that is raised is a bug and keeps its traceback.

The docstring of a class is its default message. Each class has a line in docs/errors.md (a test checks).
"""

from __future__ import annotations


class ParallaxError(Exception):
    """Parallax could not do this."""

    exit_code = 1

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or type(self).__doc__ or "")


class BadInput(ParallaxError):
    """Something that was given is not right; the person who gave it can mend it."""

    exit_code = 2


class NotFound(ParallaxError):
    """There is no such thing in the store."""


class Refused(ParallaxError):
    """Not done, on principle: robots, conduct, a frozen release."""


class Unavailable(ParallaxError):
    """A thing that this machine needs for the job (browser, database, disk) cannot be had."""


class Shortage(ParallaxError):
    """There is less than what was asked for; the message lists every shortage."""


class Tripped(ParallaxError):
    """The crawler stopped itself: too many visits in a row, to different hosts, failed by its own doing or its network's."""

    exit_code = 3


class Stopped(ParallaxError):
    """Ended by Ctrl-C or SIGTERM before everything was done; what was done is kept."""

    exit_code = 130
