"""A server that speaks OpenAI's chat completions and answers as it is told, and a model that asks it."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from PIL import Image
from pydantic import SecretStr

from builder.vision import Endpoint, Vision
from domain.audit import AuditItem, Region, item_of

KEY = "key-of-these-tests"
Answer = tuple[int, dict[str, str], bytes]


def said(text: str) -> Answer:
    """A chat completion as OpenAI's reference has it, cut to what is there in all servers."""
    message = {"role": "assistant", "content": text, "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    body = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "seer", "choices": [choice]}
    return 200, {"Content-Type": "application/json"}, json.dumps(body).encode()


def label(answer: str, value: str | None = None) -> str:
    return json.dumps({"answer": answer} | ({} if value is None else {"value": value}))


@contextmanager
def serving(answer: Callable[[int, dict[str, Any]], Answer]) -> Iterator[tuple[str, list[dict[str, Any]], list[str]]]:
    """A server that answers the nth request as told: its address, the bodies and the keys that it got."""
    bodies: list[dict[str, Any]] = []
    keys: list[str] = []
    alone = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with alone:
                bodies.append(body)
                keys.append(f"{self.path} {self.headers['Authorization']}")
                number = len(bodies)
            code, headers, content = answer(number, body)
            self.send_response(code)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1", bodies, keys
        finally:
            server.shutdown()
            thread.join()


def seer(url: str, waits: list[float] | None = None, model: str = "seer", **more: Any) -> Vision:
    """Asks the server, and never waits really: how long it would is kept."""
    endpoint = Endpoint(url, model, SecretStr(KEY), **more)
    return Vision(endpoint, wait=(waits if waits is not None else []).append)


def item(variable: str = "text") -> tuple[AuditItem, bytes]:
    out = io.BytesIO()
    Image.new("RGB", (320, 200), (240, 240, 240)).save(out, "PNG")
    return item_of("I" * 22, variable, (320, 200), Region(x=40, y=50, width=100, height=20)), out.getvalue()
