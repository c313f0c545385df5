"""A server on loopback that answers as a test says, one script for each request."""

from __future__ import annotations

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Union


class ReceivedRequest(NamedTuple):
    method: str
    path: str
    headers: Dict[str, str]
    body: bytes


class Say(NamedTuple):
    """An answer. `chunks` are sent one by one; `cut` breaks the connection after them."""

    status: int = 200
    body: Union[bytes, Dict[str, Any]] = b""
    headers: Dict[str, str] = {}
    chunks: Optional[Iterable[bytes]] = None
    cut: bool = False


#: The connection breaks before an answer.
SILENCE = Say(status=0)


def envelope(data: Any = None, **more: Any) -> Dict[str, Any]:
    """An envelope of a success."""
    metadata = {"request_id": "req_1", "attempts": [], "provider_used": "one", "providers_tried": ["one"], "credits_balance": 9}
    return {"success": True, "data": data, "error": None, "metadata": metadata, "credits_used": 1, **more}


def problem(status: int, slug: str, retriable: bool = False, **more: Any) -> Dict[str, Any]:
    """An envelope of an error."""
    error = {
        **{"type": f"http://gateway.example/errors/{slug}", "title": "A title", "status": status, "detail": "What happened."},
        **{"is_retriable": retriable, "alternative_action": "What to change.", "error_category": "transient", **more},
    }
    return {"success": False, "data": None, "error": error, "metadata": {"request_id": "req_2", "attempts": []}, "credits_used": 0}


def event(name: str, data: Any) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()


class Loopback:
    """Answers requests in turn with `script`; the last answer is repeated. `requests` are those received."""

    def __init__(self) -> None:
        self.requests: List[ReceivedRequest] = []
        self.script: List[Union[Say, Callable[[ReceivedRequest], Say]]] = [Say(body=envelope())]
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Head and body are two writes: without this the second waits for the other side to acknowledge the first.
            disable_nagle_algorithm = True

            def handle_one_request(self) -> None:
                try:
                    super().handle_one_request()
                except ConnectionError:
                    self.close_connection = True

            def _answer(self) -> None:
                body = self._body()
                received = ReceivedRequest(self.command, self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                at = min(len(outer.requests), len(outer.script) - 1)
                outer.requests.append(received)
                scripted = outer.script[at]
                self._say(scripted(received) if callable(scripted) else scripted)

            do_GET = do_POST = do_DELETE = _answer

            def _body(self) -> bytes:
                if self.headers.get("transfer-encoding") == "chunked":
                    whole = b""
                    while size := int(self.rfile.readline(), 16):
                        whole += self.rfile.read(size)
                        self.rfile.readline()
                    self.rfile.readline()
                    return whole
                return self.rfile.read(int(self.headers.get("content-length", 0)))

            def _say(self, say: Say) -> None:
                if say.status == 0:
                    self._break()
                    return
                content = json.dumps(say.body).encode() if isinstance(say.body, dict) else say.body
                self.send_response(say.status)
                if isinstance(say.body, dict):
                    self.send_header("Content-Type", "application/json")
                for name, value in say.headers.items():
                    self.send_header(name, value)
                if say.chunks is None:
                    if not say.cut:
                        self.send_header("Content-Length", str(len(content)))
                    elif "Content-Length" not in say.headers:
                        self.send_header("Content-Length", str(len(content) + 1))
                    self.end_headers()
                    self.wfile.write(content)
                else:
                    self.send_header("Transfer-Encoding", "chunked")
                    self.end_headers()
                    for chunk in say.chunks:
                        self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
                        self.wfile.flush()
                    if not say.cut:
                        self.wfile.write(b"0\r\n\r\n")
                if say.cut:
                    self._break()

            def _break(self) -> None:
                self.wfile.flush()
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def closed_port() -> int:
    """A port of loopback where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port
