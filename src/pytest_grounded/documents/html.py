"""Reads an HTML page into blocks: what a reader of the page would see, without navigation and scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pytest_grounded.documents.blocks import Block, Parsed, table_rows
from pytest_grounded.errors import GroundedError

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

__all__ = ["read_html"]

_UNSEEN = ("script", "style", "template", "noscript", "nav", "head", "svg", "form", "iframe", "object")
_OWN_LINE = frozenset(
    re.findall(
        r"\w+",
        "address article aside blockquote body dd details div dl dt fieldset figcaption figure footer header hr html"
        " main ol p section summary ul",
    )
)
_HEADING = re.compile(r"h[1-6]")
_DATES = ("effective_from", "article:modified_time", "dcterms.modified", "last-modified", "date", "dcterms.date")


def read_html(text: str) -> Parsed:
    """The blocks of an HTML page; `<main>` alone where it has one.

    Raises GroundedError where beautifulsoup4 and lxml (the extra `docs`) is not installed.

    >>> page = "<html lang=en><body><nav>Home</nav><h1>Hotels</h1><p>The limit is <b>$180</b>.</p></body></html>"
    >>> [block.text for block in read_html(page).blocks], read_html(page).front
    (['Hotels', 'The limit is $180.'], {'lang': 'en'})
    """
    try:
        import lxml  # noqa: F401 (the parser, which BeautifulSoup looks up by name)
        from bs4 import BeautifulSoup
    except ImportError:
        raise GroundedError("reading HTML needs an extra: pip install 'pytest-grounded[docs]'") from None
    soup = BeautifulSoup(text, "lxml")
    front = dict(_front(soup))
    for unseen in soup.find_all(_UNSEEN):
        unseen.decompose()
    for hidden in soup.find_all(hidden=True):
        hidden.decompose()
    root = soup.find("main") or soup.find("body") or soup
    return Parsed(blocks=tuple(_blocks(root)), front=front)


def _front(soup: BeautifulSoup) -> Iterator[tuple[str, Any]]:
    if soup.html is not None and soup.html.get("lang"):
        yield "lang", str(soup.html["lang"])
    if soup.title is not None and soup.title.get_text(strip=True):
        yield "title", " ".join(soup.title.get_text().split())
    stated = {
        str(meta.get("name") or meta.get("property") or meta.get("http-equiv") or "").lower(): str(
            meta.get("content", "")
        )
        for meta in soup.find_all("meta")
    }
    for name in _DATES:
        if re.match(r"\d{4}-\d\d-\d\d", stated.get(name, "")):
            yield "date", stated[name][:10]
            return


def _blocks(root: Tag | BeautifulSoup) -> Iterator[Block]:
    """Blocks in the order of the page; text that stands loose between blocks is a paragraph of its own."""
    loose: list[str] = []
    for kind, text in (*_pieces(root), ("end", "")):
        if kind == "words":
            loose.append(text)
            continue
        paragraph = _tidy("".join(loose))
        loose.clear()
        if paragraph:
            yield Block(kind="text", text=paragraph)
        if _HEADING.fullmatch(kind) and text:
            yield Block(kind="heading", text=text, level=int(kind[1]))
        elif kind == "table" and text:
            yield Block(kind="table", text=text)
        elif kind == "pre" and text.strip():
            yield Block(kind="text", text=text.strip("\n"))


def _pieces(element: Tag | BeautifulSoup) -> Iterator[tuple[str, str]]:
    """What stands in an element: `words` that run on, what stands alone, and `break` between blocks.

    Walked with a stack: a page may be nested deeper than calls may.
    """
    from bs4 import Tag
    from bs4.element import NavigableString, PreformattedString

    stack: list[Any] = [*reversed(list(element.children))]
    while stack:
        child = stack.pop()
        if isinstance(child, tuple):
            yield child
        elif isinstance(child, Tag):
            if _HEADING.fullmatch(child.name):
                yield child.name, " ".join(child.get_text().split())
            elif child.name == "table" and not child.find("table"):
                yield "table", table_rows(_rows(child))
            elif child.name == "pre":
                yield "pre", child.get_text()
            elif child.name == "br":
                yield "words", "\n"
            else:
                if child.name in _OWN_LINE:
                    yield "break", ""
                    stack.append(("break", ""))
                elif child.name == "li":
                    yield "words", "\n- "
                stack.extend(reversed(list(child.children)))
        elif isinstance(child, NavigableString) and not isinstance(child, PreformattedString):
            yield "words", re.sub(r"\s+", " ", str(child))


def _rows(table: Tag) -> list[list[str]]:
    rows = [
        [" ".join(cell.get_text(" ").split()) for cell in row.find_all(["th", "td"])] for row in table.find_all("tr")
    ]
    return [row for row in rows if any(row)]


def _tidy(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line not in {"", "-"})
