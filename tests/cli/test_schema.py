"""The schemas that ship say of real files what the loader says: an editor that follows them is right."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from pytest_grounded.cases.json_schema import json_schema
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


FORMATS = jsonschema.Draft7Validator.FORMAT_CHECKER


def errors(what: str, data: Any) -> list[str]:
    validator = jsonschema.Draft7Validator(json.loads(schema(what)), format_checker=FORMATS)
    return [
        f"{'/'.join(map(str, error.absolute_path))}: {error.message}"[:200] for error in validator.iter_errors(data)
    ]


@pytest.mark.parametrize("what", ["case", "corpus"])
def test_the_schema_is_one(what: str) -> None:
    meta = jsonschema.Draft7Validator(jsonschema.Draft7Validator.META_SCHEMA)
    assert [error.message for error in meta.iter_errors(json.loads(schema(what)))] == []
    assert errors(what, {"no_such_key": 1}), "a schema that refuses nothing is one too"


@pytest.mark.parametrize("what", ["case", "corpus"])
def test_what_ships_is_what_the_models_say(what: str) -> None:
    assert json.loads(schema(what)) == json_schema(what), "write it anew: python docs/generate.py"


@pytest.mark.parametrize("what", ["case", "corpus"])
def test_every_key_is_described_and_has_an_example(what: str) -> None:
    read = json.loads(schema(what))
    objects = {"": read, **read["definitions"]}
    keys = {f"{name}.{key}": told for name, one in objects.items() for key, told in one.get("properties", {}).items()}
    assert [name for name, told in keys.items() if "description" not in told] == []
    assert [name for name, told in keys.items() if "examples" not in told and told.get("type") != "boolean"] == []


@pytest.mark.parametrize("what", ["case", "corpus"])
def test_every_example_is_one(what: str) -> None:
    read = json.loads(schema(what))
    for name, one in {"": read, **read["definitions"]}.items():
        for key, told in one.get("properties", {}).items():
            validator = jsonschema.Draft7Validator({**told, "definitions": read["definitions"]})
            wrong = [example for example in told.get("examples", ()) if not validator.is_valid(example)]
            assert wrong == [], f"{name}.{key}"


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
        ("case", {"cases": [CASE, {**CASE, "id": "Upper Case"}]}),
        ("case", {"cases": [{**CASE, "expect": {"slots": [{"values": ["180"]}]}}]}),
        ("case", {"cases": [{**CASE, "expect": {"decision": "refuse"}}]}),
        ("case", {"cases": [{**CASE, "forbid": ["180"]}]}),
        ("case", {"cases": [{**CASE, "runs": 0}]}),
        ("case", {"cases": []}),
        ("corpus", {"corpus": "c", "chunks": [{"id": "c1"}]}),
        ("corpus", {"corpus": "c", "chunks": [{**CHUNK, "authority": "high"}]}),
        ("corpus", {"corpus": "c", "chunks": [{**CHUNK, "effective_from": "July"}]}),
        ("corpus", {"corpus": "c", "chunks": "c.jsonl", "readers": ["*"]}),
    ],
    ids=[
        "kind",
        "unknown key",
        "date",
        "no cases",
        "no chunks",
        "unknown field",
        "status",
        "id",
        "slot without a name",
        "decision",
        "forbid as a list",
        "no run",
        "empty list",
        "chunk without text",
        "rank in words",
        "day in words",
        "readers of a manifest",
    ],
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
    assert printed == schema("case")


def test_a_place_that_cannot_be_written_is_unusable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "case", "--output", str(tmp_path / "no" / "case.json")]) == 2
    assert "cannot be written" in capsys.readouterr().err
