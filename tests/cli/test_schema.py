"""The schemas say of real files what the loader says: an editor that follows them is right."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from pytest_grounded.cli import main
from pytest_grounded.cli.schema import schema

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "cases").glob("*/*.yaml"))


def as_editors_read(path: Path) -> Any:
    """YAML as an editor's language server reads it, by version 1.2: dates stay text, and so does the key `on`."""
    text = json.dumps(yaml.safe_load(path.read_text(encoding="utf-8")), default=date.isoformat)
    return json.loads(
        text, object_pairs_hook=lambda pairs: {"on" if key == "true" else key: value for key, value in pairs}
    )


def errors(what: str, data: Any) -> list[str]:
    validator = jsonschema.Draft202012Validator(schema(what))
    return [
        f"{'/'.join(map(str, error.absolute_path))}: {error.message}"[:200] for error in validator.iter_errors(data)
    ]


@pytest.mark.parametrize("what", ["case", "corpus"])
def test_the_schema_is_one(what: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(what))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_shipped_file_follows_its_schema(path: Path) -> None:
    data = as_editors_read(path)
    if "cases" in data:
        assert errors("case", data) == []
    elif "corpus" in data:
        assert errors("corpus", data) == []


CASE: dict[str, Any] = {"id": "a", "kind": "answerable", "question": "Why?"}
CHUNK: dict[str, Any] = {"id": "c1", "text": "It is 180."}


@pytest.mark.parametrize(
    ("what", "data"),
    [
        ("case", {"cases": [{**CASE, "kind": "answerabel"}]}),
        ("case", {"cases": [{**CASE, "expects": {}}]}),
        ("case", {"cases": [{**CASE, "as_of": 20241001}]}),
        ("case", {"requesters": {}}),
        ("corpus", {"corpus": "c"}),
        ("corpus", {"corpus": "c", "chunks": [{**CHUNK, "reader": "*"}]}),
        ("corpus", {"corpus": "c", "chunks": [{**CHUNK, "status": "old"}]}),
    ],
    ids=["kind", "unknown key", "date", "no cases", "no chunks", "unknown field", "status"],
)
def test_a_mistake_is_one_for_the_schema_too(what: str, data: Any) -> None:
    assert errors(what, data)


@pytest.mark.parametrize(
    ("what", "data"),
    [
        ("case", {"cases": [{**CASE, "expect": {"slots": [{"name": "limit", "values": [180]}]}}]}),
        ("case", {"cases": [{**CASE, "expect": {"decision": "any", "reason": None}, "tags": "hotel"}]}),
        ("corpus", {"corpus": "c", "chunks": [{**CHUNK, "readers": "staff", "facts": [{"key": "k", "value": 180}]}]}),
        ("corpus", {"corpus": "c", "chunks": [{**CHUNK, "version": 3, "readers": None, "effective_from": None}]}),
    ],
    ids=["number for text", "short forms", "one for a list", "null"],
)
def test_what_the_loader_reads_the_schema_allows(what: str, data: Any) -> None:
    assert errors(what, data) == []


def test_the_command_prints_and_writes_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "case"]) == 0
    printed = capsys.readouterr().out
    assert main(["schema", "case", "--output", str(tmp_path / "case.json")]) == 0
    assert (tmp_path / "case.json").read_text(encoding="utf-8") == printed
    assert json.loads(printed) == schema("case")


def test_a_place_that_cannot_be_written_is_unusable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "case", "--output", str(tmp_path / "no" / "case.json")]) == 2
    assert "cannot be written" in capsys.readouterr().err
