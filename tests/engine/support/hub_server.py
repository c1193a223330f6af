"""A server that implements the part of the Hugging Face Hub's protocol needed to download files."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@dataclass
class Hub:
    """The repositories of a hub by name, each with its files, and how it misbehaves."""

    repositories: dict[str, dict[str, bytes]]
    url: str = ""
    status: int = 200
    """The status of every answer."""
    error_code: str = ""
    """The hub's name for the error."""
    missing_bytes: int = 0
    """The bytes at the end of a file that are announced but not sent."""
    token: str = ""
    """The only token that is accepted; empty if none is needed."""
    requests: list[str] = field(default_factory=list)


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    """Answer requests at `hub.url` within the context."""

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self._answer(with_body=False)

        def do_GET(self) -> None:
            self._answer(with_body=True)

        def log_message(self, format: str, *arguments: Any) -> None:
            hub.requests.append(f"{self.command} {self.path}")

        def _answer(self, *, with_body: bool) -> None:
            given = self.headers.get("Authorization")
            if hub.token and given is None:  # so nobody learns which private repositories there are
                self._send(401, b"", with_body, {"X-Error-Code": "RepoNotFound"})
            elif hub.token and given != f"Bearer {hub.token}":
                self._send(401, b"", with_body, {"X-Error-Message": "Invalid credentials in Authorization header"})
            elif hub.status != 200:
                self._send(hub.status, b"", with_body, {"X-Error-Code": hub.error_code})
            elif self.path.startswith("/api/models/"):
                self._describe(self.path.removeprefix("/api/models/"), with_body)
            else:
                self._send_file(self.path.removeprefix("/"), with_body)

        def _describe(self, path: str, with_body: bool) -> None:
            name, _slash, revision = path.partition("/revision/")
            if name not in hub.repositories:
                self._send(404, b"", with_body, {"X-Error-Code": "RepoNotFound"})
            elif revision not in ("", "main", "v1"):
                self._send(404, b"", with_body, {"X-Error-Code": "RevisionNotFound"})
            else:
                files = [{"rfilename": file} for file in hub.repositories[name]]
                self._send(200, json.dumps({"id": name, "sha": COMMIT, "siblings": files}).encode(), with_body)

        def _send_file(self, path: str, with_body: bool) -> None:
            name, _slash, place = path.partition("/resolve/")
            content = hub.repositories.get(name, {}).get(place.partition("/")[2])
            if content is None:
                self._send(404, b"", with_body, {"X-Error-Code": "EntryNotFound"})
                return
            self._send(200, content, with_body, {"ETag": f'"{hash(content):x}"', "X-Repo-Commit": COMMIT})

        def _send(self, status: int, body: bytes, with_body: bool, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            for key, value in (headers or {}).items():
                self.send_header(key, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if with_body:
                self.wfile.write(body[: len(body) - hub.missing_bytes] if "ETag" in (headers or {}) else body)
                self.close_connection = True

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = False
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
