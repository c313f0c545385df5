"""Settings, logging, and answers and gateways of other versions."""

from __future__ import annotations

import asyncio
import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import httpx
import pytest

from capstan_client import AsyncCapstan, Capstan, CapstanError, __version__
from capstan_client import _requests
from capstan_client._generated import CAPABILITIES
from conftest import World
from loopback import Loopback, Say, envelope, problem

ROOT = pathlib.Path(__file__).resolve().parents[1]


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment without settings."""
    for name in ("CAPSTAN_API_KEY", "CAPSTAN_URL", "CAPSTAN_LOG"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_a_missing_key_is_an_error_that_names_the_variable(make: Any, bare: pytest.MonkeyPatch) -> None:
    for value in ("", " \n"):
        bare.setenv("CAPSTAN_API_KEY", value)
        with pytest.raises(CapstanError, match="CAPSTAN_API_KEY"):
            make()


def test_settings_come_from_arguments_then_from_the_environment(make: Any, bare: pytest.MonkeyPatch, loopback: Loopback) -> None:
    bare.setenv("CAPSTAN_API_KEY", "cap_environment\n")
    bare.setenv("CAPSTAN_URL", f"{loopback.url}/")
    make().search("a")
    make(api_key="cap_argument").search("a")
    assert [each.headers["authorization"] for each in loopback.requests] == ["Bearer cap_environment", "Bearer cap_argument"]
    assert [each.path for each in loopback.requests] == ["/v1/search"] * 2
    bare.delenv("CAPSTAN_URL")
    assert repr(Capstan()) == "Capstan(base_url='http://127.0.0.1:8420')"


@pytest.mark.parametrize(
    "settings, word",
    [
        ({"base_url": "127.0.0.1:8420"}, "http://"),
        ({"base_url": "http://[::1"}, "base_url"),
        ({"timeout": 0}, "timeout"),
        ({"max_retries": -1}, "max_retries"),
        ({"api_key": "cap_é"}, "api_key"),
        ({"api_key": "cap_a\nb"}, "api_key"),
        ({"default_headers": {"X-Team": "é"}}, "X-Team"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(make: Any, bare: pytest.MonkeyPatch, settings: Any, word: str) -> None:
    with pytest.raises(CapstanError, match=word) as raised:
        make(**{"api_key": "cap_test", **settings})
    assert "cap_" not in str(raised.value)


def test_what_a_request_carries(make: Any, loopback: Loopback) -> None:
    client = make(api_key="cap_test", base_url=loopback.url + "/prefix", default_headers={"X-Team": "a"})
    client.scrape("https://example.com", timeout=20, wait_for=None, extra_headers={"X-Run": "b"})
    received = loopback.requests[0]
    assert received.path == "/prefix/v1/scrape" and json.loads(received.body) == {"url": "https://example.com", "timeout": 20}
    assert received.headers["user-agent"].startswith(f"capstan-python/{__version__} python/")
    assert (received.headers["x-team"], received.headers["x-run"], received.headers["content-type"]) == ("a", "b", "application/json")
    with pytest.raises(CapstanError, match="request_timeout"):
        client.search("a", request_timeout=0)
    with pytest.raises(CapstanError, match="Idempotency-Key"):
        client.search("a", idempotency_key="é")
    with pytest.raises(TypeError, match="colour"):
        client.search("a", colour="red")


def test_the_limit_of_a_call_is_the_deadline_of_its_capability_and_five_seconds() -> None:
    at = _requests.settings("cap_test", "http://127.0.0.1", timeout=None, max_retries=0, headers=None, local_files=True)

    def seconds(capability: str, **options: Any) -> float:
        opening = next(_requests.call(at, capability, {}, _requests.Options(**options), events=False))
        return float(opening.order.seconds)  # type: ignore[union-attr]

    assert {seconds(capability) - known.deadline for capability, known in CAPABILITIES.items() if known.deadline is not None} == {5}
    assert (seconds("search"), seconds("research"), seconds("new.one")) == (35, 509, 605)
    assert seconds("search", request_timeout=2) == 2


def test_an_http_client_of_ones_own_is_used_and_left_open(loopback: Loopback) -> None:
    with httpx.Client(headers={"X-Own": "1"}) as http:
        with Capstan(api_key="cap_test", base_url=loopback.url, http_client=http) as client:
            client.search("a")
        assert not http.is_closed

    async def same() -> None:
        async with httpx.AsyncClient(headers={"X-Own": "1"}) as http:
            async with AsyncCapstan(api_key="cap_test", base_url=loopback.url, http_client=http) as client:
                await client.search("a")
            assert not http.is_closed

    asyncio.run(same())
    assert [each.headers["x-own"] for each in loopback.requests] == ["1", "1"]


@pytest.mark.parametrize("log", ["debug", ""])
def test_debug_prints_a_line_a_request_and_never_a_key(world: World, stage_key: str, log: str) -> None:
    program = """
from capstan_client import Capstan
with Capstan() as client, Capstan():
    client.run("test.echo", text="a")
    try:
        client.run("test.echo", text="missing")
    except Exception:
        pass
"""
    env = {"CAPSTAN_URL": world.stage, "CAPSTAN_API_KEY": stage_key, "CAPSTAN_LOG": log, "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run([sys.executable, "-c", program], env={**os.environ, **env}, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0 and ran.stdout == "", ran.stderr
    lines = ran.stderr.splitlines()
    if log == "":
        assert lines == []
        return
    assert len(lines) == 2 and stage_key not in ran.stderr
    for line, status in zip(lines, ("200", "422")):
        name, verb, path, code, ms, unit, request_id = line.split(" ")
        assert (name, verb, path, code, unit) == ("capstan", "POST", "/v1/agent", status, "ms") and int(ms) >= 0 and request_id != "-"


def test_fields_unknown_to_this_version_are_kept(make: Any, loopback: Loopback) -> None:
    newer = envelope({"url": "a", "newer": 1}, newer={"a": 1})
    newer["metadata"]["newer"] = True
    loopback.script = [Say(body=newer), Say(422, {**problem(422, "newer-problem"), "newer": 1})]
    client = make(api_key="cap_test", base_url=loopback.url)
    result = client.scrape("https://example.com")
    assert result.data["newer"] == 1 and result.metadata["newer"] is True and result.raw["newer"] == {"a": 1}
    with pytest.raises(CapstanError) as raised:
        client.scrape("https://example.com")
    assert type(raised.value).__name__ == "APIStatusError" and getattr(raised.value, "slug") == "newer-problem"


def test_an_older_gateway_that_says_less_is_enough(make: Any, loopback: Loopback) -> None:
    loopback.script = [Say(body={"success": True, "data": {"a": 1}}), Say(500, {"success": False, "error": {}})]
    client = make(api_key="cap_test", base_url=loopback.url)
    result = client.search("a")
    assert (result.data, result.metadata, result.credits_used, result.request_id, result.balance) == ({"a": 1}, {}, 0, "", None)
    with pytest.raises(CapstanError, match="HTTP status 500"):
        client.search("a")


def test_an_older_gateway_without_a_capability_names_the_path(stage: Any) -> None:
    with pytest.raises(CapstanError, match="404 not-found"):
        stage.search("a")
