"""Models annotate as people do, from pixels: a reader of text, and a server that speaks OpenAI's chat completions."""

from __future__ import annotations

import base64
import io
import threading
from typing import Any

import pytest
from PIL import Image

from builder.vision import read_reply
from domain.audit import Label
from domain.audit_guide import told
from domain.errors import BadInput, Refused, Unavailable
from tests.builder.model_server import KEY, Answer, item, label, said, seer, serving


def test_a_model_gets_the_question_and_two_pictures_and_nothing_else():
    """The picture with a red frame around the region, and the region enlarged; choices only where all items have them."""
    with serving(lambda *_: said(label("value", "icon"))) as (url, bodies, keys):
        assert seer(url).label(*item("type")) == Label(answer="value", value="icon")
    [body] = bodies
    assert keys == [f"/v1/chat/completions Bearer {KEY}"]
    assert (body["model"], body["temperature"]) == ("seer", 0)
    [system, user] = body["messages"]
    assert set(body) == {"model", "messages", "temperature", "max_tokens"}
    text, framed, enlarged = user["content"]
    assert text["text"].startswith("What is in the marked region? One of: text, icon, image, switch, checkbox.\nHow to judge: ")
    assert text["text"].endswith(told("type"))
    assert '"unreadable"' in system["content"]
    shown, close = (
        Image.open(io.BytesIO(base64.b64decode(one["image_url"]["url"].removeprefix("data:image/png;base64,"))))
        for one in (framed, enlarged)
    )
    assert shown.size == (320, 200)
    assert shown.getpixel((40 - 4, 60)) == (220, 38, 38)
    assert shown.getpixel((50, 60)) == (240, 240, 240)
    assert close.size == ((100 + 16) * 4, (20 + 16) * 4)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (label("value", " Pay 12 "), Label(answer="value", value=" Pay 12 ")),
        (f"```json\n{label('absent')}\n```", Label(answer="absent")),
        ('{"answer": "unsure", "value": null}', Label(answer="unsure")),
        ('{"answer": "unsure", "value": ""}', Label(answer="unsure")),
        ("Pay 12", "JSON"),
        ('I see {"answer": "absent"}', "JSON"),
        ('{"answer": "absent"} {"answer": "unsure"}', "JSON"),
        ('{"answer": "gold"}', "answer"),
        ('{"answer": "value"}', "a value goes with"),
        (label("value", "Pay\x1b[31m 12"), r"control character U\+001B"),
        (label("value", "Pay\x00 12"), r"control character U\+0000"),
        ('{"answer": "value", "value": "\u200b"}', "a value goes with"),
        ('{"answer": "absent", "value": "Pay"}', "a value goes with"),
        ('{"answer": "absent", "why": "x"}', "why"),
        ("[]", "object"),
    ],
)
def test_a_reply_is_one_json_object_or_no_answer(text: str, expected: Label | str):
    """Nothing is guessed from prose."""
    asked, _ = item()
    if isinstance(expected, Label):
        assert read_reply(asked, text) == expected
    else:
        with pytest.raises(ValueError, match=expected):
            read_reply(asked, text)


def test_what_may_pass_is_tried_again_and_what_cannot_is_not():
    """429 with the time it asks for, 500, no chat completion, an answer; a wrong key stops at once, and is not told."""
    script: list[Answer] = [
        (429, {"Retry-After": "7"}, b"slow down"),
        (500, {}, b"oops"),
        (200, {}, b"<html>gateway</html>"),
        said("let me think"),
        said(label("value", "Pay 12")),
    ]
    waits: list[float] = []
    with serving(lambda n, _: script[n - 1]) as (url, bodies, _):
        assert seer(url, waits).label(*item()) == Label(answer="value", value="Pay 12")
    assert waits[0] == 7
    assert len(waits) == 3
    assert [message["role"] for message in bodies[4]["messages"]] == ["system", "user", "assistant", "user"]
    assert "no answer" in bodies[4]["messages"][3]["content"]
    for code, remedy in ((401, "BUILDER_VISION_KEY"), (404, "BUILDER_VISION_URL"), (400, "refused again")):
        with (
            serving(lambda *_, code=code: (code, {}, b"no\x1b[31m")) as (url, bodies, _),
            pytest.raises(Refused, match=remedy) as told,
        ):
            seer(url).label(*item())
        assert len(bodies) == 1
        assert KEY not in str(told.value)
        assert "\x1b" not in str(told.value)
    with serving(lambda *_: (503, {}, b"")) as (url, bodies, _), pytest.raises(Unavailable, match="HTTP 503"):
        seer(url, retries=2).label(*item())
    assert len(bodies) == 3
    with pytest.raises(Unavailable, match="did not answer"):
        seer("http://127.0.0.1:1/v1", retries=1).label(*item())


def test_a_server_that_is_slow_is_not_waited_for():
    """The time for one request is over before it answers."""
    release = threading.Event()

    def late(*_: Any) -> Answer:
        release.wait(30)
        return said(label("absent"))

    with serving(late) as (url, _, _):
        try:
            with pytest.raises(Unavailable, match="did not answer: ReadTimeout"):
                seer(url, retries=0, timeout_s=0.2).label(*item())
        finally:
            release.set()


@pytest.mark.parametrize("url", ["", "ftp://x/v1", "127.0.0.1:80", "http://me:secret@127.0.0.1/v1"])
def test_an_address_that_is_none_is_told_before_anything_is_asked(url: str):
    """A password in it would stand in every log."""
    with pytest.raises(BadInput, match="BUILDER_VISION_URL"):
        seer(url)
