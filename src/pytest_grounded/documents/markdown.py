"""Reads Markdown (CommonMark with tables) into blocks, without its mark-up: what a reader of the page would see.

An answer quotes what it was shown, and people and models drop asterisks and link targets when they quote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pytest_grounded.corpus.yaml_reader import read_yaml
from pytest_grounded.documents.blocks import Block, Parsed, table_rows
from pytest_grounded.documents.front_matter import names_readers
from pytest_grounded.errors import GroundedError

if TYPE_CHECKING:
    from markdown_it.token import Token

__all__ = ["read_markdown", "split_front_matter"]

_FRONT = re.compile(r"\A\ufeff?---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TAG = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>", re.DOTALL)


def read_markdown(text: str) -> Parsed:
    r"""The blocks of a Markdown page.

    Raises GroundedError where markdown-it-py (the extra `docs`) is not installed.

    >>> parsed = read_markdown("---\ndate: 2024-07-01\n---\n# Hotels\nThe limit is **$180** ([form](f.md)).\n")
    >>> parsed.front, [block.text for block in parsed.blocks]
    ({'date': '2024-07-01'}, ['Hotels', 'The limit is $180 (form).'])
    """
    try:
        from markdown_it import MarkdownIt
    except ImportError:
        raise GroundedError("reading Markdown needs an extra: pip install 'pytest-grounded[docs]'") from None
    front, faults, body = split_front_matter(text)
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    return Parsed(blocks=tuple(_blocks(tokens)), front=front, faults=faults)


def split_front_matter(text: str) -> tuple[dict[str, Any], tuple[str, ...], str]:
    """The front matter as a mapping, what is wrong with it, and the page below it.

    Every value is text, as it is written. A page that merely begins with a rule has none. Where it cannot be read and
    seems to say who may read the page, nobody may.

    >>> split_front_matter("no front matter")
    ({}, (), 'no front matter')
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    match = _FRONT.match(text)
    if match is None:
        return {}, (), text
    document = read_yaml((match[1] or "").encode("utf-8"))
    rest = text[match.end() :]
    if document.faults:
        faults = [f"front matter: {fault.message}" for fault in document.faults]
        if not names_readers(match[1]):
            return {}, tuple(faults), rest
        return {"readers": None}, (f"{faults[0]}, so that nobody may read the document", *faults[1:]), rest
    if document.data is None:
        return {}, (), rest
    if not isinstance(document.data, dict):
        return {}, (), text
    return document.data, (), rest


def _blocks(tokens: Sequence[Token]) -> Iterator[Block]:
    index = 0
    while index < len(tokens):
        token = tokens[index]
        end = _closing(tokens, index)
        inside = tokens[index : end + 1]
        if token.type == "heading_open":
            heading = " ".join(_inline(tokens[index + 1]).split())
            if heading:
                yield Block(kind="heading", text=heading, level=int(token.tag[1:]))
        elif token.type == "table_open":
            yield Block(kind="table", text=table_rows(_rows(inside)))
        else:
            shown = "\n".join(_lines(inside)).strip("\n")
            if shown.strip():
                yield Block(kind="text", text=shown)
        index = end + 1


def _closing(tokens: Sequence[Token], start: int) -> int:
    """Where the block that begins at `start` ends."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += tokens[index].nesting
        if depth == 0:
            return index
    return len(tokens) - 1


def _rows(tokens: Sequence[Token]) -> list[list[str]]:
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(" ".join(_inline(token).split()))
    return rows


def _lines(tokens: Sequence[Token]) -> Iterator[str]:
    """The lines of a paragraph, list, quotation or listing; a list keeps its marks."""
    marks: list[str] = []
    mark = ""
    for position, token in enumerate(tokens):
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                marks.append("-" if token.type == "bullet_list_open" else "")
            case "bullet_list_close" | "ordered_list_close":
                marks.pop()
            case "list_item_open":
                mark = "  " * (len(marks) - 1) + (marks[-1] or f"{token.info}.") + " "
            case "inline":
                first, *more = _inline(token).split("\n")
                yield mark + first
                indent = " " * len(mark) if mark else "  " * len(marks)
                yield from (indent + line for line in more)
                mark = ""
            case "fence" | "code_block":
                yield from token.content.rstrip("\n").split("\n")
            case "html_block":
                yield from filter(str.strip, _TAG.sub("", token.content).split("\n"))
            case "paragraph_close" if not marks and position < len(tokens) - 1:
                yield ""


def _inline(token: Token) -> str:
    pieces: list[str] = []
    for child in token.children or ():
        if child.type in {"text", "code_inline"}:
            pieces.append(child.content)
        elif child.type in {"softbreak", "hardbreak"}:
            pieces.append("\n")
        elif child.type == "image":
            pieces.append(child.content)
        elif child.type == "html_inline" and re.match(r"<br\b", child.content, re.IGNORECASE):
            pieces.append("\n")
    return "".join(pieces)
