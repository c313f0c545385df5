"""What the tests share. test/clients/python.spec.ts starts the gateways and says in the environment where they are."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import time
import uuid
from typing import Any, Callable, Dict, Iterator, List

import httpx
import pytest

from capstan_client import AsyncCapstan, Capstan
from loopback import Loopback


#: For what one interpreter does for all: the one that has what builds and checks the package.
tools = pytest.mark.skipif(os.environ.get("CAPSTAN_TEST_TOOLS") != "1", reason="another interpreter of this run does it")


class Blocking:
    """An asynchronous client, or a part of it, in the form of the other one: one test serves both."""

    def __init__(self, inner: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._inner = inner
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if callable(found):
            return lambda *args, **kwargs: self._here(found(*args, **kwargs))
        return Blocking(found, self._loop) if type(found).__module__.startswith("capstan_client") else found

    def _here(self, value: Any) -> Any:
        if inspect.isawaitable(value):
            return self._loop.run_until_complete(value)
        return Blocking(value, self._loop) if hasattr(value, "__aiter__") else value

    def __iter__(self) -> Iterator[Any]:
        events = self._inner.__aiter__()
        while True:
            try:
                yield self._loop.run_until_complete(events.__anext__())
            except StopAsyncIteration:
                return

    def __enter__(self) -> "Blocking":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class World:
    """The gateways of the run: `shipped` has every capability with a vendor that answers, `stage` a provider that the tests control."""

    def __init__(self) -> None:
        given = json.loads(os.environ["CAPSTAN_TEST_WORLD"])
        self.shipped: str = given["shipped"]
        self.stage: str = given["stage"]
        self.admin: str = given["admin"]
        self.control: str = given["control"]
        self.calls: Dict[str, Dict[str, Any]] = given["calls"]
        self.site: str = given["site"]

    def account(self, gateway: str, credits: float = 1_000_000, **order: Any) -> str:
        """A key of a new account with so many credits."""
        with httpx.Client(base_url=gateway, headers={"Authorization": f"Bearer {self.admin}"}) as http:
            made = http.post("/admin/v1/accounts", json={"name": "First Last", "credits": credits}).raise_for_status().json()
            wanted = {"rate_limit_per_minute": 100_000, **order}
            key: str = http.post(f"/admin/v1/accounts/{made['id']}/keys", json=wanted).raise_for_status().json()["key"]
            return key

    def state(self) -> Dict[str, Any]:
        """The inputs of the provider of the stage, the calls that wait there, and those that were cancelled."""
        found: Dict[str, Any] = httpx.get(f"{self.control}/state").raise_for_status().json()
        return found

    def release(self) -> None:
        """Continues the waiting calls."""
        httpx.post(f"{self.control}/release").raise_for_status()

    def resume(self) -> None:
        """Ends the suspensions of failed providers."""
        httpx.post(f"{self.control}/resume").raise_for_status()

    def fault(self, broken: bool) -> None:
        """Makes the stage fail to read accounts, or ends that."""
        httpx.post(f"{self.control}/fault", json={"broken": broken}).raise_for_status()

    def until(self, what: str, **wanted: Any) -> None:
        """Waits until `count` calls wait at the stage, or until the call with this `text` was cancelled."""
        httpx.post(f"{self.control}/until", json={"what": what, **wanted}, timeout=30).raise_for_status()


def eventually(holds: Callable[[], bool], seconds: float = 10) -> None:
    """Waits until a condition holds at the gateway; fails after so many seconds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not happen in time"


@pytest.fixture(scope="session")
def world() -> World:
    return World()


@pytest.fixture(scope="session")
def shipped_key(world: World) -> str:
    return world.account(world.shipped)


@pytest.fixture(scope="session")
def stage_key(world: World) -> str:
    return world.account(world.stage)


@pytest.fixture(params=["Capstan", "AsyncCapstan"])
def make(request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """Makes clients of the one kind and of the other, and closes them."""
    made: List[Any] = []
    loop = asyncio.new_event_loop()

    def client(**settings: Any) -> Any:
        one = Capstan(**settings) if request.param == "Capstan" else Blocking(AsyncCapstan(**settings), loop)
        made.append(one)
        return one

    yield client
    for each in made:
        each.close()
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()


@pytest.fixture
def client(make: Callable[..., Any], world: World, shipped_key: str) -> Any:
    """A client of the gateway with every capability."""
    return make(api_key=shipped_key, base_url=world.shipped)


@pytest.fixture
def stage(make: Callable[..., Any], world: World, stage_key: str) -> Any:
    """A client of the gateway whose capability `test.echo` has no method in this library."""
    return make(api_key=stage_key, base_url=world.stage)


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    server = Loopback()
    yield server
    server.close()


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> List[float]:
    """The pauses between attempts, which take no time."""
    waited: List[float] = []

    async def soon(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("capstan_client._client.time.sleep", waited.append)
    monkeypatch.setattr("capstan_client._client.asyncio.sleep", soon)
    return waited


@pytest.fixture
def fresh() -> str:
    """A text that no other test sends."""
    return uuid.uuid4().hex
