"""The JSON Schemas of case files and of corpora, made of the models, for editors and other validators.

They are of draft 7, which every language server for YAML reads. The package ships them as files, so that nothing heavy
is imported to hand one out: `pytest_grounded/schemas`.
"""

from __future__ import annotations

import json
from typing import Any

from pytest_grounded.cases.schema import FileWritten
from pytest_grounded.corpus.manifest import Manifest
from pytest_grounded.model.evidence import Chunk

__all__ = ["json_schema"]

_DIALECT = "http://json-schema.org/draft-07/schema#"


def json_schema(what: str) -> dict[str, Any]:
    """The JSON Schema of case files (`case`) or of corpus manifests (`corpus`).

    >>> json_schema("case")["required"]
    ['cases']
    """
    if what == "case":
        return _told({**FileWritten.model_json_schema(), "title": "A case file of pytest-grounded"})
    written = Manifest.model_json_schema()
    chunk, inner = _chunk_as_written()
    written["properties"]["chunks"]["oneOf"][1]["items"] = {"$ref": "#/$defs/Chunk"}
    written["$defs"] = {**inner, "Chunk": chunk}
    return _told({**written, "title": "A corpus manifest of pytest-grounded"})


def _chunk_as_written() -> tuple[dict[str, Any], dict[str, Any]]:
    """A chunk's schema as YAML writes one: any scalar for a text, one text for a list of one, null for none."""
    chunk = Chunk.model_json_schema()
    inner = chunk.pop("$defs", {})
    chunk["properties"] = {
        name: field if name in chunk["required"] else _or_null(_as_written(field))
        for name, field in chunk["properties"].items()
    }
    for name in chunk["required"]:
        chunk["properties"][name] = _as_written(chunk["properties"][name])
    inner["Fact"]["properties"] = {name: _as_written(field) for name, field in inner["Fact"]["properties"].items()}
    return chunk, inner


def _or_null(field: dict[str, Any]) -> dict[str, Any]:
    """The field or null; what is said about the field stands outside, where editors look for it."""
    said = {key: value for key, value in field.items() if key in _SAID}
    told = {key: value for key, value in field.items() if key not in _SAID}
    kinds = told["anyOf"] if [*told] == ["anyOf"] else [told]
    return {"anyOf": [*kinds, *([] if {"type": "null"} in kinds else [{"type": "null"}])], **said}


_SAID = frozenset({"default", "description", "examples", "title"})
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


def _told(written: dict[str, Any]) -> dict[str, Any]:
    """The schema in the words of its draft, where definitions are called so."""
    text = json.dumps({"$schema": _DIALECT, **written})
    read: dict[str, Any] = json.loads(text.replace('"$defs"', '"definitions"').replace("#/$defs/", "#/definitions/"))
    return read
