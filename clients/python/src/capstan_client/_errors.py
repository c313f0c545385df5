"""Errors that calls raise."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Type, Union

from typing_extensions import TypedDict


class ValidationItem(TypedDict):
    """One fault of a request: where it is, what is wrong, and the rule it breaks."""

    loc: List[Union[str, int]]
    msg: str
    type: str


class CapstanError(Exception):
    """Base class of every error that this library raises."""


class APIConnectionError(CapstanError):
    """No answer came: the gateway could not be reached, or the connection broke. The cause is in `__cause__`."""


class APITimeoutError(APIConnectionError):
    """No answer came within the time limit of the call."""


class APIStatusError(CapstanError):
    """The gateway answered, and the call failed. Failed calls cost nothing.

    `slug` is the last part of `type`, the address of a page about this kind of error. `validation` lists the faults of the
    request, `attempts` the providers that were tried. Fields that an answer does not have are None or empty.
    """

    def __init__(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str], where: str) -> None:
        error = _mapping(body.get("error"))
        metadata = _mapping(body.get("metadata"))
        self.status = status
        self.type: Optional[str] = _text(error.get("type"))
        self.slug: Optional[str] = slug_of(body)
        self.title: str = _text(error.get("title")) or f"HTTP status {status}"
        self.detail: Optional[str] = _text(error.get("detail"))
        self.error_category: Optional[str] = _text(error.get("error_category"))
        self.is_retriable: bool = error.get("is_retriable") is True
        self.retry_after_seconds: Optional[float] = _number(error.get("retry_after_seconds"))
        self.alternative_action: Optional[str] = _text(error.get("alternative_action"))
        self.request_id: Optional[str] = _text(metadata.get("request_id")) or headers.get("x-request-id")
        self.attempts: List[Dict[str, Any]] = [item for item in _items(metadata.get("attempts")) if isinstance(item, dict)]
        self.validation: List[ValidationItem] = [
            {"loc": _items(item.get("loc")), "msg": str(item.get("msg", "")), "type": str(item.get("type", ""))}
            for item in _items(body.get("detail"))
            if isinstance(item, dict)
        ]
        self.headers: Mapping[str, str] = headers
        self.body: Mapping[str, Any] = body
        self.where = where
        super().__init__(self._message())

    def _message(self) -> str:
        kind = f"{self.status} {self.slug}" if self.slug is not None else str(self.status)
        sentences = [text for text in (self.detail, self.alternative_action) if text]
        text = " ".join(sentences) if sentences else f"{self.where} failed without saying why."
        support = "" if self.request_id is None else f" [request {self.request_id}]"
        return f"{self.title} ({kind}): {text}{support}"

    def __reduce__(self) -> Any:
        return type(self), (self.status, dict(self.body), dict(self.headers), self.where)


class BadRequestError(APIStatusError):
    """400: the request is malformed."""


class AuthenticationError(APIStatusError):
    """401: the API key is missing, mistyped, revoked or expired."""


class InsufficientCreditsError(APIStatusError):
    """402: the balance of the account is below the price of the call."""


class PermissionDeniedError(APIStatusError):
    """403: the scopes, addresses or caps of the key exclude the call."""


class NotFoundError(APIStatusError):
    """404: the path or an id in it is unknown."""


class ConflictError(APIStatusError):
    """409: a call with the same Idempotency-Key runs, or its outcome is unknown."""


class ValidationError(APIStatusError):
    """422 validation-failed: `validation` says what is wrong with which parameter."""


class TargetBlockedError(APIStatusError):
    """422 target-blocked: the page or file refused the request."""


class NoResultError(APIStatusError):
    """422 no-result: every provider was tried and none found anything."""


class RateLimitError(APIStatusError):
    """429: too many requests a minute, or too many at a time."""


class ProviderError(APIStatusError):
    """502 or 504: the providers failed, or the deadline of the call passed."""


class UnavailableError(APIStatusError):
    """503: the gateway or the capability cannot serve calls now."""


class InternalServerError(APIStatusError):
    """500: the gateway failed."""


def status_error(status: int, body: Mapping[str, Any], headers: Mapping[str, str], where: str) -> APIStatusError:
    """The error of a failed answer, in the class of its status and slug."""
    return _class_of(status, slug_of(body))(status, body, headers, where)


def slug_of(body: Mapping[str, Any]) -> Optional[str]:
    """The last part of the type of an error envelope; None when the body is no envelope."""
    kind = _text(_mapping(body.get("error")).get("type"))
    return None if kind is None else kind.rstrip("/").rsplit("/", 1)[-1]


def _class_of(status: int, slug: Optional[str]) -> Type[APIStatusError]:
    if status == 422:
        named: Dict[Optional[str], Type[APIStatusError]] = {
            "validation-failed": ValidationError,
            "target-blocked": TargetBlockedError,
            "no-result": NoResultError,
        }
        return named.get(slug, APIStatusError)
    numbered: Dict[int, Type[APIStatusError]] = {
        400: BadRequestError,
        401: AuthenticationError,
        402: InsufficientCreditsError,
        403: PermissionDeniedError,
        404: NotFoundError,
        409: ConflictError,
        429: RateLimitError,
        500: InternalServerError,
        502: ProviderError,
        503: UnavailableError,
        504: ProviderError,
    }
    return numbered.get(status, APIStatusError)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _items(value: object) -> List[Any]:
    return value if isinstance(value, list) else []


def _text(value: object) -> Optional[str]:
    return value if isinstance(value, str) and value != "" else None


def _number(value: object) -> Optional[float]:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None
