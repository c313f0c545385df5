"""Client of a Capstan gateway: see README.md, or `help(Capstan)`."""

from ._client import AsyncCapstan, AsyncStream, Capstan, Stream
from ._errors import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    AuthenticationError,
    BadRequestError,
    CapstanError,
    ConflictError,
    InsufficientCreditsError,
    InternalServerError,
    NoResultError,
    NotFoundError,
    PermissionDeniedError,
    ProviderError,
    RateLimitError,
    TargetBlockedError,
    UnavailableError,
    ValidationError,
    ValidationItem,
)
from ._files import FileInput
from ._results import Progress, Result
from ._version import VERSION as __version__

__all__ = [
    "APIConnectionError",
    "APIStatusError",
    "APITimeoutError",
    "AsyncCapstan",
    "AsyncStream",
    "AuthenticationError",
    "BadRequestError",
    "Capstan",
    "CapstanError",
    "ConflictError",
    "FileInput",
    "InsufficientCreditsError",
    "InternalServerError",
    "NoResultError",
    "NotFoundError",
    "PermissionDeniedError",
    "Progress",
    "ProviderError",
    "RateLimitError",
    "Result",
    "Stream",
    "TargetBlockedError",
    "UnavailableError",
    "ValidationError",
    "ValidationItem",
    "__version__",
]
