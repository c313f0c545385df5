"""Local files among the parameters of a call."""

from __future__ import annotations

import io
import os
import re
from typing import BinaryIO, Optional, Union, cast

from ._errors import CapstanError

#: What a parameter named `*_url` takes: an address, or a path, bytes or an open binary file, which are uploaded first.
FileInput = Union[str, bytes, "os.PathLike[str]", BinaryIO]

#: `C:` of Windows is no scheme: one has two letters at least here.
_HAS_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
#: An address without its scheme, such as that of a profile: what it means is left to the gateway.
_HAS_HOST = re.compile(r"[^\s/.]+(?:\.[^\s/.]+){1,9}/")


class LocalFile:
    """A file to upload. Each attempt opens it anew; one that cannot be read twice is not `repeatable`."""

    def __init__(self, source: Union[str, bytes, BinaryIO], name: str) -> None:
        self._source = source
        self.name = name
        self.repeatable = True
        self._start = 0
        if not isinstance(source, (str, bytes)):
            self.repeatable = source.seekable()
            self._start = source.tell() if self.repeatable else 0

    def open(self) -> BinaryIO:
        """The bytes, from the initial position of the caller's file. Raises OSError for a path that cannot be read."""
        if isinstance(self._source, str):
            return open(self._source, "rb")
        if isinstance(self._source, bytes):
            return io.BytesIO(self._source)
        borrowed = _Rest(self._source, self._start) if self.repeatable else _Borrowed(self._source)
        return cast(BinaryIO, borrowed)


class _Borrowed(io.RawIOBase):
    """An open file of the caller, which closing leaves open."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self._source.read(size)


class _Rest(_Borrowed):
    """The rest of a file from a position on, as if that were its beginning: httpx goes back to 0 before it sends."""

    def __init__(self, source: BinaryIO, start: int) -> None:
        super().__init__(source)
        self._start = start
        self.seek(0)

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        base = self._start if whence == os.SEEK_SET else 0
        return self._source.seek(base + offset, whence) - self._start

    def tell(self) -> int:
        return self._source.tell() - self._start


def local_file(name: str, value: object, paths: bool) -> Optional[LocalFile]:
    """The file that a parameter names, None for an address or anything else.

    A text without a scheme is a path; with `paths` false it is always sent as it is.
    Raises CapstanError for a text that is neither an address nor a file, and for a file opened as text;
    FileNotFoundError for a path object without a file.
    """
    if isinstance(value, (bytes, bytearray, memoryview)):
        return LocalFile(bytes(value), "file")
    if isinstance(value, os.PathLike):
        path = os.fspath(cast("os.PathLike[str]", value))
        os.stat(path)
        return LocalFile(path, os.path.basename(path) or "file")
    if isinstance(value, str):
        if not paths or _HAS_SCHEME.match(value) is not None:
            return None
        if _is_file(value):
            return LocalFile(value, os.path.basename(value))
        if _HAS_HOST.match(value) is not None:
            return None
        raise CapstanError(f"{name}: {value[:100]!r} is neither an address (https://…) nor a file that can be read")
    if callable(getattr(value, "read", None)):
        if isinstance(value, io.TextIOBase):
            raise CapstanError(f"{name}: the file is open as text. Open it in binary mode: open(path, 'rb').")
        named = getattr(value, "name", None)
        return LocalFile(cast(BinaryIO, value), os.path.basename(named) if isinstance(named, str) and named else "file")
    return None


def _is_file(text: str) -> bool:
    try:
        return os.path.isfile(text)
    except ValueError:
        # A text with a NUL character names no file.
        return False
