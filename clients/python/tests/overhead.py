"""Prints what the library adds to a call: its time less that of the same bytes sent by httpx alone, against an answer on loopback.

    PYTHONPATH=src:tests python3 tests/overhead.py
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from typing import Callable, List

import httpx

from capstan_client import Capstan
from loopback import Loopback, Say, envelope

CALLS = 500
WARM = 50
#: Milliseconds that a call may take beyond the plain request.
MOST = 2.0


def milliseconds(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


def main() -> int:
    server = Loopback()
    server.script = [Say(body=envelope({"title": "A page", "content": "x" * 4000}))]
    body = json.dumps({"url": "https://example.com"}).encode()
    headers = {"Authorization": "Bearer cap_test", "Content-Type": "application/json"}
    with httpx.Client() as http, Capstan(api_key="cap_test", base_url=server.url) as client:
        plain: List[float] = []
        ours: List[float] = []
        for _ in range(CALLS + WARM):
            # In turns, so that whatever else the machine does meets both.
            plain.append(milliseconds(lambda: http.post(f"{server.url}/v1/scrape", content=body, headers=headers).json()))
            ours.append(milliseconds(lambda: client.scrape("https://example.com")))
    server.close()
    one, other = statistics.median(plain[WARM:]), statistics.median(ours[WARM:])
    print(f"median of {CALLS}: httpx {one:.2f} ms, capstan_client {other:.2f} ms, added {other - one:.2f} ms (at most {MOST:g})")
    return 0 if other - one <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
