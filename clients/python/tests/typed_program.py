"""A program of a user, as `mypy --strict` has to accept it; what has to be refused says so."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Optional

from typing_extensions import assert_type

from capstan_client import APIStatusError, AsyncCapstan, Capstan, Progress, RateLimitError, Result, ValidationError


def show(progress: Progress) -> None:
    print(progress.step, progress.done, progress.total)


def main() -> None:
    with Capstan(api_key="cap_…", timeout=30, max_retries=1, default_headers={"X-Team": "a"}) as client:
        page = client.scrape("https://example.com", mode="fast", timeout=20, request_timeout=40.0)
        assert_type(page.data["title"], Optional[str])
        assert_type(page.data["description"], Optional[str])
        assert_type(page.credits_used, float)
        assert_type(client.verify_email("someone@example.com").data["status"].upper(), str)
        found = client.search("heat pumps in winter", mode="ai", num_results=5, on_progress=show, idempotency_key="one")
        for each in found.data["organic_results"]:
            assert_type(each["url"], str)
        report = client.research("What limits heat pumps in winter?", depth="deep", on_progress=print).data["report"]
        print(report)
        client.find_emails(first_name="First", last_name="Last", domain="example.com")
        with open("invoice.pdf", "rb") as file:
            for document in ("invoice.pdf", Path("invoice.pdf"), b"%PDF-", file):
                print(client.invoices.parse(document_url=document).data["total_amount"])
        print(client.run("sites.intel", {"domain": "example.com"}, mode="dns").data["dns"])
        for event in client.stream("research", query="heat pumps"):
            if isinstance(event, Progress):
                print(event.detail)
            else:
                print(event.data)
        key = client.keys.create(name="ci", scopes=["search"], rate_limit_per_minute=10)
        client.keys.revoke(client.keys.rotate(key["id"], overlap_seconds=60)["id"])
        assert_type([each["credits_used"] for each in client.calls.list(days=7, limit=100)], "list[float]")
        assert_type(client.account()["balance"], float)
        assert_type(client.estimate("search", mode="deep")["credits"], float)
        assert_type(client.download(client.upload(b"a")["file_url"], "a.bin"), int)
        print(client.calls.stats(days=1)["totals"]["calls"], client.playground("search for a")["capability"], client.tools("mcp"))

        client.search("a", mode="fast")  # type: ignore[arg-type]
        client.search("a", colour="red")  # type: ignore[call-arg]
        client.find_emails(first_name="First")  # type: ignore[call-arg]
        client.keys.create(name=1)  # type: ignore[arg-type]
        page.data["titel"]  # type: ignore[typeddict-item]


def careful(client: Capstan) -> Optional[Result[object]]:
    try:
        return client.run("search", query="a")
    except RateLimitError as error:
        print(error.retry_after_seconds, error.headers["retry-after"])
    except ValidationError as error:
        print([(item["loc"], item["msg"], item["type"]) for item in error.validation])
    except APIStatusError as error:
        print(error.status, error.slug, error.detail, error.alternative_action, error.request_id)
    return None


async def side_by_side() -> None:
    async with AsyncCapstan() as client:
        page = await client.scrape("https://example.com")
        assert_type(page.data["title"], Optional[str])
        for found in await asyncio.gather(*(client.sites.intel(domain=name, mode="dns") for name in ("example.com", "example.org"))):
            assert_type(found.data["domain"], str)
        async for event in client.stream("research", query="a"):
            print(event)
        async for call in client.calls.list():
            assert_type(call["credits_used"], float)


if __name__ == "__main__":
    main()
    asyncio.run(side_by_side())
