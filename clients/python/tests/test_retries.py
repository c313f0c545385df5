"""Retries against a server that fails on purpose."""

from __future__ import annotations

import threading
import time
from typing import Any, Iterator, List

import pytest

from capstan_client import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    CapstanError,
    InternalServerError,
    ProviderError,
    RateLimitError,
    UnavailableError,
)
from loopback import SILENCE, Loopback, Say, closed_port, envelope, event, problem

PAGE = b"<html><body><h1>502 Bad Gateway</h1></body></html>"


def made(make: Any, loopback: Loopback, **more: Any) -> Any:
    return make(api_key="cap_test", base_url=loopback.url, **more)


def test_an_answer_that_is_retriable_is_retried_under_the_same_key(make: Any, loopback: Loopback, pauses: List[float]) -> None:
    loopback.script = [Say(502, problem(502, "providers-failed", retriable=True)), SILENCE, Say(body=envelope({"url": "a"}))]
    assert made(make, loopback).scrape("https://example.com").data == {"url": "a"}
    assert [each.path for each in loopback.requests] == ["/v1/scrape"] * 3
    assert len({each.headers["idempotency-key"] for each in loopback.requests}) == 1
    assert {each.headers["prefer"] for each in loopback.requests} == {"cancel-on-disconnect"}
    assert len({each.body for each in loopback.requests}) == 1
    assert 0.375 <= pauses[0] <= 0.625 and 0.75 <= pauses[1] <= 1.25


def test_two_calls_have_two_keys_and_a_key_of_ones_own_goes_without_prefer(make: Any, loopback: Loopback) -> None:
    client = made(make, loopback)
    for _ in range(2):
        client.search("a")
    client.search("a", idempotency_key="own")
    keys = [each.headers["idempotency-key"] for each in loopback.requests]
    assert len(set(keys)) == 3 and keys[2] == "own" and "prefer" not in loopback.requests[2].headers


@pytest.mark.parametrize(
    "status, slug", [(422, "no-result"), (402, "insufficient-credits"), (503, "capability-unavailable"), (409, "idempotency-conflict")]
)
def test_an_answer_that_is_not_retriable_is_requested_once(
    make: Any, loopback: Loopback, pauses: List[float], status: int, slug: str
) -> None:
    loopback.script = [Say(status, problem(status, slug))]
    with pytest.raises(APIStatusError):
        made(make, loopback).search("a")
    assert len(loopback.requests) == 1 and pauses == []


def test_a_deadline_that_passed_at_the_gateway_is_a_provider_error(make: Any, loopback: Loopback) -> None:
    loopback.script = [Say(504, problem(504, "deadline-exceeded", retriable=True))]
    with pytest.raises(ProviderError) as raised:
        made(make, loopback, max_retries=0).search("a")
    assert (raised.value.status, raised.value.slug) == (504, "deadline-exceeded")


def test_it_waits_as_long_as_the_answer_says(make: Any, loopback: Loopback, pauses: List[float]) -> None:
    later = Say(429, problem(429, "rate-limited", retriable=True, retry_after_seconds=3))
    loopback.script = [later, later._replace(headers={"Retry-After": "2"}), Say(body=envelope())]
    made(make, loopback).search("a")
    assert pauses == [3, 2]


def test_it_does_not_wait_longer_than_a_minute(make: Any, loopback: Loopback, pauses: List[float]) -> None:
    loopback.script = [Say(429, problem(429, "rate-limited", retriable=True), {"Retry-After": "61"})]
    with pytest.raises(RateLimitError):
        made(make, loopback).search("a")
    assert pauses == [] and len(loopback.requests) == 1


@pytest.mark.parametrize(
    "settings, options, attempts", [({}, {}, 3), ({"max_retries": 0}, {}, 1), ({"max_retries": 4}, {"max_retries": 1}, 2)]
)
def test_the_number_of_retries_is_a_setting_of_client_and_call(
    make: Any, loopback: Loopback, pauses: List[float], settings: Any, options: Any, attempts: int
) -> None:
    loopback.script = [Say(500, problem(500, "internal", retriable=True))]
    with pytest.raises(InternalServerError):
        made(make, loopback, **settings).search("a", **options)
    assert len(loopback.requests) == attempts and len(pauses) == attempts - 1


@pytest.mark.parametrize("status, attempts", [(502, 3), (503, 3), (504, 3), (500, 1), (404, 1), (413, 1)])
def test_a_page_of_a_proxy_is_retried_where_it_passes(
    make: Any, loopback: Loopback, pauses: List[float], status: int, attempts: int
) -> None:
    loopback.script = [Say(status, PAGE, {"Content-Type": "text/html"})]
    with pytest.raises(APIStatusError) as raised:
        made(make, loopback).search("a")
    assert len(loopback.requests) == attempts
    assert raised.value.status == status and "502 Bad Gateway" in str(raised.value) and raised.value.slug is None
    if status in (502, 504):
        assert isinstance(raised.value, ProviderError)
    if status == 503:
        assert isinstance(raised.value, UnavailableError)


@pytest.mark.parametrize(
    "answer",
    [Say(200, PAGE, {"Content-Type": "text/html"}), Say(200, {"hello": "world"}), Say(200, b"[]", {"Content-Type": "application/json"})],
)
def test_a_page_instead_of_an_answer_is_an_error_that_quotes_it(make: Any, loopback: Loopback, answer: Say) -> None:
    loopback.script = [answer]
    with pytest.raises(CapstanError) as raised:
        made(make, loopback).search("a")
    assert "base_url" in str(raised.value) and len(loopback.requests) == 1
    if answer.body == PAGE:
        assert "502 Bad Gateway" in str(raised.value)


def test_a_redirect_names_the_address_to_set(make: Any, loopback: Loopback) -> None:
    loopback.script = [Say(308, b"", {"Location": "https://gateway.example/v1/search"})]
    with pytest.raises(APIStatusError, match="https://gateway.example/v1/search.*base_url"):
        made(make, loopback).search("a")
    assert len(loopback.requests) == 1


@pytest.mark.parametrize("cut", [True, False])
def test_a_stream_that_ends_before_its_result_is_retried_under_the_same_key(
    make: Any, loopback: Loopback, pauses: List[float], cut: bool
) -> None:
    kind = {"Content-Type": "text/event-stream; charset=utf-8"}
    step = event("progress", {"step": "working", "detail": None, "done": 1, "total": 2})
    broken = Say(headers=kind, chunks=[step, b": heart"], cut=cut)
    loopback.script = [broken, Say(headers=kind, chunks=[event("result", envelope({"a": 1}))])]
    seen: List[Any] = []
    assert made(make, loopback).search("a", on_progress=seen.append).data == {"a": 1}
    assert [each.step for each in seen] == ["working"] and len(pauses) == 1
    assert len({each.headers["idempotency-key"] for each in loopback.requests}) == 1


def test_an_answer_that_breaks_off_is_retried(make: Any, loopback: Loopback, pauses: List[float]) -> None:
    loopback.script = [Say(body=envelope(), cut=True), Say(body=envelope({"a": 1}))]
    assert made(make, loopback).search("a").data == {"a": 1}


def test_a_time_out_is_retried_and_then_raised(make: Any, loopback: Loopback, pauses: List[float]) -> None:
    held: List[Any] = []
    gate = threading.Event()

    def hold(received: Any) -> Say:
        held.append(received)
        gate.wait(10)
        return SILENCE

    loopback.script = [hold]
    with pytest.raises(APITimeoutError, match="0.1 seconds.*request_timeout"):
        made(make, loopback).search("a", request_timeout=0.1)
    gate.set()
    assert len(held) == 3


def test_a_stream_that_never_ends_is_ended_by_the_time_limit(make: Any, loopback: Loopback) -> None:
    began = time.monotonic()

    def beats() -> Iterator[bytes]:
        while time.monotonic() - began < 10:
            yield b": heartbeat\n\n"

    loopback.script = [lambda _: Say(headers={"Content-Type": "text/event-stream"}, chunks=beats())]
    with pytest.raises(APITimeoutError):
        list(made(make, loopback, timeout=0.2, max_retries=0).stream("search", query="a"))


def test_nobody_listens(make: Any, pauses: List[float]) -> None:
    url = f"http://127.0.0.1:{closed_port()}"
    with pytest.raises(APIConnectionError, match=f"{url}.*CAPSTAN_URL") as raised:
        make(api_key="cap_test", base_url=url).search("a")
    assert raised.value.__cause__ is not None and len(pauses) == 2


def test_an_unknown_host_name(make: Any, pauses: List[float]) -> None:
    with pytest.raises(APIConnectionError, match="gateway.invalid"):
        make(api_key="cap_test", base_url="http://gateway.invalid", max_retries=0).search("a")


def test_a_new_key_is_not_made_twice_when_the_answer_is_lost(make: Any, loopback: Loopback, pauses: List[float]) -> None:
    loopback.script = [SILENCE]
    client = made(make, loopback)
    with pytest.raises(APIConnectionError):
        client.keys.create(name="a")
    with pytest.raises(APIConnectionError):
        client.keys.rotate("key_1")
    assert [each.path for each in loopback.requests] == ["/v1/keys", "/v1/keys/key_1/rotate"]
    with pytest.raises(APIConnectionError):
        client.keys.list()
    assert len(loopback.requests) == 5
