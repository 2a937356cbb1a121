"""How findings say what was expected, what was found, and where."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_grounded.model.evidence import Chunk, CorpusView

__all__ = ["cut", "either", "listing", "named", "quoted", "standing"]

LONGEST_CUT = 120


def cut(text: str) -> str:
    r"""A text on one line, shortened in the middle of nothing: its start, with an ellipsis where there was more.

    >>> cut("two\n lines")
    'two lines'
    """
    # The tail of a hostile reply is not looked at: a line of 120 characters needs no more than its start.
    line = " ".join(text[: LONGEST_CUT * 8].split())
    return line if len(line) <= LONGEST_CUT else line[: LONGEST_CUT - 1].rstrip() + "…"


def quoted(text: str) -> str:
    """A text as it is shown inside a sentence.

    >>> quoted("180")
    '"180"'
    """
    return f'"{cut(text)}"'


def listing(parts: Iterable[str], *, last: str = "and") -> str:
    """Some things in a row.

    >>> listing(["c1", "c2", "c3"], last="or")
    'c1, c2 or c3'
    """
    named_parts = list(parts)
    if len(named_parts) < len(("one", "two")):
        return "".join(named_parts)
    return f"{', '.join(named_parts[:-1])} {last} {named_parts[-1]}"


def either(allowed: Iterable[str | None]) -> str:
    """What would have been right.

    >>> either(["answer", None])
    'answer or none'
    """
    return listing((value or "none" for value in allowed), last="or") or "none"


def named(view: CorpusView, chunk_ids: Iterable[str]) -> str:
    """Chunks by the names the requester may see."""
    return listing(view.name_of(chunk_id) for chunk_id in dict.fromkeys(chunk_ids))


def standing(view: CorpusView, chunk: Chunk) -> str:
    """Why a readable chunk may not be relied on, in a few words; empty where it may.

    >>> from datetime import date
    >>> from pytest_grounded.model.evidence import ANONYMOUS, Corpus
    >>> old = Chunk(id="c2", text="", readers=("*",), effective_to=date(2024, 6, 30), document="policy", version="v2")
    >>> standing(Corpus(name="n", chunks=[old]).view(ANONYMOUS, date(2024, 10, 1)), old)
    'version v2 of policy ended on 2024-06-30'
    """
    label = _label(chunk)
    if not view.in_force(chunk.id):
        return f"{label} {_out_of_force(view, chunk)}"
    if not view.applies(chunk.id):
        return f"{label} applies to {_whom(chunk)}"
    return ""


def _label(chunk: Chunk) -> str:
    if chunk.version is None:
        return chunk.document or "it"
    return f"version {chunk.version}" + (f" of {chunk.document}" if chunk.document else "")


def _out_of_force(view: CorpusView, chunk: Chunk) -> str:
    window = view.window(chunk)
    if window.never:
        return f"is {chunk.status.value}" if chunk.status.value != "current" else "is not in force on any day"
    if window.start is not None and view.as_of < window.start:
        return f"holds only from {window.start.isoformat()}"
    return f"ended on {window.end.isoformat()}" if window.end is not None else "is not in force"


def _whom(chunk: Chunk) -> str:
    parts = [*chunk.audience, *(f"{key} {value}" for key, value in sorted(chunk.scope.items()))]
    return listing(parts) or "somebody else"
