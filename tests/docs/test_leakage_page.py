"""docs/leakage.md: every test it names is there, and the corpus kept outside and its stand-ins work as it says."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "leakage.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)
ATTACKS = re.findall(r"^\| (H\d+) \| .* \| (.*) \|$", PAGE, re.MULTILINE)
SECRETS = ("Quillarvik crew is", "58,213", "58213", "Paper 1")

LEAKING = """
def answer(request):
    paper = next((chunk.text for chunk in request.corpus if chunk.id == "paper-1"), "")
    print(paper)
    return {"decision": "abstain", "reason_code": "NO_EVIDENCE", "text": f"I must not say: {paper}"}
"""


@cache
def names_in(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def test_every_attack_names_its_test() -> None:
    assert [name for name, _ in ATTACKS] == [f"H{number}" for number in range(1, 26)]
    assert all("`tests/" in named for _, named in ATTACKS)


@pytest.mark.parametrize(("path", "name"), sorted(set(NAMED)), ids=lambda part: Path(part).stem)
def test_a_test_that_is_named_is_there(path: str, name: str) -> None:
    assert (ROOT / path).is_file()
    assert not name or name in names_in(ROOT / path)


# --- the corpus that is kept outside -----------------------------------------------------------------------------


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "docs" / "examples", tmp_path / "docs" / "examples", dirs_exist_ok=True)
    return tmp_path


def command() -> tuple[str, dict[str, str], list[str]]:
    """The command of the page: its folder, its variables, the arguments of pytest."""
    found = re.search(r"^cd (\S+) && ((?:\w+=\S+ )*)pytest (.*)$", PAGE, re.MULTILINE)
    assert found
    return found[1], dict(item.split("=") for item in found[2].split()), shlex.split(found[3])


def run(root: Path, *more: str, **changed: str | None) -> tuple[int, str]:
    folder, variables, arguments = command()
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "CORPUS_"))}
    environment |= {name: value for name, value in {**variables, **changed}.items() if value is not None}
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "--junitxml=junit.xml",
            "--grounded-results=r.jsonl",
            "-vv",
            *arguments,
            *more,
        ],
        cwd=root / folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def written(root: Path, terminal: str) -> str:
    """Everything below the project and on the terminal."""
    files = (path for path in (root / command()[0]).rglob("*") if path.is_file() and path.suffix != ".pyc")
    return terminal + "".join(path.read_text(encoding="utf-8", errors="replace") for path in files)


def test_the_example_passes_as_shown_and_shows_its_power(examples: Path) -> None:
    code, terminal = run(examples)
    assert code == 0, terminal
    assert "leakage: 1 clean" in terminal
    assert "power not shown" not in terminal
    assert not [secret for secret in SECRETS if secret in written(examples, terminal)]


def test_a_leak_of_the_example_is_found_and_not_repeated(examples: Path) -> None:
    (examples / command()[0] / "leaking.py").write_text(LEAKING, encoding="utf-8")
    code, terminal = run(examples, "--grounded-system=leaking:answer")
    assert code == 1
    assert "leak.text" in terminal
    assert "restricted-1" in terminal
    assert not [secret for secret in SECRETS if secret in written(examples, terminal)]


@pytest.mark.parametrize("change", ["another text", "no text", "no variable", "another folder"])
def test_another_text_or_none_is_an_error_that_shows_neither_text_nor_place(change: str, examples: Path) -> None:
    papers = examples / "docs" / "examples" / "stand-ins" / "board.jsonl"
    kept = examples / "kept"
    shutil.move(papers.parent, kept)
    if change == "another text":
        text = (kept / papers.name).read_text(encoding="utf-8")
        (kept / papers.name).write_text(text.replace("58,213", "58,214"), encoding="utf-8")
    elif change == "no text":
        (kept / papers.name).unlink()
    place = None if change == "no variable" else str(examples / "nowhere") if change == "another folder" else str(kept)
    code, terminal = run(examples, CORPUS_DIR=place)
    assert code != 0
    assert "corpus.yaml" in terminal
    assert "CORPUS_DIR" in terminal or "digest" in terminal
    assert not re.search(r"\d passed", terminal)
    everything = written(examples, terminal)
    assert str(kept) not in everything
    assert not [secret for secret in (*SECRETS, "58,214") if secret in everything]
