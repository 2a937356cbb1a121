"""A local chat endpoint that behaves as it is told to, well or badly."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["Endpoint", "endpoint", "says"]

Behaviour = Callable[[BaseHTTPRequestHandler], None]


class Endpoint:
    """Where it listens and what it was sent."""

    def __init__(self, port: int) -> None:
        self.base_url = f"http://127.0.0.1:{port}/v1"
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []


@contextmanager
def endpoint(*behaviours: Behaviour) -> Iterator[Endpoint]:
    """Serve one behaviour per request, the last again and again."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            served.requests.append(json.loads(body))
            served.headers.append(dict(self.headers))
            behaviours[min(len(served.requests), len(behaviours)) - 1](self)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served = Endpoint(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def replies(body: bytes, *, status: int = 200, headers: dict[str, str] | None = None) -> Behaviour:
    def behave(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return behave


def says(content: object, **reply: Any) -> Behaviour:
    """Reply with a message of this content, as an endpoint does."""
    message = {"role": "assistant", "content": content}
    return replies(json.dumps({"choices": [{"index": 0, "message": message}], **reply}).encode())


def hangs(handler: BaseHTTPRequestHandler) -> None:
    time.sleep(0.6)
    handler.close_connection = True


def drips(handler: BaseHTTPRequestHandler) -> None:
    """One byte at a time, for ever: no single read is late."""
    handler.send_response(200)
    handler.end_headers()
    try:
        for _ in range(200):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.02)
    except OSError:
        pass
    handler.close_connection = True


def breaks_off(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "5000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.close_connection = True


def hangs_up(handler: BaseHTTPRequestHandler) -> None:
    handler.close_connection = True
