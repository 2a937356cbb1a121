"""`pytest-grounded schema`: the JSON Schema of case files or corpus manifests, for editors."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from pytest_grounded.errors import GroundedError
from pytest_grounded.files import write_whole

__all__ = ["SCHEMAS", "add_arguments", "run", "schema"]

SCHEMAS = ("case", "corpus")
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `schema`."""
    parser.add_argument("what", choices=SCHEMAS, help="case: a case file; corpus: a manifest with its inline chunks")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write it to FILE instead of printing it")


def run(arguments: argparse.Namespace) -> int:
    """Print or write the schema."""
    text = json.dumps(schema(arguments.what), ensure_ascii=False, indent=1) + "\n"
    if arguments.output is None:
        print(text, end="")
        return 0
    try:
        write_whole(arguments.output, [text])
    except OSError as error:
        raise GroundedError(f"{arguments.output}: cannot be written: {error.strerror}") from None
    return 0


def schema(what: str) -> dict[str, Any]:
    """The JSON Schema of case files (`case`) or of corpus manifests (`corpus`).

    >>> schema("case")["required"]
    ['cases']
    """
    from pytest_grounded.cases.schema import FileWritten
    from pytest_grounded.corpus.manifest import Manifest

    if what == "case":
        return {"$schema": _DIALECT, **FileWritten.model_json_schema(), "title": "A case file of pytest-grounded"}
    written = Manifest.model_json_schema()
    chunk, inner = _chunk_as_written()
    written["properties"]["chunks"]["oneOf"][1]["items"] = {"$ref": "#/$defs/Chunk"}
    written["$defs"] = {**inner, "Chunk": chunk}
    return {"$schema": _DIALECT, **written, "title": "A corpus manifest of pytest-grounded"}


def _chunk_as_written() -> tuple[dict[str, Any], dict[str, Any]]:
    """A chunk's schema as YAML writes one: any scalar for a text, one text for a list of one, null for none."""
    from pytest_grounded.model.evidence import Chunk

    chunk = Chunk.model_json_schema()
    inner = chunk.pop("$defs", {})
    chunk["properties"] = {
        name: field if name in chunk["required"] else {"anyOf": [_as_written(field), {"type": "null"}]}
        for name, field in chunk["properties"].items()
    }
    for name in chunk["required"]:
        chunk["properties"][name] = _as_written(chunk["properties"][name])
    inner["Fact"]["properties"] = {name: _as_written(field) for name, field in inner["Fact"]["properties"].items()}
    return chunk, inner


_SCALAR = {"type": ["string", "number", "boolean"]}


def _as_written(field: dict[str, Any]) -> dict[str, Any]:
    if field.get("type") == "string" and not {"enum", "format", "const"} & field.keys():
        return {**field, **_SCALAR}
    if field.get("type") == "array" and field["items"] == {"type": "string"}:
        kept = {key: value for key, value in field.items() if key not in {"type", "items"}}
        return {**kept, "anyOf": [_SCALAR, {"type": "array", "items": _SCALAR}]}
    if "anyOf" in field:
        return {**field, "anyOf": [_as_written(part) for part in field["anyOf"]]}
    if field.get("type") == "object":
        return {**field, "additionalProperties": _SCALAR}
    return field
