"""Server-sent events (WHATWG HTML, 9.2.6), read from chunks of bytes in linear time."""

from __future__ import annotations

from typing import Iterator, List, NamedTuple


class Event(NamedTuple):
    name: str
    data: str


class EventReader:
    """Parses a stream of events chunk by chunk."""

    def __init__(self) -> None:
        self._rest: List[bytes] = []
        self._name = ""
        self._data: List[str] = []
        self._after_return = False

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """The events that end in this chunk."""
        # The line feed of a CR LF whose CR ended the chunk before is no line of its own.
        if self._after_return and chunk.startswith(b"\n"):
            chunk = chunk[1:]
            self._after_return = False
        if chunk == b"":
            return
        self._after_return = chunk.endswith(b"\r")
        if b"\n" not in chunk and b"\r" not in chunk:
            # A result of many megabytes comes in many chunks: they are joined once.
            self._rest.append(chunk)
            return
        *lines, rest = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        lines[0] = b"".join([*self._rest, lines[0]])
        self._rest = [rest] if rest else []
        for line in lines:
            if line == b"":
                if self._data:
                    yield Event(self._name or "message", "\n".join(self._data))
                self._name, self._data = "", []
            else:
                self._take(line.decode("utf-8", "replace"))

    def _take(self, line: str) -> None:
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "event":
            self._name = value
        elif field == "data":
            self._data.append(value)
