"""The package as it is built and installed, its types, and the module that is generated."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.request
from typing import List

import capstan_client
from conftest import World, tools

ROOT = pathlib.Path(__file__).resolve().parents[1]

def run(*command: str, **env: str) -> str:
    ran = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **env}, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_the_generated_module_is_what_the_gateway_describes(world: World) -> None:
    run(sys.executable, str(ROOT / "generate"), "--check", f"{world.shipped}/v1/openapi.json")


def test_the_check_of_the_generated_module_fails_for_another_description(world: World, tmp_path: pathlib.Path) -> None:
    document = json.load(urllib.request.urlopen(f"{world.shipped}/v1/openapi.json"))
    schema = document["paths"]["/v1/scrape"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    schema["properties"]["newer"] = {"type": "string"}
    (tmp_path / "openapi.json").write_text(json.dumps(document))
    command = [sys.executable, str(ROOT / "generate"), "--check", str(tmp_path / "openapi.json")]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 1 and "run clients/python/generate" in ran.stderr


def test_the_version_is_the_same_everywhere() -> None:
    for name in ("pyproject.toml", "CHANGELOG.md"):
        found = re.search(r'^(?:version = "|## )(\d+\.\d+\.\d+)', (ROOT / name).read_text("utf-8"), re.MULTILINE)
        assert found is not None and found[1] == capstan_client.__version__, name


def test_the_readme_begins_with_a_first_call_and_its_programs_compile() -> None:
    programs: List[str] = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert "Capstan()" in programs[0] and len(programs) > 3
    for program in programs:
        compile(program, "README.md", "exec", flags=0x2000)  # await is outside a function there


@tools
def test_what_is_built_is_installed_into_an_empty_folder_and_used_from_there(
    world: World, shipped_key: str, tmp_path: pathlib.Path
) -> None:
    source = tmp_path / "source"
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns("tests", "__pycache__", "*.egg-info", "build", "dist"))
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(tmp_path / "dist"), str(source), PIP_NO_INDEX="1")
    built = sorted(each.name for each in (tmp_path / "dist").iterdir())
    version = capstan_client.__version__
    # Older setuptools keep the hyphen of the distribution in the name of the source archive.
    assert {each.replace("capstan-", "capstan_") for each in built} == {
        f"capstan_client-{version}-py3-none-any.whl",
        f"capstan_client-{version}.tar.gz",
    }
    for at, each in enumerate(built):
        target = tmp_path / f"installed{at}"
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-build-isolation"]
        run(*install, "--no-deps", "--no-compile", "--target", str(target), str(tmp_path / "dist" / each))
        names = {each.name for each in (target / "capstan_client").iterdir()}
        assert {"py.typed", "_generated.py"} <= names
        program = (
            "import capstan_client as c; print(c.__file__); client = c.Capstan();"
            f"print(client.scrape({world.site + '/page'!r}, mode='fast').data['title'])"
        )
        others = [each for each in sys.path if each and pathlib.Path(each).resolve() != ROOT / "src"]
        path = os.pathsep.join([str(target), *others])
        said = run(sys.executable, "-c", program, PYTHONPATH=path, CAPSTAN_URL=world.shipped, CAPSTAN_API_KEY=shipped_key).split("\n")
        assert said[0].startswith(str(target)) and said[1] == "Kettles"


@tools
def test_the_package_and_a_program_of_a_user_pass_mypy_strict() -> None:
    check = [sys.executable, "-m", "mypy", "--strict", "--python-version", "3.9", "--warn-unreachable", "--cache-dir", os.devnull]
    files = [str(ROOT / "src" / "capstan_client"), str(ROOT / "generate"), *map(str, sorted((ROOT / "tests").glob("*.py")))]
    assert "no issues found" in run(*check, *files, MYPYPATH=os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")]))


def test_the_library_starts_nothing_and_reads_nothing_when_it_is_imported() -> None:
    program = "import sys, threading, capstan_client; print(threading.active_count(), 'asyncio' in sys.modules)"
    assert run(sys.executable, "-c", program, PYTHONPATH=os.pathsep.join(sys.path)).startswith("1 ")
