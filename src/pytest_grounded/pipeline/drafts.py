"""What a generator returned, read strictly: one JSON object with claims, or a plain abstention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from pytest_grounded.model.response import Citation, Claim
from pytest_grounded.text.objects import NotOneObjectError, one_object

__all__ = ["Draft", "Unreadable", "read_claim", "read_draft"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The claims as they came, or an abstention of the generator."""

    claims: tuple[object, ...] = ()
    abstained: bool = False


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a draft or a claim cannot be read."""

    reason: str


_MOST_CLAIMS = 50
_LONGEST_TEXT = 4_000


def read_draft(draft: object) -> Draft | Unreadable:
    r"""Read a draft given as an object or as text that holds one JSON object, bare, fenced or with prose around it.

    >>> read_draft('```json\n{"claims": [{"text": "x"}]}\n```').claims
    ({'text': 'x'},)
    >>> read_draft({"abstention": {"is_abstained": True}}).abstained
    True
    >>> read_draft("The limit is $180.").reason
    'draft is not one JSON object'
    """
    if isinstance(draft, str):
        draft = _parsed(draft)
    if isinstance(draft, Unreadable):
        return draft
    if not isinstance(draft, Mapping):
        return _NO_OBJECT
    claims = draft.get("claims")
    if _abstains(draft) and not claims:
        return Draft(abstained=True)
    if not _is_list(claims) or not claims:
        return Unreadable("answer needs a non-empty claims list")
    if len(claims) > _MOST_CLAIMS:
        return Unreadable(f"{len(claims)} claims, at most {_MOST_CLAIMS} are read")
    return Draft(claims=tuple(claims))


def read_claim(raw: object) -> Claim | Unreadable:
    """Read one claim; what it brings besides the fields of the contract is left behind.

    >>> read_claim({"text": "It is $180.", "cites": ["c1"], "quote": "is $180", "note": "!"}).cited
    ('c1',)
    >>> read_claim({"text": "It is $180.", "cites": []}).reason
    'claim needs text, quote and at least one cite'
    """
    try:
        claim = Claim.model_validate(raw)
    except ValidationError:
        return Unreadable(_NEEDS)
    if not claim.text.strip() or not claim.citations or not any(quote.strip() for quote, _ in claim.quotes):
        return Unreadable(_NEEDS)
    if len(claim.text) > _LONGEST_TEXT:
        return Unreadable(f"claim has {len(claim.text)} characters, at most {_LONGEST_TEXT} are read")
    return Claim(
        text=claim.text,
        citations=tuple(Citation(chunk=citation.chunk, quote=citation.quote) for citation in claim.citations),
        quote=claim.quote,
        status=claim.status,
        derivation=claim.derivation,
    )


_NEEDS = "claim needs text, quote and at least one cite"


_NO_OBJECT = Unreadable("draft is not one JSON object")


def _parsed(text: str) -> object:
    try:
        return one_object(text)
    except NotOneObjectError as error:
        match error.kind:
            case "repeated_key":
                return Unreadable(f"draft says {error.detail!r} twice in one object")
            case "several_objects":
                return Unreadable(f"draft holds {error.detail} JSON objects, exactly one is read")
            case "cut_off":
                return Unreadable("draft breaks off inside its JSON object")
            case "no_object":
                return _NO_OBJECT


def _abstains(draft: Mapping[object, object]) -> bool:
    abstention = draft.get("abstention")
    inner = isinstance(abstention, Mapping) and abstention.get("is_abstained") is True
    return inner or draft.get("abstain") is True or draft.get("decision") == "abstain"


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
