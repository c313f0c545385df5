"""Each error class by an answer of a real gateway."""

from __future__ import annotations

import pickle
import threading
from typing import Any, Callable

import pytest

import capstan_client
from capstan_client import APIStatusError, CapstanError
from conftest import World

REMEDY = 20


@pytest.fixture(autouse=True)
def resumed(world: World) -> None:
    """Providers that an earlier test made fail are called again."""
    world.resume()


def caught(kind: str, status: int, slug: str, call: Callable[[], Any]) -> APIStatusError:
    """The error of a call, which is of exactly this class and says what to change."""
    with pytest.raises(APIStatusError) as raised:
        call()
    error = raised.value
    assert (type(error).__name__, error.status, error.slug) == (kind, status, slug), str(error)
    assert error.type is not None and error.type.endswith(f"/errors/{slug}")
    assert error.request_id and error.request_id in str(error)
    assert error.title in str(error) and error.detail and error.detail in str(error)
    assert error.alternative_action and len(error.alternative_action) > REMEDY and error.alternative_action in str(error)
    assert error.error_category
    return error


def test_401_a_key_that_is_wrong_and_one_that_was_revoked(make: Any, world: World) -> None:
    wrong = make(api_key="cap_wrong", base_url=world.stage)
    caught("AuthenticationError", 401, "invalid-api-key", lambda: wrong.run("test.echo", text="a"))
    key = world.account(world.stage)
    client = make(api_key=key, base_url=world.stage)
    client.keys.revoke(client.keys.list()[0]["id"])
    error = caught("AuthenticationError", 401, "invalid-api-key", lambda: client.run("test.echo", text="a"))
    assert key not in str(error) and not error.is_retriable


def test_402_an_account_out_of_credits(make: Any, world: World) -> None:
    client = make(api_key=world.account(world.stage, credits=0.5), base_url=world.stage)
    caught("InsufficientCreditsError", 402, "insufficient-credits", lambda: client.run("test.echo", text="a"))


def test_403_a_key_out_of_scope(make: Any, world: World) -> None:
    client = make(api_key=world.account(world.stage, scopes=["test.send"]), base_url=world.stage)
    caught("PermissionDeniedError", 403, "key-not-allowed", lambda: client.run("test.echo", text="a"))


def test_429_a_key_over_its_rate(make: Any, world: World) -> None:
    client = make(api_key=world.account(world.stage, rate_limit_per_minute=1), base_url=world.stage, max_retries=0)
    client.run("test.echo", text="a")
    error = caught("RateLimitError", 429, "rate-limited", lambda: client.run("test.echo", text="a"))
    assert error.is_retriable and error.retry_after_seconds is not None and error.retry_after_seconds > 0


def test_404_of_an_id_and_400_of_a_header(stage: Any) -> None:
    caught("NotFoundError", 404, "not-found", lambda: stage.keys.revoke("no/such key"))
    caught("BadRequestError", 400, "malformed-request", lambda: stage.run("test.echo", text="a", idempotency_key="k" * 300))


def test_409_a_call_under_a_key_that_runs(stage: Any, make: Any, world: World, stage_key: str, fresh: str) -> None:
    other = capstan_client.Capstan(api_key=stage_key, base_url=world.stage)
    running = threading.Thread(target=lambda: other.run("test.echo", text=f"wait {fresh}", idempotency_key=fresh))
    running.start()
    world.until("waiting", count=1)
    try:
        call = lambda: stage.run("test.echo", text=f"wait {fresh}", idempotency_key=fresh, max_retries=0)  # noqa: E731
        assert caught("ConflictError", 409, "idempotency-conflict", call).is_retriable
    finally:
        world.release()
        running.join()
        other.close()


def test_422_says_every_fault_of_the_parameters(stage: Any, client: Any) -> None:
    error = caught("ValidationError", 422, "validation-failed", lambda: stage.run("test.echo", {"text": 1, "colour": "red"}))
    assert sorted(str(item["loc"][-1]) for item in error.validation) == ["colour", "text"]
    assert all(item["loc"][:2] == ["body", "params"] for item in error.validation)
    assert all(item["msg"] and item["type"] for item in error.validation)
    mistyped = caught("ValidationError", 422, "validation-failed", lambda: client.run("serch", query="a"))
    assert "search" in str(mistyped)


def test_422_of_a_target_and_of_nothing_found(stage: Any) -> None:
    blocked = caught("TargetBlockedError", 422, "target-blocked", lambda: stage.run("test.echo", text="blocked"))
    assert [each["outcome"] for each in blocked.attempts] == ["blocked", "blocked"]
    caught("NoResultError", 422, "no-result", lambda: stage.run("test.echo", text="missing"))


def test_422_of_another_kind_is_the_class_of_all_statuses(make: Any, world: World, stage_key: str) -> None:
    client = make(api_key=stage_key, base_url=world.stage)
    caught("APIStatusError", 422, "answer-too-large", lambda: client.run("test.echo", text="huge"))


def test_500_a_fault_of_the_gateway(make: Any, world: World, stage_key: str) -> None:
    client = make(api_key=stage_key, base_url=world.stage, max_retries=0)
    world.fault(True)
    try:
        caught("InternalServerError", 500, "internal", client.account)
    finally:
        world.fault(False)


def test_502_and_503(make: Any, world: World, stage_key: str) -> None:
    client = make(api_key=stage_key, base_url=world.stage, max_retries=0)
    failed = caught("ProviderError", 502, "providers-failed", lambda: client.run("test.echo", text="broken"))
    assert [each["outcome"] for each in failed.attempts] == ["broken", "broken"]
    caught("UnavailableError", 503, "capability-unavailable", lambda: client.run("test.send", text="a"))


def test_an_error_of_a_stream_is_the_same_as_without_one(stage: Any) -> None:
    for progress in (None, lambda _: None):
        caught("NoResultError", 422, "no-result", lambda: stage.run("test.echo", text="missing", on_progress=progress))
    with pytest.raises(capstan_client.NoResultError):
        list(stage.stream("test.echo", text="missing"))


def test_errors_survive_a_process_pool(stage: Any) -> None:
    error = caught("TargetBlockedError", 422, "target-blocked", lambda: stage.run("test.echo", text="blocked"))
    copied = pickle.loads(pickle.dumps(error))
    assert type(copied) is type(error) and str(copied) == str(error) and copied.attempts == error.attempts


def test_every_error_has_the_one_base_class() -> None:
    names = [name for name in capstan_client.__all__ if name.endswith("Error")]
    assert len(names) == 17 and all(issubclass(getattr(capstan_client, name), CapstanError) for name in names)
