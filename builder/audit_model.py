"""Model annotators: a reader of text, and a model that sees. They get what people get, an item and its picture, and no more."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Protocol

from builder.vision import NoAnswer
from channels.audit_pictures import lines_in
from channels.readers import Reader
from domain.audit import LONGEST, AuditItem, Label
from domain.audit_model import AnsweringModel
from domain.errors import NotFound, Unavailable
from domain.typed import keyed
from store.annotators import Annotator
from store.audit_answers import check_model, submit
from store.audit_desk import next_items, picture_of, progress
from store.blobs import Blobs
from store.database import Database

LEAST_CONFIDENCE = 0.5
"""0 to 1: a line that the reader is less sure of counts as one it could not make out."""
MOST_LINES = 12
"""More lines are no value."""
LEASE_S = 3600.0
"""For what is under way. What a stopped run holds is its own when it is begun again."""
GIVE_UP = 5
"""Items in a row that could not be asked: the rest is not tried."""
Told = Callable[[str, int, int], None]


class Model(Protocol):
    """Answers an item from its picture."""

    @property
    def known(self) -> AnsweringModel:
        """Which one it is: stored with its first answer."""
        ...

    def label(self, item: AuditItem, picture: bytes) -> Label:
        """Raises NoAnswer where it gives none; Unavailable and Refused where it cannot be asked."""
        ...

    def stop(self) -> None:
        """What waits gives up."""
        ...


@dataclass(frozen=True, slots=True)
class ReadText:
    """The reader of the pixel check: it writes down text, and knows nothing of icons or what is open."""

    reader: Reader
    alone: threading.Lock = field(default_factory=threading.Lock)

    @property
    def known(self) -> AnsweringModel:
        """The reader's program is its name."""
        name, _, version = self.reader.version.partition("-")
        return AnsweringModel(way="reader", name=name, version=version or None)

    def label(self, item: AuditItem, picture: bytes) -> Label:
        """The lines as they were read, a blank between them. No ink in the region: absent. Ink and no letters: unreadable."""
        if item.ask != "transcribe":
            return Label(answer="unsure")
        crops = lines_in(picture, item.region)
        if not crops:
            return Label(answer="absent")
        if len(crops) > MOST_LINES:
            return Label(answer="unreadable")
        with self.alone:  # a reader is one thread's at a time
            lines = self.reader.read(crops)
        read = " ".join(line.text for line in lines if line.text).strip()
        if not keyed(read) or len(read) > LONGEST or min(line.confidence for line in lines if line.text) < LEAST_CONFIDENCE:
            return Label(answer="unreadable")
        return Label(answer="value", value=read)

    def stop(self) -> None:
        """It never waits."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """What a run did. answers: by kind of answer. no_answer: items that stay open, and why."""

    answers: dict[str, int]
    no_answer: tuple[tuple[str, str], ...]
    left: int
    """Items that are still to be had by this annotator."""


def label_items(
    database: Database,
    blobs: Blobs,
    audit: str,
    annotator: Annotator,
    model: Model,
    *,
    parallel: int = 1,
    most: int | None = None,
    told: Told = lambda *_: None,
) -> Labelled:
    """Answers what is left for this annotator, so many items at once. Stopped and begun again, it goes on.

    most: items of this run at most. Raises Refused for an annotator that is no model or is another one in this audit, and where
    another annotator is this one; Unavailable or Refused where the model cannot be asked, once what was under way is stored.
    """
    check_model(database, audit, annotator, model.known)
    run = _Run(database, blobs, audit, annotator, model)
    total = min(progress(database, audit, annotator).left, most if most is not None else 1 << 30)
    with ThreadPoolExecutor(parallel, "model") as pool:
        under_way: set[Future[None]] = set()
        try:
            while run.begun < total or under_way:
                room = min(parallel - len(under_way), total - run.begun)
                under_way |= {pool.submit(run.one, item) for item in run.take(room)} if room > 0 else set()
                if not under_way:
                    break
                done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                for future in done:
                    future.result()
                told("asking the model", run.done, total)
        except BaseException:
            run.stop()
            raise
    return Labelled(dict(sorted(run.answers.items())), tuple(run.no_answer), progress(database, audit, annotator).left)


class _Run:
    """One run's counts; `one` is called from several threads."""

    def __init__(self, database: Database, blobs: Blobs, audit: str, annotator: Annotator, model: Model) -> None:
        self._database, self._blobs, self._audit, self._annotator, self._model = database, blobs, audit, annotator, model
        self._lock = threading.Lock()
        self._seen: set[str] = set()
        self._failed = 0
        self._stopped = False
        self.answers: Counter[str] = Counter()
        self.no_answer: list[tuple[str, str]] = []

    @property
    def begun(self) -> int:
        return len(self._seen)

    @property
    def done(self) -> int:
        return self.answers.total() + len(self.no_answer)

    def take(self, room: int) -> Sequence[AuditItem]:
        """So many items that this run has not had. Those it holds and could not answer are asked for again, and left out."""
        held = self.begun - self.answers.total()
        items = next_items(self._database, self._audit, self._annotator, count=room + held, lease_s=LEASE_S)
        new = [item for item in items if item.item not in self._seen][:room]
        self._seen |= {item.item for item in new}
        return new

    def stop(self) -> None:
        """Nothing more is begun."""
        self._stopped = True
        self._model.stop()

    def one(self, item: AuditItem) -> None:
        """Asks, and stores the answer."""
        if self._stopped:
            return
        begun = time.monotonic()
        try:
            picture = self._picture(item.item)
            label = self._model.label(item, picture)
        except (NoAnswer, Unavailable) as error:
            with self._lock:
                self.no_answer.append((item.item, str(error)))
                self._failed += isinstance(error, Unavailable)
                if self._failed >= GIVE_UP:
                    raise
            return
        seconds = round(time.monotonic() - begun, 3)
        submit(self._database, self._audit, self._annotator, item.item, label, seconds, by=self._model.known)
        with self._lock:
            self.answers[label.answer] += 1
            self._failed = 0

    def _picture(self, item: str) -> bytes:
        digest = picture_of(self._database, self._audit, self._annotator, item)
        try:
            return self._blobs.get(digest)
        except NotFound:
            raise NoAnswer("Its picture is missing from the blobs: nothing could be asked.") from None
