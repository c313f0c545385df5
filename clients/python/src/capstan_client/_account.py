"""`client.keys` and `client.calls`: the keys of the account and its call history."""

from __future__ import annotations

from typing import TYPE_CHECKING, AsyncIterator, Iterator, List, Optional, cast

from typing_extensions import Unpack

from . import _requests as requests
from ._generated import ApiKey, CallRecord, CallsQuery, CallStats, CreatedKey, DeletedKey, NewKey
from ._requests import Options
from ._results import RequestOptions

if TYPE_CHECKING:
    from ._client import AsyncCapstan, Capstan


class Keys:
    """`client.keys`: the API keys of the account."""

    def __init__(self, client: Capstan) -> None:
        self._client = client

    def list(self, **options: Unpack[RequestOptions]) -> List[ApiKey]:
        """Every active key, oldest first; the keys themselves are never shown again."""
        client = self._client
        return cast("List[ApiKey]", client._complete(requests.listed_keys(client._settings, Options(**options))))

    def create(self, **order: Unpack[NewKey]) -> CreatedKey:
        """A new key, shown this once as `key`. It never grants more than the key that creates it."""
        body, options = requests.split_options(order)
        return cast(CreatedKey, self._client._read("POST", "/v1/keys", options, body=body, repeatable=False))

    def revoke(self, key_id: str, **options: Unpack[RequestOptions]) -> DeletedKey:
        """Revokes a key; revoking it again gives the same answer."""
        return cast(DeletedKey, self._client._read("DELETE", requests.key_path(key_id), options))

    def rotate(self, key_id: str, *, overlap_seconds: int = 0, **options: Unpack[RequestOptions]) -> CreatedKey:
        """A new key in place of one, which stays valid for the overlap in seconds."""
        path, body = requests.key_path(key_id, "/rotate"), {"overlap_seconds": overlap_seconds}
        return cast(CreatedKey, self._client._read("POST", path, options, body=body, repeatable=False))


class AsyncKeys:
    """Like Keys."""

    def __init__(self, client: AsyncCapstan) -> None:
        self._client = client

    async def list(self, **options: Unpack[RequestOptions]) -> List[ApiKey]:
        """Every active key, oldest first; the keys themselves are never shown again."""
        client = self._client
        return cast("List[ApiKey]", await client._complete(requests.listed_keys(client._settings, Options(**options))))

    async def create(self, **order: Unpack[NewKey]) -> CreatedKey:
        """A new key, shown this once as `key`. It never grants more than the key that creates it."""
        body, options = requests.split_options(order)
        return cast(CreatedKey, await self._client._read("POST", "/v1/keys", options, body=body, repeatable=False))

    async def revoke(self, key_id: str, **options: Unpack[RequestOptions]) -> DeletedKey:
        """Revokes a key; revoking it again gives the same answer."""
        return cast(DeletedKey, await self._client._read("DELETE", requests.key_path(key_id), options))

    async def rotate(self, key_id: str, *, overlap_seconds: int = 0, **options: Unpack[RequestOptions]) -> CreatedKey:
        """A new key in place of one, which stays valid for the overlap in seconds."""
        path, body = requests.key_path(key_id, "/rotate"), {"overlap_seconds": overlap_seconds}
        return cast(CreatedKey, await self._client._read("POST", path, options, body=body, repeatable=False))


class Calls:
    """`client.calls`: the call history of the account."""

    def __init__(self, client: Capstan) -> None:
        self._client = client

    def list(self, **query: Unpack[CallsQuery]) -> Iterator[CallRecord]:
        """Every call, newest first. Pages of `limit` calls are fetched as the iterator reaches them."""
        wanted, options = requests.split_options(query)
        pages = requests.Pages(wanted)
        while pages.query is not None:
            yield from pages.take(self._client._read("GET", "/v1/calls", options, query=pages.query))

    def stats(self, *, days: Optional[int] = None, product: Optional[str] = None, **options: Unpack[RequestOptions]) -> CallStats:
        """Calls, credits and errors of the last days (7 by default), by day and by endpoint."""
        return cast(CallStats, self._client._read("GET", "/v1/calls/stats", options, query={"days": days, "product": product}))


class AsyncCalls:
    """Like Calls; `list` is iterated with `async for`."""

    def __init__(self, client: AsyncCapstan) -> None:
        self._client = client

    async def list(self, **query: Unpack[CallsQuery]) -> AsyncIterator[CallRecord]:
        """Every call, newest first. Pages of `limit` calls are fetched as the iterator reaches them."""
        wanted, options = requests.split_options(query)
        pages = requests.Pages(wanted)
        while pages.query is not None:
            for record in pages.take(await self._client._read("GET", "/v1/calls", options, query=pages.query)):
                yield record

    async def stats(self, *, days: Optional[int] = None, product: Optional[str] = None, **options: Unpack[RequestOptions]) -> CallStats:
        """Calls, credits and errors of the last days (7 by default), by day and by endpoint."""
        return cast(CallStats, await self._client._read("GET", "/v1/calls/stats", options, query={"days": days, "product": product}))
