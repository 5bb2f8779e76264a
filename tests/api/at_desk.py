"""An annotator at the desk, in a tab of a real browser, with keys alone; and all that came over the line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, Response

from domain.audit import Label
from store import audit_results
from tests.api.audited import NAME, Audited
from tests.api.opened import Opened

_READY = """before => {
    const [end, desk, work] = ["end", "desk", "work"].map((id) => document.getElementById(id));
    if (!end.hidden) return "-";
    return !desk.hidden && !work.hasAttribute("aria-busy") && work.dataset.item !== before && work.dataset.item;
}"""


@dataclass(frozen=True)
class Told:
    """One answer as it came over the line. Names of headers in lower case."""

    method: str
    url: str
    headers: dict[str, str]
    body: bytes

    @property
    def all(self) -> bytes:
        head = "\n".join([self.method, self.url, *(f"{name}: {value}" for name, value in self.headers.items())])
        return head.encode() + b"\n\n" + self.body


def answers(made: Audited) -> dict[str, tuple[str, str | None]]:
    """What is stored, by item."""
    return {
        one.item: (given.label.answer, given.label.value)
        for one in audit_results.judged(made.database, NAME)
        for given in one.judgements
    }


class Desk(Opened):
    """Signed in, unless name is empty. options: as of Opened."""

    def __init__(self, browser: Browser, server: str, made: Audited, name: str, **options: Any) -> None:
        self._answers: list[Response] = []
        super().__init__(browser, server, "/audit", **options)
        self.made = made
        self.name = name
        self.item: str | None = None
        if name:
            self.sign_in(name, made.tokens[name])
            self.wait()

    def _response(self, response: Response) -> None:
        super()._response(response)
        self._answers.append(response)

    def sign_in(self, name: str, token: str) -> None:
        self.page.locator("#name").fill(name)
        self.page.locator("#token").fill(token)
        self.page.keyboard.press("Enter")

    def wait(self) -> str | None:
        """The item that is shown after the last one; None: nothing is left."""
        shown = self.page.wait_for_function(_READY, arg=self.item).json_value()
        self.item = None if shown == "-" else shown
        return self.item

    def key(self, key: str) -> str | None:
        """A key that leads to another item."""
        self.page.keyboard.press(key)
        return self.wait()

    def take_back(self) -> str:
        """Undo; waits for the item that it brings back."""
        before = self.item
        self.page.keyboard.press("Control+z")
        if before is None:
            self.page.locator("#desk").wait_for(state="visible")
        back = self.wait()
        assert back
        return back

    def answer(self, label: Label) -> str | None:
        """Answers what is shown, by keys, and waits for the next."""
        assert self.item is not None
        written = self.made.rows[self.item].variable == "text"
        if label.answer != "value":
            key = {"absent": "a", "unreadable": "u", "unsure": "?"}[label.answer]
            return self.key(f"Alt+{key}" if written else key)
        if not written:
            return self.key({"checked": "1", "unchecked": "2"}[str(label.value)])
        self.page.keyboard.insert_text(str(label.value))
        return self.key("Enter")

    def told(self) -> list[Told]:
        """All answers so far to this tab, what it kept from before aside."""
        return [_told(one) for one in self._answers if one.url.startswith("http")]

    @property
    def outside(self) -> list[str]:
        return [address for address in super().outside if not address.startswith(f"blob:{self.server}/")]


def _told(one: Response) -> Told:
    of_desk = "/audits" in one.url
    # Of a file that the browser had already, all headers would be waited for in vain.
    headers = one.all_headers() if of_desk else one.headers
    return Told(one.request.method, one.url, headers, b"" if one.status in {204, 304} else one.body())
