"""The command `crawler`. What it needs takes seconds to import: that comes late, so that a Ctrl-C meanwhile is no traceback."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator

STOPPED = 130
"""Exit code of what Ctrl-C or SIGTERM stopped short (docs/errors.md); typer gives it too."""


def main() -> None:
    """Runs a command. Errors made on purpose are a sentence and an exit code; anything else keeps its traceback."""
    with _leaving_at_once():
        from crawler import cli_app, logs, printing  # noqa: PLC0415 - seconds
        from crawler.knobs import settings_of  # noqa: PLC0415 - as above
        from domain.errors import ParallaxError  # noqa: PLC0415 - as above
        from store.surroundings import look_around  # noqa: PLC0415 - as above

        logs.configure()
    try:
        look_around("crawler", lambda: settings_of({}), sys.argv[1:])
        cli_app.app()
    except printing.ReaderGone:
        # `crawler probes | head`: who reads has had enough, and that is no failure of ours.
        sys.exit(0)
    except ParallaxError as error:
        print(f"crawler: {error}", file=sys.stderr)  # noqa: T201 - this is where talking to people begins
        sys.exit(error.exit_code)
    except BrokenPipeError:
        sys.exit(1)
    except (KeyboardInterrupt, SystemExit) as end:
        if isinstance(end, SystemExit) and end.code != STOPPED:
            raise
        print("crawler: Stopped. What was stored before is kept.", file=sys.stderr)  # noqa: T201 - as above
        sys.exit(STOPPED)


@contextlib.contextmanager
def _leaving_at_once() -> Iterator[None]:
    """Ctrl-C ends the program there and then, without a word: nothing is begun. Where it is ignored (nohup), it stays so."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, lambda *_: os._exit(STOPPED))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


if __name__ == "__main__":
    main()
