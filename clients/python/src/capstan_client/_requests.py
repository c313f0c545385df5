"""The requests of the API, as flows."""

from __future__ import annotations

import json
import os
import platform
import uuid
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Dict, FrozenSet, Iterator, List, Mapping, Optional, Tuple, Union, cast
from urllib.parse import quote, urlencode, urljoin

import httpx

from ._errors import APIConnectionError, CapstanError, status_error
from ._events import EventReader
from ._files import FileInput, LocalFile, local_file
from ._flow import QUOTED, Answer, Emit, Flow, Order, Read, Settings, exchange, parsed, read_json
from ._generated import CAPABILITIES
from ._results import Progress, RequestOptions, Result
from ._version import VERSION

#: Seconds that a call is given beyond the deadline of its capability.
GRACE = 5.0
#: Seconds for a capability without a deadline in this version: beyond the longest known deadline.
UNKNOWN_DEADLINE = 600.0
#: Seconds for requests that call no capability.
READS = 30.0
#: Seconds without a byte after which a transfer of a file has failed.
STALLED = 60.0

USER_AGENT = f"capstan-python/{VERSION} python/{platform.python_version()} httpx/{httpx.__version__}"
EVENTS = "text/event-stream"

Params = Mapping[str, object]


@dataclass(frozen=True)
class Options:
    """Options of one call; None is the default of the client."""

    idempotency_key: Optional[str] = None
    request_timeout: Optional[float] = None
    max_retries: Optional[int] = None
    extra_headers: Optional[Mapping[str, str]] = None


def settings(
    api_key: Optional[str],
    base_url: Optional[str],
    *,
    timeout: Optional[float],
    max_retries: int,
    headers: Optional[Mapping[str, str]],
    local_files: bool,
) -> Settings:
    """Settings from arguments, else from the environment. Raises CapstanError for what is missing or cannot be used."""
    key = (api_key or os.environ.get("CAPSTAN_API_KEY") or "").strip()
    if key == "":
        raise CapstanError("No API key: set the environment variable CAPSTAN_API_KEY, or pass api_key=.")
    if not key.isascii() or not key.isprintable():
        raise CapstanError("The API key has characters that no key has: check CAPSTAN_API_KEY or api_key=.")
    url = (base_url or os.environ.get("CAPSTAN_URL") or "http://127.0.0.1:8420").strip().rstrip("/")
    if not url.lower().startswith(("http://", "https://")):
        raise CapstanError(f"base_url (or CAPSTAN_URL) must begin with http:// or https://, not {url!r}.")
    try:
        httpx.URL(url)
    except httpx.InvalidURL as error:
        raise CapstanError(f"base_url (or CAPSTAN_URL) is no address: {error}.") from error
    if timeout is not None and not timeout > 0:
        raise CapstanError(f"timeout must be a number of seconds above 0, not {timeout!r}.")
    if max_retries < 0:
        raise CapstanError(f"max_retries must be 0 or more, not {max_retries!r}.")
    return Settings(key, url, timeout, max_retries, _headers(headers), local_files)


def order(
    at: Settings,
    method: str,
    path: str,
    options: Options,
    *,
    body: Optional[Params] = None,
    query: Optional[Mapping[str, object]] = None,
    seconds: float = READS,
    headers: Optional[Mapping[str, str]] = None,
    repeatable: bool = True,
) -> Order:
    """A request with the key. `seconds` is the limit where neither the call nor the client names one."""
    limit = _limit(at, options, seconds)
    sent = {"Accept": "application/json", "User-Agent": USER_AGENT, "Authorization": f"Bearer {at.api_key}", **(headers or {})}
    content = None
    if body is not None:
        sent["Content-Type"] = "application/json"
        content = _json(body)
    parameters = {name: _plain(value) for name, value in given(query or {}).items()}
    retries = at.max_retries if options.max_retries is None else options.max_retries
    return Order(
        method=method,
        url=f"{at.base_url}{path}" + (f"?{urlencode(parameters)}" if parameters else ""),
        headers=_headers(sent, at.headers, options.extra_headers),
        seconds=limit,
        retries=retries,
        body=content,
        repeatable=repeatable,
        shown=path,
    )


def _limit(at: Settings, options: Options, seconds: float) -> float:
    """The time limit of a request: its own, else the client's, else this."""
    own = options.request_timeout
    if own is not None and not own > 0:
        raise CapstanError(f"request_timeout must be a number of seconds above 0, not {own!r}.")
    return own or at.timeout or seconds


def _headers(*parts: Optional[Mapping[str, str]]) -> Dict[str, str]:
    """Headers, later ones in place of earlier ones. Raises CapstanError for a value that no header can have."""
    made = {name: value for part in parts if part is not None for name, value in part.items()}
    for name, value in made.items():
        if not (value.isascii() and (value.isprintable() or value == "")):
            raise CapstanError(f"{name} has characters that a header cannot have: printable ASCII alone.")
    return made


def _plain(value: object) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _json(body: Params) -> bytes:
    try:
        return json.dumps(body, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError) as error:
        raise CapstanError(f"The parameters cannot be sent as JSON: {error}.") from error


def call(at: Settings, capability: str, params: Params, options: Options, *, events: bool) -> Flow[Result[Any]]:
    """Calls a capability; `events`: with progress while it runs. Files among the parameters are uploaded first."""
    # Models name tools with `_` where ids have a dot.
    known = CAPABILITIES.get(capability) or _BY_TOOL.get(capability)
    sent: Dict[str, object] = {}
    for name, value in params.items():
        file = local_file(name, value, at.local_files) if name.endswith("_url") else None
        sent[name] = value if file is None else (yield from upload(at, file, Options(extra_headers=options.extra_headers)))["file_url"]
    own = options.idempotency_key
    headers = {"Idempotency-Key": str(uuid.uuid4()) if own is None else own}
    if own is None:
        # Nobody can repeat a call whose key was never shown: it ends with its connection.
        headers["Prefer"] = "cancel-on-disconnect"
    if events:
        headers["Accept"] = EVENTS
    seconds = UNKNOWN_DEADLINE if known is None or known.deadline is None else known.deadline
    path = "/v1/agent" if known is None else known.path
    body: Params = {"capability": capability, "params": sent} if known is None else sent
    made = order(at, "POST", path, options, body=body, seconds=seconds + GRACE, headers=headers)
    return (yield from exchange(made, _read_result))


_BY_TOOL = {name.replace(".", "_"): known for name, known in CAPABILITIES.items()}


def _read_result(answer: Answer) -> Flow[Result[Any]]:
    if EVENTS in answer.headers.get("content-type", ""):
        return (yield from _read_events(answer))
    return _result(answer, (yield from read_json(answer)), answer.headers.get("x-credits-balance"))


def _read_events(answer: Answer) -> Flow[Result[Any]]:
    reader = EventReader()
    while True:
        answer.check_time()
        reading = Read()
        yield reading
        if reading.chunk is None:
            raise APIConnectionError(f"{answer.order.where}: the stream ended before its result.")
        for event in reader.feed(reading.chunk):
            if event.name == "progress":
                yield Emit(_progress(parsed(answer, event.data.encode())))
            elif event.name == "result":
                # The headers went out before the call was charged: the balance after it is in the envelope.
                return _result(answer, parsed(answer, event.data.encode()), None)


def _progress(data: Any) -> Progress:
    raw = data if isinstance(data, dict) else {}
    return Progress(str(raw.get("step", "")), raw.get("detail"), raw.get("done"), raw.get("total"), raw)


def _result(answer: Answer, envelope: Any, balance: Optional[str]) -> Result[Any]:
    """The result of an envelope. Raises APIStatusError for one that failed, CapstanError for what is none."""
    if not isinstance(envelope, dict) or "success" not in envelope:
        raise CapstanError(f"{answer.order.where}: the answer is no envelope of a call. Is base_url the address of the gateway?")
    headers = answer.headers
    if envelope["success"] is not True:
        error = envelope.get("error")
        status = error.get("status") if isinstance(error, dict) else None
        raise status_error(status if isinstance(status, int) else answer.response.status_code, envelope, headers, answer.order.where)
    metadata = envelope.get("metadata") or {}
    return Result(
        data=envelope.get("data"),
        metadata=metadata,
        credits_used=envelope.get("credits_used", 0),
        request_id=metadata.get("request_id") or headers.get("x-request-id", ""),
        balance=metadata.get("credits_balance") if balance is None else float(balance),
        headers=headers,
        raw=envelope,
    )


def upload(at: Settings, file: LocalFile, options: Options) -> Flow[Dict[str, Any]]:
    """Uploads a file: its address, name, size in bytes, type and when it expires. Only a silence ends it, never its size."""
    made = order(at, "POST", "/v1/files", options, seconds=STALLED)
    envelope = yield from exchange(replace(made, file=file, transfer=True), read_json)
    data = envelope.get("data") if isinstance(envelope, dict) else None
    if not isinstance(data, dict) or not isinstance(data.get("file_url"), str):
        raise CapstanError("POST /v1/files: the answer names no file_url. Is base_url the address of the gateway?")
    return data


def download(at: Settings, url: str, to: Union[str, "os.PathLike[str]", BinaryIO], options: Options) -> Flow[int]:
    """Saves what a link of a result points to; answers how many bytes. A path is written whole or not at all.

    Links carry their own permission, so that the key is not sent.
    """
    full = urljoin(at.base_url + "/", url)
    if not full.lower().startswith(("http://", "https://")):
        raise CapstanError(f"download: {url[:QUOTED]!r} is no web address.")
    limit = _limit(at, options, STALLED)
    made = Order(
        method="GET",
        url=full,
        headers=_headers({"User-Agent": USER_AGENT}, options.extra_headers),
        seconds=limit,
        retries=at.max_retries if options.max_retries is None else options.max_retries,
        transfer=True,
        follow=True,
        shown="(file)",
    )
    if not isinstance(to, (str, os.PathLike)):
        target = to
        start = target.tell() if target.seekable() else None

        def into(answer: Answer) -> Flow[int]:
            if start is not None:
                target.seek(start)
                target.truncate()
            return (yield from _save(answer, target))

        return (yield from exchange(made if start is not None else replace(made, retries=0), into))
    path = os.fspath(to)
    part = f"{path}.{uuid.uuid4().hex[:8]}.part"

    def beside(answer: Answer) -> Flow[int]:
        with open(part, "wb") as target:
            size = yield from _save(answer, target)
        os.replace(part, path)
        return size

    try:
        return (yield from exchange(made, beside))
    finally:
        if os.path.exists(part):
            os.unlink(part)


def _save(answer: Answer, target: BinaryIO) -> Flow[int]:
    size = 0
    while True:
        reading = Read()
        yield reading
        if reading.chunk is None:
            return size
        size += target.write(reading.chunk)


def read(at: Settings, method: str, path: str, options: Options, **rest: Any) -> Flow[Any]:
    """A request that calls no capability: the body of its answer."""
    return (yield from exchange(order(at, method, path, options, **rest), read_json))


def listed_keys(at: Settings, options: Options) -> Flow[List[Any]]:
    """Every active key, page by page."""
    keys: List[Any] = []
    while True:
        page = yield from read(at, "GET", "/v1/keys", options, query={"limit": 1000, "offset": len(keys)})
        keys += page["keys"]
        if page["keys"] == [] or len(keys) >= page.get("total", 0):
            return keys


def given(params: Params) -> Params:
    """The parameters of a method that were given: None is absent."""
    return {name: value for name, value in params.items() if value is not None}


def named_file(file: FileInput) -> LocalFile:
    """The file to upload. Raises FileNotFoundError for a path without a file."""
    found = local_file("file", Path(file) if isinstance(file, str) else file, paths=True)
    if found is None:
        raise CapstanError("upload takes a path, bytes or a file opened in binary mode.")
    return found


def split_options(given: Mapping[str, Any]) -> Tuple[Dict[str, object], RequestOptions]:
    """Named arguments of a method, apart: fields of the request, and options of the call."""
    names = RequestOptions.__annotations__
    fields = {name: value for name, value in given.items() if name not in names and value is not None}
    return fields, cast(RequestOptions, {name: value for name, value in given.items() if name in names})


def key_path(key_id: str, action: str = "") -> str:
    return f"/v1/keys/{quote(key_id, safe='')}{action}"


class Pages:
    """Where the pages of the call history are: the query of the next page, or that there is none."""

    def __init__(self, query: Mapping[str, object]) -> None:
        self.query: Optional[Dict[str, object]] = {**query}
        self._last: FrozenSet[str] = frozenset()

    def take(self, page: Any) -> Iterator[Any]:
        """The calls of a page, less those that newer calls have moved here from the page before."""
        calls = page["calls"]
        end = page["offset"] + len(calls)
        self.query = None if calls == [] or end >= page["total"] or self.query is None else {**self.query, "offset": end}
        fresh = [each for each in calls if each["id"] not in self._last]
        self._last = frozenset(each["id"] for each in calls)
        return iter(fresh)


def playground_body(message: str, history: Optional[List[Dict[str, str]]]) -> Dict[str, object]:
    return {"message": message, "conversation_history": [] if history is None else history}


