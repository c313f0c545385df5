"""Progress, streams, and calls that their caller leaves."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any, List

import pytest

from capstan_client import APITimeoutError, AsyncCapstan, Capstan, NoResultError, Progress, Result
from capstan_client._events import Event, EventReader
from conftest import World, eventually
from loopback import Loopback, Say, envelope, event


def test_progress_is_reported_and_the_result_is_the_same_as_without(stage: Any, fresh: str) -> None:
    seen: List[Progress] = []
    result = stage.run("test.echo", text=f"step {fresh}", mode="loud", on_progress=seen.append)
    steps = [(each.step, each.detail, each.done, each.total) for each in seen]
    assert steps == [("working", "half done", 1, 2), ("finishing", None, None, None)]
    assert result.data == {"text": f"step {fresh}"} and result.credits_used == 2
    assert result.balance == stage.account()["balance"]


def test_a_method_reports_progress_too(client: Any) -> None:
    seen: List[Progress] = []
    client.research("red kettle once more", enrich_entities=False, on_progress=seen.append)
    assert len(seen) > 2 and all(each.step for each in seen)


def test_a_stream_yields_progress_and_ends_with_the_result(stage: Any, fresh: str) -> None:
    events = list(stage.stream("test.echo", text=f"step {fresh}"))
    assert [type(each) for each in events] == [Progress, Progress, Result]
    assert events[-1].data == {"text": f"step {fresh}"}


def test_progress_comes_while_the_call_runs(stage: Any, world: World, fresh: str) -> None:
    with stage.stream("test.echo", text=f"step wait {fresh}") as events:
        assert next(iter(events)).step == "working"
        world.until("waiting", count=1)
        world.release()
        assert [type(each) for each in events] == [Progress, Result]


def test_closing_a_stream_ends_the_call_at_the_gateway_and_costs_nothing(stage: Any, world: World, fresh: str) -> None:
    before = stage.account()
    with stage.stream("test.echo", text=f"step wait {fresh}") as events:
        next(iter(events))
        world.until("waiting", count=1)
    world.until("aborted", text=f"step wait {fresh}")
    eventually(lambda: bool(stage.account() == before))
    eventually(lambda: bool(next(iter(stage.calls.list(limit=1)))["status"] == 499))
    last = next(iter(stage.calls.list(limit=1)))
    assert (last["aborted"], last["credits_used"]) == (True, 0)


def test_under_a_key_of_ones_own_the_call_runs_on_and_its_result_is_fetched_later(stage: Any, world: World, fresh: str) -> None:
    before = stage.account()["balance"]
    with stage.stream("test.echo", text=f"step wait {fresh}", idempotency_key=fresh) as events:
        next(iter(events))
        world.until("waiting", count=1)
    world.release()
    eventually(lambda: bool(stage.account()["held"] == 0))
    again = stage.run("test.echo", text=f"step wait {fresh}", idempotency_key=fresh)
    assert again.headers["idempotent-replayed"] == "true" and again.data == {"text": f"step wait {fresh}"}
    assert stage.account()["balance"] == before - 1


def test_what_the_callback_raises_ends_the_call_and_reaches_the_caller(stage: Any, world: World, fresh: str) -> None:
    def refuse(_: Progress) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        stage.run("test.echo", text=f"step wait {fresh}", on_progress=refuse)
    world.until("aborted", text=f"step wait {fresh}")


def test_the_time_limit_of_a_call_ends_it_at_the_gateway(stage: Any, world: World, fresh: str) -> None:
    with pytest.raises(APITimeoutError):
        stage.run("test.echo", text=f"wait {fresh}", request_timeout=0.3, max_retries=0)
    world.until("aborted", text=f"wait {fresh}")


def test_cancelling_a_task_ends_the_call_at_the_gateway(world: World, stage_key: str, fresh: str) -> None:
    async def leave() -> None:
        async with AsyncCapstan(api_key=stage_key, base_url=world.stage) as client:
            task = asyncio.ensure_future(client.run("test.echo", text=f"wait {fresh}"))
            await asyncio.get_running_loop().run_in_executor(None, lambda: world.until("waiting", count=1))
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.get_running_loop().run_in_executor(None, lambda: world.until("aborted", text=f"wait {fresh}"))

    asyncio.run(leave())


@pytest.mark.parametrize(
    "call",
    [
        "Capstan().run('test.echo', text=sys.argv[1])",
        "asyncio.run(AsyncCapstan().run('test.echo', text=sys.argv[1]))",
    ],
)
def test_an_interrupt_from_the_keyboard_ends_the_call_at_the_gateway(world: World, stage_key: str, fresh: str, call: str) -> None:
    program = f"import asyncio, sys; from capstan_client import AsyncCapstan, Capstan; {call}"
    env = {**os.environ, "CAPSTAN_URL": world.stage, "CAPSTAN_API_KEY": stage_key, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", program, f"wait {fresh}"], env=env, stderr=subprocess.PIPE, text=True) as child:
        world.until("waiting", count=1)
        child.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in child.communicate(timeout=30)[1]
    world.until("aborted", text=f"wait {fresh}")


def test_one_client_serves_many_threads(world: World, stage_key: str, fresh: str) -> None:
    with Capstan(api_key=stage_key, base_url=world.stage) as client, ThreadPoolExecutor(8) as pool:
        texts = [f"{fresh} {number}" for number in range(16)]
        assert [each.data["text"] for each in pool.map(lambda text: client.run("test.echo", text=text), texts)] == texts


def test_calls_of_one_client_run_side_by_side_and_a_callback_may_be_awaited(world: World, stage_key: str) -> None:
    async def both() -> List[str]:
        seen: List[str] = []

        async def note(progress: Progress) -> None:
            await asyncio.sleep(0)
            seen.append(progress.step)

        async with AsyncCapstan(api_key=stage_key, base_url=world.stage) as client:
            calls = [client.run("test.echo", text=f"step {number}", on_progress=note) for number in range(3)]
            assert [each.data["text"] for each in await asyncio.gather(*calls)] == ["step 0", "step 1", "step 2"]
        return seen

    assert sorted(asyncio.run(both())) == ["finishing"] * 3 + ["working"] * 3


def test_a_proxy_that_buffers_delays_progress_and_loses_nothing(make: Any, loopback: Loopback) -> None:
    step = event("progress", {"step": "working", "detail": None, "done": None, "total": None})
    whole = b": heartbeat\n\n" + step + event("result", envelope({"a": 1}))
    loopback.script = [Say(body=whole, headers={"Content-Type": "text/event-stream"})]
    events = list(make(api_key="cap_test", base_url=loopback.url).stream("search", query="a"))
    assert [type(each) for each in events] == [Progress, Result] and events[-1].data == {"a": 1}


def test_a_proxy_that_answers_without_events_gives_the_result_alone(make: Any, loopback: Loopback) -> None:
    loopback.script = [Say(body=envelope({"a": 1}))]
    client = make(api_key="cap_test", base_url=loopback.url)
    assert [type(each) for each in client.stream("search", query="a")] == [Result]
    assert loopback.requests[0].headers["accept"] == "text/event-stream"


def test_a_failure_in_a_stream_is_raised_where_it_is_read(stage: Any) -> None:
    with stage.stream("test.echo", text="missing") as events, pytest.raises(NoResultError):
        next(iter(events))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_events_are_read_from_chunks_of_any_size(size: int) -> None:
    text = ": note\r\n\r\nevent: a\r\ndata: {1}\r\rdata:two\ndata: lines é\n\nevent: lost\n\nid: 4\nevent: b\ndata\n\ndata: never ended"
    sent = text.encode()
    reader = EventReader()
    events = [each for at in range(0, len(sent), size) for each in reader.feed(sent[at : at + size])]
    assert events == [Event("a", "{1}"), Event("message", "two\nlines é"), Event("b", "")]


def test_a_result_of_many_megabytes_is_read_in_linear_time() -> None:
    reader = EventReader()
    list(reader.feed(b"event: result\ndata: "))
    for _ in range(20_000):
        assert list(reader.feed(b"x" * 1000)) == []
    (found,) = reader.feed(b"\n\n")
    assert len(found.data) == 20_000_000
