"""What a chunk of Markdown states, passage by passage: sentences, list items, table rows, each a slice of the text.

A passage can be quoted verbatim (`text[start:end]`), shown to a person (`plain`, without markup) and understood (its
`context`: the headings, the sentence that leads into its list, the header of its table). Everything is linear in the
length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Literal

from pytest_grounded.text.sentences import split_sentences

__all__ = ["Passage", "PassageKind", "has_header", "passages", "plain", "states_something"]


class PassageKind(StrEnum):
    """What sort of thing a passage is."""

    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A slice `text[start:end]` of a chunk. `block` is shared by the passages of one paragraph, item or table."""

    start: int
    end: int
    kind: PassageKind
    plain: str
    context: str = ""
    block: int = 0


@lru_cache(maxsize=4_096)
def passages(text: str, kind: Literal["text", "table"] = "text") -> tuple[Passage, ...]:
    r"""The passages of a chunk in order.

    >>> [passage.plain for passage in passages("Zone | Amount\nA | $24\nB | $18", "table")]
    ['Zone: A; Amount: $24', 'Zone: B; Amount: $18']
    >>> first, second = passages("# Cars\n\nYou pay for:\n\n- **fuel**\n- [tolls](https://example.org)")[1:]
    >>> first.plain, second.plain, second.context
    ('fuel', 'tolls', 'Cars\nYou pay for:')
    """
    found: list[Passage] = []
    state = _Context()
    for number, block in enumerate(_blocks(text, kind)):
        found.extend(_passages_of(text, block, number, state))
    return tuple(found)


def states_something(text: str, kind: Literal["text", "table"] = "text") -> bool:
    """Whether a text has any passage; one that begins with a letter and is no table has, which spares reading it.

    >>> states_something("Gyms cost $12."), states_something("# Gyms"), states_something("***")
    (True, False, False)
    """
    return (text[:1].isalpha() and "|" not in text) or bool(passages(text, kind))


@lru_cache(maxsize=16_384)
def plain(markdown: str) -> str:
    r"""The words a person sees: no images, link targets, template tags, emphasis marks, note numbers or line breaks.

    What stands between backticks is code and stays as it is.

    >>> plain("See **the**\n[form](https://example.org) ![x](y.png) {% image %}[12].")
    'See the form.'
    >>> plain("Set ``__context__`` and `*args`, __not__ both.")
    'Set __context__ and *args, not both.'
    """
    code: list[str] = []
    if "`" in markdown:
        markdown = _CODE.sub(lambda match: _held(match[2], code), _HOLDER.sub(" ", markdown))
    for pattern, replacement in _MARKUP:
        markdown = pattern.sub(replacement, markdown)
    shown = _SPACE_BEFORE_STOP.sub(r"\1", " ".join(markdown.split())).lstrip("*; ")
    return _HOLDER.sub(lambda match: code[int(match[1])], shown) if code else shown


def _held(words: str, code: list[str]) -> str:
    """What stands in the place of a piece of code while markup is taken away."""
    code.append(" ".join(words.split()))
    return f"\ue000{len(code) - 1}\ue001"


_CODE = re.compile(r"(?<!`)(`{1,2})(?!`)([^`\n]{1,300}(?:\n[^`\n]{1,300})?)\1(?!`)")
_HOLDER = re.compile("\ue000(\\d{1,6})\ue001")
_MARKUP = (
    (re.compile(r"<!--[^<>]*-->|</?[A-Za-z][^<>]{0,300}>"), ""),
    (re.compile(r"\{[%{#][^{}]{0,300}[%}#]\}"), ""),
    (re.compile(r"!\[[^\[\]]{0,300}\]\([^()]{0,500}\)"), ""),
    (re.compile(r"\[([^\[\]]{1,500})\](?:\([^()]{0,500}\)|\[[^\[\]]{0,100}\])"), r"\1"),
    (re.compile(r"\[\s*\^?\d{1,4}\s*\]"), ""),
    (re.compile(r"\n[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+"), "; "),
    (re.compile(r"(?:^|\n)[ \t]*>[ \t]?"), "\n"),
    (re.compile(r"`+|(?<!\\)\*+(?=\S)|(?<=[^\s\\])\*+|(?<![\w\\])_{1,2}(?=\S)|(?<=[^\s\\])_{1,2}(?!\w)"), ""),
    (re.compile(r"\\([\\`*_{}\[\]()#+.!|-])"), r"\1"),
    (re.compile(r":(\s*);"), r":"),
)
_SPACE_BEFORE_STOP = re.compile(r" ([.,;:!?])(?=\s|$)")


class _BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    TABLE = "table"
    CODE = "code"


@dataclass(slots=True, kw_only=True)
class _Block:
    kind: _BlockKind
    start: int
    end: int
    lines: list[tuple[int, int]]


@dataclass(slots=True, kw_only=True)
class _Context:
    """Headings above, and the sentence that leads into the list that follows it."""

    heading: str = ""
    lead: str = ""

    def text(self, *more: str) -> str:
        return "\n".join(part for part in (self.heading, *more) if part)


_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_ITEM = re.compile(r"[ \t]*(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+)")
_RULE = re.compile(r"[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*$")
_SEPARATOR_ROW = re.compile(r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*$")


def _blocks(text: str, kind: str) -> Iterator[_Block]:
    """Runs of lines that belong together."""
    block: _Block | None = None
    in_code = False
    for start, end in _lines(text):
        line = text[start:end]
        if line.lstrip().startswith(("```", "~~~")):
            in_code = not in_code
            sort = None
        else:
            sort = _sort_of(line, block, in_code=in_code, table=kind == "table")
        if block is not None and sort is not None and _continues(block, sort, line):
            block.end = end
            block.lines.append((start, end))
            continue
        if block is not None:
            yield block
        block = None if sort is None else _Block(kind=sort, start=start, end=end, lines=[(start, end)])
    if block is not None:
        yield block


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, end
        start = end + 1


def _sort_of(line: str, block: _Block | None, *, in_code: bool, table: bool) -> _BlockKind | None:
    if in_code:
        return _BlockKind.CODE
    if not line.strip() or _RULE.match(line):
        return None
    if _HEADING.match(line):
        return _BlockKind.HEADING
    if "|" in line and (table or line.lstrip().startswith("|") or " | " in line):
        return _BlockKind.TABLE
    if _ITEM.match(line):
        return _BlockKind.ITEM
    if block is not None and block.kind is _BlockKind.ITEM:
        return _BlockKind.ITEM
    return _BlockKind.PARAGRAPH


def _continues(block: _Block, sort: _BlockKind, line: str) -> bool:
    if block.kind is not sort or sort is _BlockKind.HEADING:
        return False
    return sort is not _BlockKind.ITEM or _ITEM.match(line) is None


def _passages_of(text: str, block: _Block, number: int, context: _Context) -> Iterator[Passage]:
    match block.kind:
        case _BlockKind.HEADING:
            context.heading, context.lead = plain(text[block.start : block.end].lstrip("# \t").rstrip("# \t")), ""
        case _BlockKind.TABLE:
            yield from _rows(text, block, number, context)
        case _BlockKind.ITEM:
            body = block.start + len(_item_mark(text[block.start : block.end]))
            around = context.text(context.lead)
            yield from _sentences(text, (body, block.end), number, kind=PassageKind.ITEM, context=around)
        case _BlockKind.PARAGRAPH | _BlockKind.CODE:
            context.lead = ""
            span = (block.start, block.end)
            found = list(_sentences(text, span, number, kind=PassageKind.SENTENCE, context=context.text()))
            if found and found[-1].plain.endswith((":", "：")):
                context.lead = found[-1].plain
            yield from found


def _item_mark(line: str) -> str:
    mark = _ITEM.match(line)
    return mark.group() if mark else ""


def _sentences(text: str, span: tuple[int, int], number: int, *, kind: PassageKind, context: str) -> Iterator[Passage]:
    at = span[0]
    unwrapped = text[slice(*span)].replace("\n", " ")  # lines are wrapped here, and no character is moved
    for sentence in split_sentences(unwrapped):
        first = at + len(sentence) - len(sentence.lstrip())
        last = at + len(sentence.rstrip())
        at += len(sentence)
        shown = plain(text[first:last])
        if _HAS_LETTER.search(shown):
            yield Passage(start=first, end=last, kind=kind, plain=shown, context=context, block=number)


_HAS_LETTER = re.compile(r"\w")


def _rows(text: str, block: _Block, number: int, context: _Context) -> Iterator[Passage]:
    """Rows with the header's names written in front of the cells; a table of one row is a sentence of its own."""
    lines = [span for span in block.lines if not _SEPARATOR_ROW.match(text[slice(*span)])]
    header = _cells(text[slice(*lines[0])]) if lines and has_header(text[block.start : block.end]) else []
    for start, end in lines[1:] if header else lines:
        cells = _cells(text[start:end])
        named = len(cells) == len(header)
        shown = "; ".join(
            f"{name}: {cell}" if named and name else cell
            for name, cell in zip(header if named else [""] * len(cells), cells, strict=True)
            if cell
        )
        if shown:
            line = text[start:end]
            yield Passage(
                start=start + len(line) - len(line.lstrip()),
                end=start + len(line.rstrip()),
                kind=PassageKind.ROW,
                plain=shown,
                context=context.text(" ".join(header)),
                block=number,
            )


def has_header(table: str) -> bool:
    r"""Whether the first row of a table names its columns: no figure in it where the next row has one.

    >>> has_header("Zone | Amount\nA | $24"), has_header("B | $18\nC | $11")
    (True, False)
    """
    rows = [row for row in table.splitlines() if row.strip()]
    if len(rows) < _ROWS_WITH_HEADER or _SEPARATOR_ROW.match(rows[1]):
        return len(rows) >= _ROWS_WITH_HEADER
    pairs = list(zip(rows[0].split("|"), rows[1].split("|"), strict=False))
    figures = [(_has_digit(above), _has_digit(below)) for above, below in pairs if below.strip()]
    return any(below and not above for above, below in figures) or not any(above for above, _ in figures)


_ROWS_WITH_HEADER = 2


def _has_digit(cell: str) -> bool:
    return any(character.isdigit() for character in cell)


def _cells(line: str) -> list[str]:
    return [plain(cell.strip().replace("\0", "|")) for cell in line.replace(r"\|", "\0").strip().strip("|").split("|")]
