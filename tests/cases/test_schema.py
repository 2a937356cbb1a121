"""The vocabulary of case files is described, complete, and safe to make JSON Schema of."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_grounded.cases import schema
from pytest_grounded.cases.schema import FileWritten
from pytest_grounded.cases.supported import NOT_YET_SUPPORTED
from pytest_grounded.corpus.manifest import Manifest

MODELS = [getattr(schema, name) for name in schema.__all__ if name.endswith("Written")]


@pytest.mark.parametrize("model", [*MODELS, Manifest], ids=lambda model: model.__name__)
def test_every_key_says_what_it_is_for(model: type[BaseModel]) -> None:
    assert [name for name, field in model.model_fields.items() if not field.description] == []


def test_every_key_of_the_contract_is_known() -> None:
    case = set(schema.CaseWritten.model_fields)
    assert case >= {
        *("id", "title", "kind", "question", "paraphrases", "expect", "forbid", "risk", "incident", "why", "tags"),
        *("as_of", "requester", "history", "corpus", "relations", "runs", "require", "serial", "budget", "observe"),
        *("strict_memory", "about", "control", "absent_question", "unjudged", "waive", "on", "steps"),
    }
    assert {name.split(".", maxsplit=1)[0] for name in NOT_YET_SUPPORTED} <= case


def test_json_schema_takes_for_text_what_editors_read_as_something_else() -> None:
    made = FileWritten.model_json_schema()
    slot = made["$defs"]["SlotWritten"]["properties"]
    assert slot["name"]["type"] == ["string", "number", "boolean"]
    assert slot["weight"]["type"] == "number"
    assert slot["blocking"]["type"] == "boolean"
    assert made["$defs"]["CaseWritten"]["additionalProperties"] is False
    assert made["$defs"]["CaseWritten"]["required"] == ["id", "kind"]
    json.dumps(made)


def test_every_example_is_one() -> None:
    for model, name, example in _examples():
        left = model.model_construct()
        model.__pydantic_validator__.validate_assignment(left, name, _as_read(example))


def _examples() -> Iterator[tuple[type[BaseModel], str, Any]]:
    for model in MODELS:
        for name, field in model.model_fields.items():
            for example in field.examples or ():
                yield model, name, example


def _as_read(value: Any) -> Any:
    """An example as the YAML reader gives it: every scalar as text."""
    if isinstance(value, dict):
        return {key: _as_read(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_as_read(inner) for inner in value]
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)
