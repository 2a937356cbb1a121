"""How a corpus is written down: the manifest `corpus.yaml` and what a chunk may look like in it or in JSON Lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

from pytest_grounded.corpus.wording import shown
from pytest_grounded.model.evidence import IsoDate

__all__ = ["CHUNK_SYNONYMS", "MANIFEST_SYNONYMS", "SECRET_FIELDS", "Manifest", "chunk_as_written", "unsafe_chunk_id"]

CHUNK_SYNONYMS: Mapping[str, str] = {
    "acl": "readers",
    "allowed": "readers",
    "groups": "readers",
    "permissions": "readers",
    "body": "text",
    "content": "text",
    "doc": "document",
    "source": "document",
    "page": "locator",
    "section": "locator",
    "link": "url",
    "fact": "facts",
    "language": "lang",
    "valid_from": "effective_from",
    "valid_to": "effective_to",
    "valid_until": "effective_to",
    "effective_until": "effective_to",
    "expires": "effective_to",
    "effective": "effective_from",
    "rank": "authority",
    "replaces": "supersedes",
}
MANIFEST_SYNONYMS: Mapping[str, str] = {"name": "corpus", "version": "revision", "readers": "default_readers"}
SECRET_FIELDS = frozenset({"text", "title", "locator", "url", "facts"})
"""Fields whose values stand in no message: the person who sees it may not be allowed to read the chunk."""

LONGEST_ID = 200
_STRAY = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\[\]]")
_ALIAS = re.compile(r"restricted-\d+", re.IGNORECASE)


def unsafe_chunk_id(chunk_id: str) -> str | None:
    """Why an id would make trouble where it is cited, shown or compared; None where it is fine.

    >>> unsafe_chunk_id("restricted-3")
    'is how a chunk is named that may not be shown (choose another id)'
    >>> unsafe_chunk_id("travel-policy@v3#hotel-standard")
    """
    if len(chunk_id) > LONGEST_ID:
        return f"is longer than {LONGEST_ID} characters (shorten it)"
    if chunk_id != chunk_id.strip() or not chunk_id:
        return "begins or ends with white space (take it away)"
    if stray := _STRAY.search(chunk_id):
        return f"holds {shown(stray[0])}, which cannot be cited (take it out)"
    if _ALIAS.fullmatch(chunk_id):
        return "is how a chunk is named that may not be shown (choose another id)"
    return None


def _text_list(value: object) -> object:
    return (value,) if isinstance(value, str) else () if value is None else value


def _not_blank(value: str) -> str:
    if not value.strip():
        raise PydanticCustomError("blank", "needs text that is not blank")
    return value


def _sha256(value: str) -> str:
    if re.fullmatch("sha256:[0-9a-f]{64}", value) is None:
        raise PydanticCustomError(
            "digest", "needs sha256: and 64 hexadecimal digits, as `pytest-grounded freeze` writes"
        )
    return value


def _chunks_shape(value: object) -> str:
    return "<file>" if isinstance(value, str) else "<inline>"


Chunks = Annotated[
    Annotated[str, AfterValidator(_not_blank), Tag("<file>")] | Annotated[list[dict[str, Any]], Tag("<inline>")],
    Discriminator(_chunks_shape),
]


class Manifest(BaseModel):
    """A corpus as `corpus.yaml` writes it; the chunks themselves are read afterwards."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    corpus: Annotated[str, AfterValidator(_not_blank)] = Field(
        description="Name of the corpus", examples=["travel-policy"]
    )
    revision: str | None = Field(default=None, description="A label for people", examples=["2024-10-01"])
    as_of: IsoDate | None = Field(
        default=None, description="The day of every case that sets none, YYYY-MM-DD", examples=["2024-10-01"]
    )
    chunks: Chunks = Field(
        description="A JSON Lines file below this folder, ${VARIABLE}/file.jsonl, or the chunks themselves",
        examples=["chunks.jsonl", "${CORPUS_DIR}/chunks.jsonl"],
    )
    default_readers: Annotated[tuple[str, ...], BeforeValidator(_text_list)] = Field(
        default=(),
        description='Who may read a chunk without a readers key; "*" is everyone; without this line nobody may',
        examples=[["*"]],
    )
    digest: Annotated[str, AfterValidator(_sha256)] | None = Field(
        default=None, description="Lock over the chunks, written by `pytest-grounded freeze`", examples=["sha256:0f..."]
    )


def chunk_as_written(written: dict[str, Any], default_readers: tuple[str, ...]) -> dict[str, Any]:
    """A chunk's fields ready to be read as a `Chunk`: null is "not stated", save for `readers`, where it is nobody.

    >>> chunk_as_written({"id": "c", "text": "t", "tenant": None}, ("*",))
    {'id': 'c', 'text': 't', 'readers': ('*',)}
    >>> chunk_as_written({"id": "c", "text": "t", "readers": None}, ("*",))
    {'id': 'c', 'text': 't', 'readers': ()}
    """
    if "readers" not in written:
        written = {**written, "readers": default_readers}
    elif written["readers"] is None:
        written = {**written, "readers": ()}
    if None in written.values():
        return {key: value for key, value in written.items() if value is not None}
    return written
