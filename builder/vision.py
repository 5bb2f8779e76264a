"""A model that sees: asked over HTTP, as servers of OpenAI's chat completions answer. It gets an item and its picture alone.

What it does not answer is never made up: a reply that is no answer, after one request to mend it, is `NoAnswer`.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx2
import orjson
from pydantic import Field, SecretStr, ValidationError

from builder.vision_words import MEND, messages_of, prompt_digest
from domain.audit import Answer, AuditItem, Label, refused
from domain.audit_model import AnsweringModel
from domain.controls import unfit
from domain.errors import BadInput, ParallaxError, Refused, Unavailable
from domain.made import own_machine
from domain.record import Record

AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses after which the same request may do better."""
LONGEST_WAIT_S = 60.0
"""Between two tries, also where the server asks for more."""
FIRST_WAIT_S = 1.0
LARGEST_REPLY = 4_000_000
"""Bytes. An answer takes a few hundred."""
TOLD = 300
"""Characters of what a server said that are told to people."""
Wait = Callable[[float], object]


class NoAnswer(ParallaxError):
    """The model gave no answer to this item; it is left open, and may be asked for again."""


class Reply(Record):
    """What the model is asked to write."""

    answer: Answer
    value: str | None = Field(default=None)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Which model is asked, where, and with what patience."""

    url: str
    """Up to and with the version, e.g. http://127.0.0.1:8000/v1."""
    model: str
    key: SecretStr | None = None
    timeout_s: float = 120
    """For one request, from its first byte sent to its last received."""
    retries: int = 4
    """Further tries of a request that failed in a way that may pass."""

    @property
    def address(self) -> str:
        """Where chat completions are asked for. Raises BadInput where the setting is no address."""
        parts = urlsplit(self.url.strip())
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise BadInput(f"BUILDER_VISION_URL is {self.url!r}: write an address such as http://127.0.0.1:8000/v1")
        if parts.username or parts.password:
            raise BadInput("BUILDER_VISION_URL holds a password: put it in BUILDER_VISION_KEY, so that no log shows it.")
        path = parts.path.rstrip("/")
        return parts._replace(path=path if path.endswith("/chat/completions") else f"{path}/chat/completions").geturl()


class Vision:
    """Labels items. Safe to use from several threads; close it at the end."""

    def __init__(self, endpoint: Endpoint, *, wait: Wait | None = None) -> None:
        self._endpoint, self._stopped = endpoint, threading.Event()
        self._wait = wait or self._stopped.wait
        headers = {"Authorization": f"Bearer {endpoint.key.get_secret_value()}"} if endpoint.key else {}
        self._address = endpoint.address
        self._client = httpx2.Client(
            headers=headers,
            timeout=endpoint.timeout_s,
            trust_env=not own_machine(self._address),  # a proxy is for the outside
        )

    @property
    def known(self) -> AnsweringModel:
        """By name, host and all that it is told besides an item. The key is nowhere in it."""
        host = urlsplit(self._address).hostname
        return AnsweringModel(way="vision", name=self._endpoint.model, endpoint=host, prompt=prompt_digest())

    def stop(self) -> None:
        """Whoever waits to try again waits no longer, and gives up."""
        self._stopped.set()

    def close(self) -> None:
        """Connections are given back."""
        self._client.close()

    def label(self, item: AuditItem, picture: bytes) -> Label:
        """The model's answer. Raises NoAnswer where it gives none, Refused or Unavailable where asking on is useless."""
        messages = messages_of(item, picture)
        said = self._ask(messages)
        try:
            return read_reply(item, said)
        except ValueError as wrong:
            mend = MEND.format(wrong=wrong)
        messages += [{"role": "assistant", "content": said}, {"role": "user", "content": mend}]
        try:
            return read_reply(item, self._ask(messages))
        except ValueError as wrong:
            raise NoAnswer(f"Twice no answer: {wrong}.") from None

    def _ask(self, messages: Sequence[Mapping[str, Any]]) -> str:
        body = {"model": self._endpoint.model, "messages": messages, "temperature": 0, "max_tokens": 1024}
        content = orjson.dumps(body)
        for left in range(self._endpoint.retries, -1, -1):
            wait, problem = self._try(content)
            if isinstance(problem, _Said):
                return problem.text
            if left:
                tried = self._endpoint.retries - left
                self._wait(wait if wait is not None else _backoff(tried))
                if self._stopped.is_set():
                    break
        raise Unavailable(f"{self._where()} did not answer: {problem}")

    def _try(self, content: bytes) -> tuple[float | None, _Said | str]:
        """Once: what the model said, or how long to wait and why. Raises Refused where the same request cannot do better."""
        try:
            with self._client.stream(
                "POST", self._address, content=content, headers={"Content-Type": "application/json"}
            ) as response:
                body = _body(response, time.monotonic() + self._endpoint.timeout_s)
        except (httpx2.HTTPError, httpx2.StreamError, OSError) as error:
            return None, _told(f"{type(error).__name__}: {error}")
        if response.status_code in AGAIN:
            return _retry_after(response), f"HTTP {response.status_code}: {_told(body)}"
        if response.status_code != httpx2.codes.OK:
            status = response.status_code
            raise Refused(f"{self._where()} refuses: HTTP {status}: {_told(body)}. {_remedy(status)}")
        try:
            return None, _Said(content_of(body))
        except ValueError as wrong:
            return None, f"what came is no chat completion: {wrong}"

    def _where(self) -> str:
        return f"The model {self._endpoint.model} at {self._address}"


@dataclass(frozen=True, slots=True)
class _Said:
    text: str


def read_reply(item: AuditItem, said: str) -> Label:
    """The label that a reply is. Raises ValueError with what is wrong: strictly one JSON object, and an answer to this item."""
    try:
        reply = Reply.model_validate_json(_unfenced(said))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ValueError(f"{place + ': ' if place else ''}{first['msg']}") from None
    value = reply.value if reply.answer == "value" or (reply.value or "").strip() else None
    if why := unfit(value):
        raise ValueError(f"value: {why}")
    try:
        label = Label(answer=reply.answer, value=value)
    except ValidationError as error:
        raise ValueError(error.errors()[0]["msg"].removeprefix("Value error, ")) from None
    if wrong := refused(item, label):
        raise ValueError(wrong)
    return label


def content_of(body: bytes) -> str:
    """The text of a chat completion. Raises ValueError."""
    try:
        content = orjson.loads(body)["choices"][0]["message"]["content"]
    except (orjson.JSONDecodeError, KeyError, IndexError, TypeError) as error:
        raise ValueError(f"no choices[0].message.content in it ({type(error).__name__})") from None
    if isinstance(content, list):  # some answer in parts
        content = "".join(part.get("text", "") for part in content if isinstance(part, dict))
    if not isinstance(content, str):
        raise ValueError("choices[0].message.content is no text")  # noqa: TRY004 - it is what was sent that is wrong
    return content


def _unfenced(said: str) -> str:
    """Without a fence of Markdown around all of it, which models put there whatever they are told."""
    said = said.strip()
    if said.startswith("```") and said.endswith("```") and "\n" in said:
        return said.split("\n", 1)[1].rsplit("```", 1)[0].strip()
    return said


def _body(response: httpx2.Response, until: float) -> bytes:
    """All of it, unless it is too long or comes too slowly: a server that sends a byte a minute keeps nobody."""
    pieces, size = [], 0
    for piece in response.iter_bytes():
        pieces.append(piece)
        size += len(piece)
        if size > LARGEST_REPLY:
            raise httpx2.ReadError(f"more than {LARGEST_REPLY} bytes")
        if time.monotonic() > until:
            raise httpx2.ReadTimeout("the whole answer took too long")
    return b"".join(pieces)


def _retry_after(response: httpx2.Response) -> float | None:
    """Seconds that the server asks to wait; None where it does not say so in seconds."""
    said = response.headers.get("Retry-After", "").strip()
    return min(float(said), LONGEST_WAIT_S) if said.isascii() and said.isdigit() else None


def _backoff(tried: int) -> float:
    """Doubled each time, and spread so that threads do not come back together."""
    return float(min(LONGEST_WAIT_S, FIRST_WAIT_S * 2**tried) * random.uniform(0.5, 1))  # noqa: S311 - not for secrets


def _told(said: bytes | str) -> str:
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    short = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return short if len(short) <= TOLD else f"{short[:TOLD]}..."


def _remedy(status: int) -> str:
    if status in {401, 403}:
        return "Set BUILDER_VISION_KEY to a key that it takes."
    if status == httpx2.codes.NOT_FOUND:
        return "Mend BUILDER_VISION_URL (it ends with the version, as in /v1) or BUILDER_VISION_MODEL."
    return "The same request would be refused again."
