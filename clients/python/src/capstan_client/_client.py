"""`Capstan` and `AsyncCapstan`: the public methods, and the two loops that perform the steps of a flow over httpx."""

from __future__ import annotations

import asyncio
import inspect
import logging
import os
import sys
import time
from types import TracebackType
from typing import (
    Any,
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    BinaryIO,
    Callable,
    Dict,
    Generator,
    Generic,
    Iterator,
    List,
    Mapping,
    Optional,
    Type,
    TypeVar,
    Union,
    cast,
)

import httpx
from typing_extensions import Self, Unpack

from . import _requests as requests
from ._account import AsyncCalls, AsyncKeys, Calls, Keys
from ._files import FileInput
from ._flow import LOGGER, Done, Emit, Flow, Open, Order, Pause, Read, ReadAll, Settings, network_error
from ._generated import Account, AsyncMethods, Estimate, PlaygroundAnswer, SyncMethods, UploadedFile
from ._requests import Options, Params
from ._results import Progress, RequestOptions, Result

T = TypeVar("T")

OnProgress = Callable[[Progress], object]
OnProgressAsync = Callable[[Progress], Union[Awaitable[object], object]]


class Stream(Generic[T]):
    """The events of a call, as an iterator: Progress while it runs, then the one Result. Closing it ends the call."""

    def __init__(self, events: Generator[Union[Progress, Done[T]], None, None]) -> None:
        self._events = events

    def __iter__(self) -> Iterator[Union[Progress, T]]:
        return self

    def __next__(self) -> Union[Progress, T]:
        event = next(self._events)
        return event.value if isinstance(event, Done) else event

    def close(self) -> None:
        """Ends the call at the gateway, unless its result has come."""
        self._events.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncStream(Generic[T]):
    """Like Stream, for `async for`."""

    def __init__(self, events: AsyncGenerator[Union[Progress, Done[T]], None]) -> None:
        self._events = events

    def __aiter__(self) -> AsyncIterator[Union[Progress, T]]:
        return self

    async def __anext__(self) -> Union[Progress, T]:
        event = await self._events.__anext__()
        return event.value if isinstance(event, Done) else event

    async def close(self) -> None:
        """Ends the call at the gateway, unless its result has come."""
        await self._events.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class Capstan(SyncMethods):
    """A client of a Capstan gateway.

    api_key: else the variable CAPSTAN_API_KEY. base_url: else CAPSTAN_URL, else http://127.0.0.1:8420.
    timeout: seconds for every request; by default the deadline of the capability and 5 more.
    max_retries: retries of what may be retried. default_headers: headers of every request.
    http_client: an httpx.Client of your own, which stays open. local_files: whether a text that names a file is uploaded
    where a parameter takes an address; False where somebody else chooses the texts.

    One client serves many threads. Raises CapstanError for a setting that is missing or cannot be used.
    """

    def __init__(
        self,
        *,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: int = 2,
        default_headers: Optional[Mapping[str, str]] = None,
        http_client: Optional[httpx.Client] = None,
        local_files: bool = True,
    ) -> None:
        self._settings = _made(api_key, base_url, timeout, max_retries, default_headers, local_files)
        self._own = http_client is None
        self._http = httpx.Client(limits=_LIMITS) if http_client is None else http_client
        self.keys = Keys(self)
        self.calls = Calls(self)

    def __repr__(self) -> str:
        return f"Capstan(base_url={self._settings.base_url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections, unless the HTTP client is one of your own."""
        if self._own:
            self._http.close()

    def run(
        self,
        capability: str,
        params: Optional[Params] = None,
        *,
        on_progress: Optional[OnProgress] = None,
        idempotency_key: Optional[str] = None,
        request_timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        extra_headers: Optional[Mapping[str, str]] = None,
        **named: object,
    ) -> Result[Any]:
        """Calls a capability by its id, its parameters as a mapping, as named arguments, or both."""
        return self._call(
            capability,
            {**(params or {}), **named},
            on_progress=on_progress,
            idempotency_key=idempotency_key,
            request_timeout=request_timeout,
            max_retries=max_retries,
            extra_headers=extra_headers,
        )

    def stream(
        self,
        capability: str,
        params: Optional[Params] = None,
        *,
        idempotency_key: Optional[str] = None,
        request_timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        extra_headers: Optional[Mapping[str, str]] = None,
        **named: object,
    ) -> Stream[Result[Any]]:
        """Like `run`, but yields each Progress as it arrives, and the Result last."""
        options = Options(idempotency_key, request_timeout, max_retries, extra_headers)
        return Stream(self._steps(requests.call(self._settings, capability, {**(params or {}), **named}, options, events=True)))

    def upload(self, file: FileInput, **options: Unpack[RequestOptions]) -> UploadedFile:
        """Uploads a path, bytes or an open binary file; its `file_url` is valid wherever a parameter takes an address."""
        found = requests.named_file(file)
        return cast(UploadedFile, self._complete(requests.upload(self._settings, found, Options(**options))))

    def download(self, url: str, to: Union[str, "os.PathLike[str]", BinaryIO], **options: Unpack[RequestOptions]) -> int:
        """Saves the file behind a link of a result to a path or into an open binary file; answers its bytes."""
        return self._complete(requests.download(self._settings, url, to, Options(**options)))

    def account(self, **options: Unpack[RequestOptions]) -> Account:
        """The balance of the account, in credits."""
        return cast(Account, self._read("GET", "/v1/account", options))

    def estimate(self, capability: str, params: Optional[Params] = None, **named: object) -> Estimate:
        """The price of a call, in credits. Nothing is carried out, uploaded or charged."""
        body = {"capability": capability, "params": {**(params or {}), **named}}
        return cast(Estimate, self._complete(requests.read(self._settings, "POST", "/v1/estimate", Options(), body=body)))

    def capabilities(self, **options: Unpack[RequestOptions]) -> List[Dict[str, Any]]:
        """Every capability with its price and the state of its providers."""
        return cast("List[Dict[str, Any]]", self._read("GET", "/v1/capabilities", options)["capabilities"])

    def tools(self, format: str = "openai", *, product: Optional[str] = None, single: bool = False, live: bool = False) -> Any:
        """Tool definitions for a framework: openai, claude, mcp or raw. `single`: one tool that takes the capability's id."""
        query = {"format": format, "product": product, "single": single or None, "live": live or None}
        return self._complete(requests.read(self._settings, "GET", "/v1/tools", Options(), query=query))

    def playground(
        self, message: str, history: Optional[List[Dict[str, str]]] = None, **options: Unpack[RequestOptions]
    ) -> PlaygroundAnswer:
        """The call that a sentence means, after earlier messages `{role, content}`. Nothing is carried out."""
        body = requests.playground_body(message, history)
        return cast(PlaygroundAnswer, self._read("POST", "/v1/playground/chat", options, body=body))

    def _call(
        self,
        capability: str,
        params: Params,
        *,
        on_progress: Optional[OnProgress] = None,
        idempotency_key: Optional[str] = None,
        request_timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        extra_headers: Optional[Mapping[str, str]] = None,
    ) -> Result[Any]:
        options = Options(idempotency_key, request_timeout, max_retries, extra_headers)
        flow = requests.call(self._settings, capability, requests.given(params), options, events=on_progress is not None)
        return self._complete(flow, on_progress)

    def _read(self, method: str, path: str, options: RequestOptions, **rest: Any) -> Any:
        return self._complete(requests.read(self._settings, method, path, Options(**options), **rest))

    def _complete(self, flow: Flow[T], on_progress: Optional[OnProgress] = None) -> T:
        steps = self._steps(flow)
        try:
            for event in steps:
                if isinstance(event, Done):
                    return event.value
                if on_progress is not None:
                    on_progress(event)
        finally:
            steps.close()
        raise RuntimeError("a flow ended without a value")

    def _steps(self, flow: Flow[T]) -> Generator[Union[Progress, Done[T]], None, None]:
        """Performs the steps of a flow; closing this closes the connection, which ends the call at the gateway."""
        response: Optional[httpx.Response] = None
        chunks: Iterator[bytes] = iter(())
        order: Optional[Order] = None
        error: Optional[BaseException] = None
        try:
            while True:
                try:
                    step = next(flow) if error is None else flow.throw(error)
                except StopIteration as end:
                    yield Done(end.value)
                    return
                error = None
                try:
                    if isinstance(step, Open):
                        order = step.order
                        response = step.response = self._http.send(step.request(self._http), stream=True, follow_redirects=order.follow)
                        chunks = response.iter_bytes()
                    elif isinstance(step, Read):
                        step.chunk = next(chunks, None)
                    elif isinstance(step, ReadAll):
                        step.body = b"".join(chunks)
                    elif isinstance(step, Pause):
                        if response is not None:
                            response.close()
                        time.sleep(step.seconds)
                except httpx.RequestError as failure:
                    error = network_error(failure, order)
                if isinstance(step, Emit):
                    yield step.progress
        finally:
            if response is not None:
                response.close()
            flow.close()


class AsyncCapstan(AsyncMethods):
    """Like Capstan, for asyncio: every method is awaited. Cancelling the task ends the call at the gateway."""

    def __init__(
        self,
        *,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: int = 2,
        default_headers: Optional[Mapping[str, str]] = None,
        http_client: Optional[httpx.AsyncClient] = None,
        local_files: bool = True,
    ) -> None:
        self._settings = _made(api_key, base_url, timeout, max_retries, default_headers, local_files)
        self._own = http_client is None
        self._http = httpx.AsyncClient(limits=_LIMITS) if http_client is None else http_client
        self.keys = AsyncKeys(self)
        self.calls = AsyncCalls(self)

    def __repr__(self) -> str:
        return f"AsyncCapstan(base_url={self._settings.base_url!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections, unless the HTTP client is one of your own."""
        if self._own:
            await self._http.aclose()

    async def run(
        self,
        capability: str,
        params: Optional[Params] = None,
        *,
        on_progress: Optional[OnProgressAsync] = None,
        idempotency_key: Optional[str] = None,
        request_timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        extra_headers: Optional[Mapping[str, str]] = None,
        **named: object,
    ) -> Result[Any]:
        """Calls a capability by its id, its parameters as a mapping, as named arguments, or both."""
        return await self._call(
            capability,
            {**(params or {}), **named},
            on_progress=on_progress,
            idempotency_key=idempotency_key,
            request_timeout=request_timeout,
            max_retries=max_retries,
            extra_headers=extra_headers,
        )

    def stream(
        self,
        capability: str,
        params: Optional[Params] = None,
        *,
        idempotency_key: Optional[str] = None,
        request_timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        extra_headers: Optional[Mapping[str, str]] = None,
        **named: object,
    ) -> AsyncStream[Result[Any]]:
        """Like `run`, but yields each Progress as it arrives, and the Result last. The call itself is not awaited."""
        options = Options(idempotency_key, request_timeout, max_retries, extra_headers)
        return AsyncStream(self._steps(requests.call(self._settings, capability, {**(params or {}), **named}, options, events=True)))

    async def upload(self, file: FileInput, **options: Unpack[RequestOptions]) -> UploadedFile:
        """Uploads a path, bytes or an open binary file; its `file_url` is valid wherever a parameter takes an address."""
        found = requests.named_file(file)
        return cast(UploadedFile, await self._complete(requests.upload(self._settings, found, Options(**options))))

    async def download(self, url: str, to: Union[str, "os.PathLike[str]", BinaryIO], **options: Unpack[RequestOptions]) -> int:
        """Saves the file behind a link of a result to a path or into an open binary file; answers its bytes."""
        return await self._complete(requests.download(self._settings, url, to, Options(**options)))

    async def account(self, **options: Unpack[RequestOptions]) -> Account:
        """The balance of the account, in credits."""
        return cast(Account, await self._read("GET", "/v1/account", options))

    async def estimate(self, capability: str, params: Optional[Params] = None, **named: object) -> Estimate:
        """The price of a call, in credits. Nothing is carried out, uploaded or charged."""
        body = {"capability": capability, "params": {**(params or {}), **named}}
        return cast(Estimate, await self._complete(requests.read(self._settings, "POST", "/v1/estimate", Options(), body=body)))

    async def capabilities(self, **options: Unpack[RequestOptions]) -> List[Dict[str, Any]]:
        """Every capability with its price and the state of its providers."""
        return cast("List[Dict[str, Any]]", (await self._read("GET", "/v1/capabilities", options))["capabilities"])

    async def tools(self, format: str = "openai", *, product: Optional[str] = None, single: bool = False, live: bool = False) -> Any:
        """Tool definitions for a framework: openai, claude, mcp or raw. `single`: one tool that takes the capability's id."""
        query = {"format": format, "product": product, "single": single or None, "live": live or None}
        return await self._complete(requests.read(self._settings, "GET", "/v1/tools", Options(), query=query))

    async def playground(
        self, message: str, history: Optional[List[Dict[str, str]]] = None, **options: Unpack[RequestOptions]
    ) -> PlaygroundAnswer:
        """The call that a sentence means, after earlier messages `{role, content}`. Nothing is carried out."""
        body = requests.playground_body(message, history)
        return cast(PlaygroundAnswer, await self._read("POST", "/v1/playground/chat", options, body=body))

    async def _call(
        self,
        capability: str,
        params: Params,
        *,
        on_progress: Optional[OnProgressAsync] = None,
        idempotency_key: Optional[str] = None,
        request_timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        extra_headers: Optional[Mapping[str, str]] = None,
    ) -> Result[Any]:
        options = Options(idempotency_key, request_timeout, max_retries, extra_headers)
        flow = requests.call(self._settings, capability, requests.given(params), options, events=on_progress is not None)
        return await self._complete(flow, on_progress)

    async def _read(self, method: str, path: str, options: RequestOptions, **rest: Any) -> Any:
        return await self._complete(requests.read(self._settings, method, path, Options(**options), **rest))

    async def _complete(self, flow: Flow[T], on_progress: Optional[OnProgressAsync] = None) -> T:
        steps = self._steps(flow)
        try:
            async for event in steps:
                if isinstance(event, Done):
                    return event.value
                if on_progress is not None:
                    awaited = on_progress(event)
                    if inspect.isawaitable(awaited):
                        await awaited
        finally:
            await steps.aclose()
        raise RuntimeError("a flow ended without a value")

    async def _steps(self, flow: Flow[T]) -> AsyncGenerator[Union[Progress, Done[T]], None]:
        """Performs the steps of a flow; closing this closes the connection, which ends the call at the gateway."""
        response: Optional[httpx.Response] = None
        chunks: Optional[AsyncIterator[bytes]] = None
        order: Optional[Order] = None
        error: Optional[BaseException] = None
        try:
            while True:
                try:
                    step = next(flow) if error is None else flow.throw(error)
                except StopIteration as end:
                    yield Done(end.value)
                    return
                error = None
                try:
                    if isinstance(step, Open):
                        order = step.order
                        request = step.request(self._http)
                        response = step.response = await self._http.send(request, stream=True, follow_redirects=order.follow)
                        chunks = response.aiter_bytes()
                    elif isinstance(step, Read) and chunks is not None:
                        step.chunk = await _following(chunks)
                    elif isinstance(step, ReadAll) and chunks is not None:
                        step.body = b"".join([chunk async for chunk in chunks])
                    elif isinstance(step, Pause):
                        if response is not None:
                            await response.aclose()
                        await asyncio.sleep(step.seconds)
                except httpx.RequestError as failure:
                    error = network_error(failure, order)
                if isinstance(step, Emit):
                    yield step.progress
        finally:
            if response is not None:
                await response.aclose()
            flow.close()


async def _following(chunks: AsyncIterator[bytes]) -> Optional[bytes]:
    """The next chunk; None at the end. (`anext` is newer than Python 3.9.)"""
    try:
        return await chunks.__anext__()
    except StopAsyncIteration:
        return None


#: A client with many threads or tasks waits for no connection of its own.
_LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=20)


def _made(
    api_key: Optional[str],
    base_url: Optional[str],
    timeout: Optional[float],
    max_retries: int,
    default_headers: Optional[Mapping[str, str]],
    local_files: bool,
) -> Settings:
    if os.environ.get("CAPSTAN_LOG") == "debug" and not any(isinstance(each, _StderrHandler) for each in LOGGER.handlers):
        LOGGER.addHandler(_StderrHandler())
        LOGGER.setLevel(logging.DEBUG)
        LOGGER.propagate = False
    return requests.settings(api_key, base_url, timeout=timeout, max_retries=max_retries, headers=default_headers, local_files=local_files)


class _StderrHandler(logging.Handler):
    """What CAPSTAN_LOG=debug prints: method, path, status, milliseconds, request id."""

    def emit(self, record: logging.LogRecord) -> None:
        print(f"capstan {record.getMessage()}", file=sys.stderr)
