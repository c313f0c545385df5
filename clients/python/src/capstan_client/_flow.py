"""The logic of a request without its input and output: a generator of steps that `Capstan` and `AsyncCapstan` perform.

A step is an object that also receives its result. Retries, time limits and errors are implemented here, once for both clients.
"""

from __future__ import annotations

import json
import logging
import random
import time
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Callable, Dict, Generator, Generic, Mapping, Optional, TypeVar, Union
from urllib.parse import urlsplit

import httpx

from ._errors import APIConnectionError, APIStatusError, APITimeoutError, CapstanError, status_error
from ._files import LocalFile
from ._results import Progress

T = TypeVar("T")

LOGGER = logging.getLogger("capstan_client")
LOGGER.addHandler(logging.NullHandler())

#: Longest wait in seconds that an answer may request; beyond it the error is raised at once.
LONGEST_WAIT = 60.0
#: First wait in seconds where the answer names none; it doubles with each retry.
FIRST_WAIT = 0.5
#: Seconds to reach the gateway.
CONNECT_SECONDS = 10.0
#: Answers of a proxy before the gateway that are worth a retry.
PROXY_RETRIES = frozenset({502, 503, 504})
#: Characters of a page that an error quotes.
QUOTED = 200


@dataclass(frozen=True)
class Settings:
    """Settings of a client."""

    api_key: str
    base_url: str
    timeout: Optional[float]
    max_retries: int
    headers: Mapping[str, str]
    local_files: bool


@dataclass(frozen=True)
class Order:
    """A request. `seconds` bounds it as a whole, or with `transfer` each wait for bytes of a file.

    `repeatable`: a second request does no harm when it is unknown whether the first one arrived.
    """

    method: str
    url: str
    headers: Dict[str, str]
    seconds: float
    retries: int
    body: Optional[bytes] = None
    file: Optional[LocalFile] = None
    transfer: bool = False
    repeatable: bool = True
    follow: bool = False
    shown: str = ""

    @property
    def where(self) -> str:
        """The request as log lines and errors name it."""
        return f"{self.method} {self.shown or urlsplit(self.url).path}"


class Open:
    """Send a request, up to the head of its answer."""

    def __init__(self, order: Order, stream: Optional[BinaryIO]) -> None:
        self.order = order
        self.stream = stream
        self._response: Optional[httpx.Response] = None

    def request(self, http: Union[httpx.Client, httpx.AsyncClient]) -> httpx.Request:
        """The request as httpx sends it."""
        order = self.order
        files = None if self.stream is None or order.file is None else {"file": (order.file.name, self.stream, "application/octet-stream")}
        limit = httpx.Timeout(order.seconds, connect=min(order.seconds, CONNECT_SECONDS))
        return http.build_request(order.method, order.url, headers=order.headers, content=order.body, files=files, timeout=limit)

    @property
    def response(self) -> httpx.Response:
        if self._response is None:
            raise RuntimeError("the request was not sent")
        return self._response

    @response.setter
    def response(self, response: httpx.Response) -> None:
        self._response = response


class Read:
    """The next bytes of the open answer; None at its end."""

    def __init__(self) -> None:
        self.chunk: Optional[bytes] = None


class ReadAll:
    """The whole body of the open answer."""

    def __init__(self) -> None:
        self.body = b""


@dataclass
class Pause:
    """Wait."""

    seconds: float


@dataclass
class Emit:
    """Hand progress to the caller."""

    progress: Progress


@dataclass
class Done(Generic[T]):
    """The return value of a flow."""

    value: T


Step = Union[Open, Read, ReadAll, Pause, Emit]
Flow = Generator[Step, None, T]


@dataclass
class Answer:
    """An answer whose head has come."""

    order: Order
    response: httpx.Response
    began: float
    request_id: Optional[str] = field(default=None)

    @property
    def headers(self) -> Mapping[str, str]:
        return self.response.headers

    def check_time(self) -> None:
        """Raises APITimeoutError when the time of the call is over."""
        left = self.order.seconds - (time.monotonic() - self.began)
        if self.order.transfer:
            return
        if left <= 0:
            raise APITimeoutError(f"{self.order.where}: no answer within {self.order.seconds:g} seconds.")
        # What is left is also how long the next bytes may take.
        limits = self.response.request.extensions.get("timeout")
        if isinstance(limits, dict):
            limits["read"] = left


Reader = Callable[[Answer], Flow[T]]


def exchange(order: Order, read: Reader[T]) -> Flow[T]:
    """Sends a request and reads its answer, again where a retry may help."""
    attempt = 0
    while True:
        began = time.monotonic()
        status: Union[int, str] = "-"
        request_id: Optional[str] = None
        stream = None if order.file is None else order.file.open()
        try:
            opening = Open(order, stream)
            yield opening
            answer = Answer(order, opening.response, began)
            status = opening.response.status_code
            request_id = opening.response.headers.get("x-request-id")
            if 200 <= opening.response.status_code < 300:
                return (yield from read(answer))
            answer.check_time()
            body = yield from _whole()
            raise failure(answer, opening.response.status_code, body)
        except CapstanError as error:
            wait = _retry_wait(error, order, attempt)
            if wait is None:
                raise
        finally:
            if stream is not None:
                stream.close()
            LOGGER.debug("%s %s %d ms %s", order.where, status, round((time.monotonic() - began) * 1000), request_id or "-")
        attempt += 1
        yield Pause(wait)


def _whole() -> Flow[bytes]:
    reading = ReadAll()
    yield reading
    return reading.body


def read_json(answer: Answer) -> Flow[Any]:
    """The body of an answer as JSON. Raises CapstanError, with its first words, for anything else."""
    answer.check_time()
    body = yield from _whole()
    return parsed(answer, body)


def parsed(answer: Answer, body: bytes) -> Any:
    """The JSON of a body. Raises CapstanError for anything else."""
    try:
        return json.loads(body)
    except ValueError as error:
        raise CapstanError(
            f"{answer.order.where}: the answer is not JSON. Is base_url the address of the gateway? It begins: {_quoted(body)}"
        ) from error


def failure(answer: Answer, status: int, body: bytes) -> APIStatusError:
    """The error of an answer that is no success: the gateway's own, or that of something before it."""
    content: object = None
    try:
        content = json.loads(body)
    except ValueError:
        content = None
    headers = answer.headers
    if isinstance(content, dict) and isinstance(content.get("error"), dict):
        return status_error(status, content, headers, answer.order.where)
    if 300 <= status < 400:
        message = f"The answer redirects to {headers.get('location')}. Set base_url to the address that serves the API."
    else:
        message = f"The answer is not one of the gateway; something before it answered: {_quoted(body)}"
    retriable = status in PROXY_RETRIES
    error = {"title": f"HTTP status {status}", "detail": f"{answer.order.where}: {message}", "is_retriable": retriable}
    return status_error(status, {"error": error}, headers, answer.order.where)


def _quoted(body: bytes) -> str:
    text = " ".join(body[: QUOTED * 4].decode("utf-8", "replace").split())
    return repr(text if len(text) <= QUOTED else text[:QUOTED] + "…")


def _retry_wait(error: CapstanError, order: Order, attempt: int) -> Optional[float]:
    """Seconds until the next attempt; None when there is to be none."""
    if attempt >= order.retries or (order.file is not None and not order.file.repeatable):
        return None
    if isinstance(error, APIStatusError):
        if not error.is_retriable:
            return None
        wait = _seconds(error.headers.get("retry-after"))
        if wait is None:
            wait = error.retry_after_seconds
        if wait is not None:
            return None if wait > LONGEST_WAIT else max(0.0, wait)
    elif not isinstance(error, APIConnectionError) or not (order.repeatable or isinstance(error.__cause__, UNSENT)):
        return None
    return float(FIRST_WAIT * 2**attempt * random.uniform(0.75, 1.25))


#: Failures before the request was sent.
UNSENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


def _seconds(header: Optional[str]) -> Optional[float]:
    """A Retry-After in seconds; the form with a date is none that a gateway sends."""
    if header is None or not header.strip().isdigit():
        return None
    return float(header)


def network_error(error: httpx.RequestError, order: Optional[Order]) -> APIConnectionError:
    """The error of this library for one of httpx, which stays its cause."""
    if order is None:
        raise error
    if isinstance(error, httpx.ConnectTimeout):
        message = f"{order.where}: could not connect to {_origin(order)} in time. Is the gateway running there?"
        made: APIConnectionError = APITimeoutError(message)
    elif isinstance(error, httpx.TimeoutException):
        made = APITimeoutError(f"{order.where}: no answer within {order.seconds:g} seconds. A longer request_timeout waits longer.")
    elif isinstance(error, httpx.ConnectError):
        message = f"could not connect to {_origin(order)} ({error}). Is the gateway running there? base_url or CAPSTAN_URL names it."
        made = APIConnectionError(f"{order.where}: {message}")
    else:
        made = APIConnectionError(f"{order.where}: the connection broke ({error or type(error).__name__}).")
    made.__cause__ = error
    return made


def _origin(order: Order) -> str:
    parts = urlsplit(order.url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
