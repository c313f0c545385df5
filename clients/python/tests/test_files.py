"""Local files where a parameter takes an address, and results that are saved."""

from __future__ import annotations

import io
import os
import pathlib
import re
import struct
import subprocess
import sys
import zlib
from typing import Any

import pytest

from capstan_client import APIConnectionError, APIStatusError, CapstanError
from conftest import World, tools
from loopback import SILENCE, Loopback, Say, envelope


def png() -> bytes:
    """A picture of one red pixel."""

    def part(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", zlib.compress(b"\0\xff\0\0")) + part(b"IEND", b"")


PNG = png()
LINK = Say(body=envelope({"file_url": "http://gateway.example/f/1", "file_name": "a", "file_size": 1}))
MEGABYTE = 1024 * 1024
#: A client that sends a file whole would need its 100 MiB; what is left is for buffers.
MOST_GROWTH = 24 * MEGABYTE


@pytest.mark.parametrize("form", ["text", "path", "bytes", "file"])
def test_a_file_is_uploaded_and_its_link_used(client: Any, tmp_path: pathlib.Path, form: str) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(PNG)
    with path.open("rb") as opened:
        given = {"text": str(path), "path": path, "bytes": PNG, "file": opened}[form]
        result = client.files.convert(file_url=given, source_format="png", target_format="webp")
        assert not opened.closed
    assert result.data["file_name"].endswith(".webp")
    saved = tmp_path / "saved.webp"
    assert client.download(result.data["file_url"], saved) == result.data["file_size"] == saved.stat().st_size
    assert saved.read_bytes()[8:12] == b"WEBP"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["picture.png", "saved.webp"]


def test_upload_gives_a_link_for_any_parameter(client: Any) -> None:
    uploaded = client.upload(PNG)
    assert uploaded["content_type"] == "image/png" and uploaded["file_size"] == len(PNG)
    result = client.run("files.convert", file_url=uploaded["file_url"], source_format="png", target_format="jpg")
    into = io.BytesIO()
    assert client.download(result.data["file_url"], into) == len(into.getvalue()) > 0


def test_an_open_file_is_sent_from_its_current_position(make: Any, loopback: Loopback) -> None:
    loopback.script = [LINK, Say(body=envelope())]
    source = io.BytesIO(b"head: rest")
    source.seek(6)
    make(api_key="cap_test", base_url=loopback.url).invoices.parse(document_url=source)
    assert b"\r\n\r\nrest\r\n--" in loopback.requests[0].body and loopback.requests[0].path == "/v1/files"
    assert b'"document_url":"http://gateway.example/f/1"' in loopback.requests[1].body


def test_a_file_is_sent_whole_again_after_a_broken_connection(make: Any, loopback: Loopback, tmp_path: pathlib.Path, pauses: Any) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7")
    loopback.script = [SILENCE, LINK, Say(body=envelope())]
    make(api_key="cap_test", base_url=loopback.url).invoices.parse(document_url=tmp_path / "a.pdf")
    assert [b'filename="a.pdf"' in each.body and b"%PDF-1.7" in each.body for each in loopback.requests] == [True, True, False]


def test_a_file_that_cannot_be_read_twice_is_sent_once(make: Any, loopback: Loopback, pauses: Any) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"%PDF-1.7")
    os.close(writing)
    loopback.script = [Say(503, b"away"), LINK]
    with os.fdopen(reading, "rb") as pipe, pytest.raises(APIStatusError):
        make(api_key="cap_test", base_url=loopback.url).invoices.parse(document_url=pipe)
    assert len(loopback.requests) == 1 and b"%PDF-1.7" in loopback.requests[0].body


def test_texts_that_are_neither_address_nor_file_say_so(make: Any, loopback: Loopback, tmp_path: pathlib.Path) -> None:
    client = make(api_key="cap_test", base_url=loopback.url)
    for text in ("no-such-file.pdf", "/no/such/file.pdf", "", "\0"):
        with pytest.raises(CapstanError, match="document_url: .* is neither an address .* nor a file"):
            client.invoices.parse(document_url=text)
    with pytest.raises(FileNotFoundError):
        client.invoices.parse(document_url=tmp_path / "no-such-file.pdf")
    assert loopback.requests == []
    client.profiles.find(linkedin_url="linkedin.com/in/someone")
    assert b'"linkedin_url":"linkedin.com/in/someone"' in loopback.requests[0].body


def test_with_local_files_off_texts_are_sent_as_they_are(make: Any, loopback: Loopback, tmp_path: pathlib.Path) -> None:
    (tmp_path / "a").write_text("secret")
    careful = make(api_key="cap_test", base_url=loopback.url, local_files=False)
    careful.run("images.remove_background", {"image_url": str(tmp_path / "a"), "\0": "\0"})
    careful.profiles.find(linkedin_url="\0")
    assert [each.path for each in loopback.requests] == ["/v1/images/remove-background", "/v1/profiles/find"]
    assert b"secret" not in loopback.requests[0].body


def test_what_is_no_file_says_so(make: Any, loopback: Loopback, tmp_path: pathlib.Path) -> None:
    client = make(api_key="cap_test", base_url=loopback.url)
    (tmp_path / "a").write_text("a")
    with (tmp_path / "a").open() as text, pytest.raises(CapstanError, match="document_url.*'rb'"):
        client.invoices.parse(document_url=text)
    with pytest.raises(CapstanError, match="JSON"):
        client.documents.extract(url=b"bytes", extraction_prompt="a")
    assert loopback.requests == []


def test_no_key_goes_to_a_link_and_nothing_half_is_left(make: Any, loopback: Loopback, tmp_path: pathlib.Path, pauses: Any) -> None:
    client = make(api_key="cap_test", base_url=loopback.url)
    loopback.script = [Say(body=b"whole", cut=True), Say(302, headers={"Location": "/elsewhere"}), Say(body=b"whole")]
    assert client.download("/f/1", tmp_path / "a") == 5
    assert all("authorization" not in each.headers for each in loopback.requests)
    into = io.BytesIO(b"kept ")
    into.seek(5)
    loopback.requests.clear()
    client.download(f"{loopback.url}/f/1", into)
    assert into.getvalue() == b"kept whole"
    loopback.script = [Say(body=b"whole", cut=True)]
    with pytest.raises(APIConnectionError):
        client.download("/f/1", tmp_path / "b")
    loopback.script = [Say(404, b"gone")]
    with pytest.raises(APIStatusError):
        client.download("/f/1", tmp_path / "b")
    with pytest.raises(CapstanError, match="no web address"):
        client.download("ftp://example.com/a", tmp_path / "b")
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


def test_a_file_that_is_too_large_is_refused_with_the_answer_of_the_gateway(stage: Any, tmp_path: pathlib.Path) -> None:
    big = tmp_path / "big.bin"
    with big.open("wb") as file:
        file.truncate(16 * MEGABYTE)
    with pytest.raises(APIStatusError, match="413 payload-too-large"):
        stage.upload(big)


@tools
@pytest.mark.parametrize("kind", ["Capstan", "AsyncCapstan"])
def test_an_upload_of_100_mebibytes_takes_bounded_memory(world: World, shipped_key: str, tmp_path: pathlib.Path, kind: str) -> None:
    big = tmp_path / "big.bin"
    with big.open("wb") as file:
        file.truncate(100 * MEGABYTE)
    program = f"""
import asyncio, resource, sys
from capstan_client import {kind} as Client
client = Client(max_retries=0)
def done(value):
    return asyncio.get_event_loop().run_until_complete(value) if asyncio.iscoroutine(value) else value
asyncio.set_event_loop(asyncio.new_event_loop())
done(client.upload(b"warm"))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
size = done(client.upload({str(big)!r}))["file_size"]
print(size, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024)
"""
    env = {**os.environ, "CAPSTAN_URL": world.shipped, "CAPSTAN_API_KEY": shipped_key, "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    found = re.fullmatch(r"(\d+) (\d+)\n", ran.stdout)
    assert found is not None and int(found[1]) == 100 * MEGABYTE
    assert int(found[2]) < MOST_GROWTH
