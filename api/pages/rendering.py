"""How a page is made: a template, what is to be seen, and the links that every page has.

Text of strangers reaches a page through autoescaping alone; the filter `visible` writes out what cannot be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.routing import Match

from api import answers, problems
from api.addresses import PAGES
from api.pages.asking import hidden_fields, moment_field, one_line
from api.pages.static import address
from api.reading import Read
from channels.values import flat, visible
from domain.errors import ParallaxError

KB = 1000
SECONDS_MS, MINUTE_S, HOUR_S, DAY_S = 1000, 60, 3600, 86_400


def render(
    request: Request,
    template: str,
    *,
    status: int = 200,
    twin: str | None = None,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> Response:
    """The page of this template and these values, with an ETag; 304 where the asker has it.

    twin: the address of the same as JSON, "" where there is none; None: the page's own without /pages, with the same query.
    """
    kept = partial(hidden_fields, request)
    content = drawn(template, twin=twin_of(request) if twin is None else twin, path=request.url.path, kept=kept, **values)
    return answers.buffered(request, content, answers.HTML, status=status, headers=headers)


def drawn(template: str, *, twin: str, path: str, **values: Any) -> bytes:
    """The page of this template and these values. twin: address of the same as JSON; path: the page's own."""
    return _environment().get_template(template).render(twin=twin, path=path, **values).encode("utf-8", "replace")


def twin_of(request: Request) -> str:
    """Where the same is to be had as JSON: take /pages away. Empty where that leaves no path of ours.

    `//name/path` is none: a browser takes it for an address at the server of that name.
    """
    path = quote(request.scope["path"])  # so `:`, `\` and what else browsers read as more than a letter is none of it
    twin = path.removeprefix(PAGES)
    if not path.startswith(f"{PAGES}/") or twin == "/" or twin.startswith("//"):
        return ""
    return twin + (f"?{request.url.query}" if request.url.query else "")


def address_with(request: Request, **changes: object) -> str:
    """The page's address with these parameters changed; None takes one away. What comes after a change begins at the start."""
    return answers.address_with(request, **{"after": None, **changes})


def safe_link(address: str) -> str:
    """The address of a stranger's page where it is safe to follow, else empty."""
    try:
        return address if urlsplit(address).scheme in {"http", "https"} else ""
    except ValueError:
        return ""


class PageRoute(Read):
    """Of every page: errors are pages too, and a form's empty fields are not in the address that is shared."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler with both around it."""
        handle = super().get_route_handler()

        async def handling(request: Request) -> Response:
            given = parse_qsl(request.url.query, keep_blank_values=True)
            if any(not value.strip() for _, value in given):
                query = urlencode([(name, value) for name, value in given if value.strip()])
                return RedirectResponse(request.url.path + (f"?{query}" if query else ""), 307)
            try:
                return await handle(request)
            except (ParallaxError, RequestValidationError, HTTPException) as error:
                return problem_page(request, problems.answer(request, error))

        return handling


def problem_page(request: Request, answer: Response) -> Response:
    """The same answer as a program gets, for eyes."""
    problem = problems.Problem.model_validate_json(bytes(answer.body))
    dropped = {"content-length", "content-type", problems.CHALLENGE.lower()}
    headers = {name.title(): value for name, value in answer.headers.items() if name not in dropped}
    twin = twin_of(request) if _has_twin(request) else ""
    page = render(request, "problem.html.j2", twin=twin, status=answer.status_code, headers=headers, problem=problem)
    problems.challenge(page, answer.headers.getlist(problems.CHALLENGE))
    return page


def _has_twin(request: Request) -> bool:
    """Whether something is read at the page's address without /pages, where the same problem is told to programs."""
    scope = {**request.scope, "path": request.scope["path"].removeprefix(PAGES), "method": "GET", "path_params": {}}
    return any(route.matches(scope)[0] == Match.FULL for route in request.app.router.routes)


def number(value: float) -> str:
    """12,345; of a broken number two digits."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}".rstrip("0").rstrip(".")


def size(octets: int) -> str:
    """Bytes as people say them: 2.1 MB."""
    amount, units = float(octets), ["bytes", "kB", "MB", "GB", "TB"]
    while amount >= KB and len(units) > 1:
        amount, units = amount / KB, units[1:]
    return f"{amount:.1f} {units[0]}" if units[0] != "bytes" else f"{octets} bytes"


def lasting(milliseconds: float) -> str:
    """A span as people say it: 250 ms, 3.2 s, 4 min 10 s."""
    seconds = milliseconds / SECONDS_MS
    if seconds < 1:
        return f"{milliseconds:,.0f} ms"
    if seconds < MINUTE_S:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), MINUTE_S)
    return f"{minutes:,} min {rest} s"


def every(seconds: float) -> str:
    """How often, as people say it: every minute, every 90 s, every 5 minutes, every 1 h 30 min, every day."""
    whole = round(seconds)
    if whole > HOUR_S and whole % HOUR_S and whole % MINUTE_S == 0:
        return f"every {whole // HOUR_S:,} h {whole % HOUR_S // MINUTE_S} min"
    for unit, name in ((DAY_S, "day"), (HOUR_S, "hour"), (MINUTE_S, "minute")):
        if whole and whole % unit == 0:
            return f"every {name}" if whole == unit else f"every {whole // unit:,} {name}s"
    return f"every {number(seconds)} s"


def moment(when: datetime | None, form: str = "minute") -> Markup:
    """A time as HTML, UTC. form: day, minute, second, or clock, which is the time of day with milliseconds."""
    if when is None:
        return Markup('<span class="none">not recorded</span>')
    when = when.astimezone(UTC)
    written = {
        "day": f"{when:%-d %b %Y}",
        "minute": f"{when:%-d %b %Y, %H:%M}",
        "second": f"{when:%-d %b %Y, %H:%M:%S} UTC",
        "clock": f"{when:%H:%M:%S.%f}"[:-3],
    }[form]
    return Markup('<time datetime="{}" title="{} UTC">{}</time>').format(
        when.isoformat(), f"{when:%Y-%m-%d %H:%M:%S.%f}"[:-3], written
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("api"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "visible": visible, "flat": flat, "number": number, "size": size, "lasting": lasting, "moment": moment,
        "every": every, "moment_field": moment_field, "one_line": one_line,
    }  # fmt: skip
    environment.globals |= {"static": address}
    return environment
