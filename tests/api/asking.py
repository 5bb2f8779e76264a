"""What tests of the API say of an answer."""

from __future__ import annotations

from typing import Any

from api.problems import STATUS, Code


def problem(answer: Any, code: Code) -> str:
    """The reason that a problem gives, which is a problem as RFC 9457 has it, with its code and the id of the request."""
    assert answer.status_code == STATUS[code], answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert set(told) == {"type", "title", "status", "code", "detail", "instance", "request_id"}
    assert (told["status"], told["code"]) == (STATUS[code], code)
    assert told["request_id"] == answer.headers["x-request-id"]
    return str(told["detail"])


def ids(answer: Any) -> list[str]:
    """Of the items of a page."""
    assert answer.status_code == 200, answer.text
    return [item["id"] for item in answer.json()["items"]]
