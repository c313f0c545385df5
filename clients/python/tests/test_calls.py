"""Every capability through its own method, and what surrounds the calls."""

from __future__ import annotations

import inspect
import json
from typing import Any, Dict, List

import pytest

from capstan_client import Capstan, Result
from capstan_client._generated import CAPABILITIES
from conftest import World, tools
from loopback import Loopback

SHORT = {"emails.verify": "verify_email", "emails.find": "find_emails"}


def method(client: Any, capability: str) -> Any:
    found = client
    for part in capability.split("."):
        found = getattr(found, part)
    return found


def test_every_method_sends_its_parameters_to_the_path_of_its_capability(make: Any, loopback: Loopback, world: World) -> None:
    client = make(api_key="cap_test", base_url=loopback.url)
    for capability, params in world.calls.items():
        method(client, capability)(**params)
        received = loopback.requests[-1]
        assert (received.method, received.path, json.loads(received.body)) == ("POST", CAPABILITIES[capability].path, params)


@tools
def test_every_capability_of_the_gateway_has_a_method_that_returns_its_result(world: World, shipped_key: str) -> None:
    client = Capstan(api_key=shipped_key, base_url=world.shipped)
    assert set(world.calls) == set(CAPABILITIES)
    balance = client.account()["balance"]
    spent = 0.0
    for capability, params in world.calls.items():
        result = method(client, capability)(**params)
        assert isinstance(result, Result), capability
        assert result.data and result.raw["success"] is True, capability
        assert result.credits_used > 0 and result.request_id and result.metadata["providers_tried"] is not None, capability
        assert result.balance is not None and result.headers["x-request-id"] == result.request_id, capability
        spent += result.credits_used
    assert client.account()["balance"] == pytest.approx(balance - spent)
    client.close()


def test_the_short_methods_take_their_first_parameter_without_its_name(client: Any, world: World) -> None:
    page = client.scrape(f"{world.site}/page", mode="fast")
    assert page.data["title"] == "Kettles" and page.credits_used == 1
    assert client.search("red kettle", mode="serp").data["organic_results"]
    assert client.verify_email("first.last@example.com").data["status"] == "valid"
    assert client.find_emails(first_name="First", last_name="Last", domain="example.com").data["email"]
    assert client.research("red kettle", enrich_entities=False).data["sources"]
    assert client.domains(mode="check-availability", domains=["free9.shop"]).data


SERP = {"query": "red kettle", "mode": "serp"}


@pytest.mark.parametrize("params, named", [(SERP, {}), ({}, SERP), ({"query": "red kettle"}, {"mode": "serp"})])
def test_run_takes_a_mapping_named_arguments_or_both(client: Any, params: Dict[str, Any], named: Dict[str, Any]) -> None:
    assert client.run("search", params, **named).metadata["mode_used"] == "serp"


def test_run_calls_a_tool_by_the_name_that_a_model_gives_it(client: Any) -> None:
    assert client.run("emails_verify", {"email": "first.last@example.com"}).data["status"] == "valid"
    assert next(iter(client.calls.list(limit=1)))["via"] is None


def test_run_reaches_a_capability_unknown_to_this_version(stage: Any, fresh: str) -> None:
    assert "test.echo" not in CAPABILITIES
    result = stage.run("test.echo", text=fresh)
    assert result.data == {"text": fresh}
    assert next(iter(stage.calls.list(limit=1)))["via"] == "/v1/agent"


def test_the_same_request_under_a_key_of_ones_own_is_charged_once(stage: Any, fresh: str) -> None:
    before = stage.account()["balance"]
    first = stage.run("test.echo", text=fresh, idempotency_key=fresh)
    again = stage.run("test.echo", text=fresh, idempotency_key=fresh)
    assert again.headers["idempotent-replayed"] == "true" and again.raw == first.raw
    assert stage.account()["balance"] == before - first.credits_used


def test_keys_are_listed_created_rotated_and_revoked(client: Any, make: Any, world: World) -> None:
    made = client.keys.create(name="for the test", scopes=["search"], credit_limit=5, expires_in_days=1)
    assert made["key"].startswith(made["key_prefix"]) and made["scopes"] == ["search"]
    assert made["id"] in [each["id"] for each in client.keys.list()]
    turned = client.keys.rotate(made["id"], overlap_seconds=60)
    assert turned["key"] != made["key"] and turned["name"] == "for the test"
    assert make(api_key=turned["key"], base_url=world.shipped).account()["balance"] > 0
    assert client.keys.revoke(turned["id"])["success"] is True
    assert turned["id"] not in [each["id"] for each in client.keys.list()]


def test_the_call_history_pages_itself_and_has_its_sums(make: Any, world: World) -> None:
    client = make(api_key=world.account(world.stage), base_url=world.stage)
    for number in range(5):
        client.run("test.echo", text=f"call {number}")
    listed = list(client.calls.list(limit=2, endpoint="test.echo"))
    assert len({each["id"] for each in listed}) == 5
    assert [each["created_at"] for each in listed] == sorted((each["created_at"] for each in listed), reverse=True)
    stats = client.calls.stats(days=1)
    assert stats["totals"]["calls"] == 5 and stats["days"] == 1


def test_an_estimate_says_the_price_and_charges_nothing(client: Any) -> None:
    before = client.account()["balance"]
    priced = client.estimate("search", {"query": "red kettle"}, mode="deep")
    assert priced["credits"] == 3 and priced["breakdown"] == [{"item": "deep", "credits": 3}]
    assert client.account()["balance"] == before


def test_discovery_lists_capabilities_and_tools(client: Any) -> None:
    assert {each["id"] for each in client.capabilities()} == set(CAPABILITIES)
    names = {each["function"]["name"] for each in client.tools("openai")}
    assert names == {capability.replace(".", "_") for capability in CAPABILITIES}
    assert [each["name"] for each in client.tools("claude", single=True)] == ["capstan"]


def test_the_playground_proposes_a_call_after_what_was_said_before(client: Any) -> None:
    answer = client.playground("and in png", [{"role": "user", "content": "screenshot of https://example.com"}])
    assert set(answer) >= {"reply", "capability", "params", "credits", "curl"}
    assert client.playground("take a screenshot of https://example.com")["capability"] == "screenshots.capture"


def test_every_parameter_and_option_of_a_method_is_named_as_in_the_api() -> None:
    scrape: List[str] = list(inspect.signature(Capstan.scrape).parameters)
    assert scrape[:2] == ["self", "url"] and {"mode", "output", "wait_for", "timeout"} <= set(scrape)
