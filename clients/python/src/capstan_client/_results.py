"""Progress and results of calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Awaitable, Callable, Dict, Generic, Mapping, Optional, TypeVar, Union

from typing_extensions import TypedDict

T = TypeVar("T")


@dataclass(frozen=True)
class Progress:
    """A step of a running call. `done` of `total` where the gateway counts; `raw` is the event as it came."""

    step: str
    detail: Optional[str]
    done: Optional[float]
    total: Optional[float]
    raw: Mapping[str, Any]


@dataclass(frozen=True)
class Result(Generic[T]):
    """The answer of a capability.

    `balance` is the credits of the account after the call, None where the gateway did not say. `raw` is the envelope as it
    came, `headers` those of the answer.
    """

    data: T
    metadata: Mapping[str, Any]
    credits_used: float
    request_id: str
    balance: Optional[float]
    headers: Mapping[str, str]
    raw: Dict[str, Any]


class CallOptions(TypedDict, total=False):
    """Options of each method, in addition to the parameters of its capability.

    on_progress: called with each Progress while the call runs; what it raises ends the call.
    idempotency_key: a key of your own, 1 to 255 printable ASCII characters. The call then runs on when you leave, and the
        same request under the same key is carried out and charged once.
    request_timeout: seconds to wait for this call.
    max_retries: retries of this call.
    extra_headers: headers of this request.
    """

    on_progress: Callable[[Progress], object]
    idempotency_key: str
    request_timeout: float
    max_retries: int
    extra_headers: Mapping[str, str]


class AsyncCallOptions(TypedDict, total=False):
    """Like CallOptions; `on_progress` may be a coroutine function."""

    on_progress: Callable[[Progress], Union[Awaitable[object], object]]
    idempotency_key: str
    request_timeout: float
    max_retries: int
    extra_headers: Mapping[str, str]


class RequestOptions(TypedDict, total=False):
    """Options of methods that do not call a capability."""

    request_timeout: float
    max_retries: int
    extra_headers: Mapping[str, str]
