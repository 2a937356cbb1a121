r"""Plain values as YAML that a person would have written: block style, short lists and mappings in one line.

A text is quoted where YAML 1.1 or an editor would read anything else than that text, and what cannot be seen or turns
the line round is escaped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

import yaml

__all__ = ["UNSEEN", "Style", "block_lines", "flow", "scalar"]

Scalar = str | int | float | bool | date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a file is laid out: `step` spaces a level, `dash` spaces before a list's dashes, `gap` from dash to text."""

    step: int = 2
    dash: int = 2
    gap: int = 2
    width: int = 110


def scalar(value: Scalar) -> str:
    r"""A scalar as it is written outside of brackets and inside them alike.

    >>> scalar("What is the limit?"), scalar("180"), scalar("no"), scalar(date(2024, 10, 1)), scalar(None)
    ('What is the limit?', '"180"', '"no"', '2024-10-01', 'null')
    >>> print(scalar("a: b"), scalar("[1]"), scalar("x\u202ey"), scalar("C, D"))
    "a: b" "[1]" "x\u202ey" "C, D"
    """
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case date():
            return value.isoformat()
        case str():
            return value if _is_plain(value) else _quoted(value)


def flow(value: Any) -> str:
    """A value in one line.

    >>> flow({"audience": "employee", "groups": ["staff", "9"]})
    '{audience: employee, groups: [staff, "9"]}'
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(str(key))}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(flow, value)) + "]"
    return scalar(value)


def block_lines(value: Mapping[str, Any], *, indent: int = 0, style: Style | None = None) -> list[str]:
    r"""The lines of a mapping in block style; the first one is indented too.

    >>> print("\n".join(block_lines({"id": "a", "expect": {"slots": [{"name": "limit", "values": ["180"]}]}})))
    id: a
    expect:
      slots:
        - {name: limit, values: ["180"]}
    """
    style = style or Style()
    lines: list[str] = []
    for key, item in value.items():
        lines += _entry(f"{' ' * indent}{scalar(key)}:", item, indent, style)
    return lines


def _entry(start: str, item: Any, indent: int, style: Style) -> list[str]:
    if isinstance(item, str) and _is_literal(item):
        inner = " " * (indent + style.step)
        return [f"{start} |-", *(inner + line if line else "" for line in item.split("\n"))]
    short = f"{start} {flow(item)}"
    if _stays_in_line(item) and (len(short) <= style.width or not isinstance(item, Mapping | list | tuple)):
        return [short]
    if isinstance(item, Mapping):
        return [start, *block_lines(item, indent=indent + style.step, style=style)]
    return [start, *(line for one in item for line in _listed(one, indent + style.dash, style))]


def _listed(item: Any, indent: int, style: Style) -> list[str]:
    """An entry of a list in block style, behind its dash."""
    dash = " " * indent + "-".ljust(style.gap)
    short = dash + flow(item)
    if not isinstance(item, Mapping) or len(short) <= style.width:
        return [short]
    first, *rest = block_lines(item, indent=indent + style.gap, style=style)
    return [dash + first.lstrip(), *rest]


def _stays_in_line(item: Any) -> bool:
    """Whether a value has no list of mappings and no mapping of anything but scalars and lists of them."""
    if isinstance(item, Mapping):
        return all(not isinstance(one, Mapping) and _stays_in_line(one) for one in item.values())
    if isinstance(item, list | tuple):
        return all(not isinstance(one, Mapping) and _stays_in_line(one) for one in item)
    return True


# --- one text ----------------------------------------------------------------------------------------------------

_PLAIN = re.compile(r"[^\W\d_]|[\w(/.](?:[^:#,\[\]{}\"\\`]|:(?=\S)(?![,\[\]{}])|(?<! )#)*[^\s:,\[\]{}\"#\\`]")
UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\xa0\xad\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufe00-\ufe0f\ufeff\ufff9-\uffff"
    "\ud800-\udfff\U000e0000-\U000e0fff]"
)
_FIRST_LONG = 0x10000


def _is_plain(text: str) -> bool:
    if _PLAIN.fullmatch(text) is None or UNSEEN.search(text) or not _is_whole(text):
        return False
    return bool(_resolver().resolve(yaml.ScalarNode, text, (True, False)) == "tag:yaml.org,2002:str")


def _is_whole(text: str) -> bool:
    """Whether a text is no mark of the beginning or end of a document."""
    return not text.startswith(("---", "..."))


@cache
def _resolver() -> Any:
    """Says what other readers of YAML take a plain scalar for."""
    return yaml.resolver.Resolver()


def _quoted(text: str) -> str:
    return UNSEEN.sub(lambda match: _escaped(match[0]), json.dumps(text, ensure_ascii=False))


def _escaped(character: str) -> str:
    point = ord(character)
    return f"\\u{point:04x}" if point < _FIRST_LONG else f"\\U{point:08x}"


def _is_literal(text: str) -> bool:
    """Whether a text of several lines can stand as it is, under a bar."""
    if "\n" not in text or text != text.strip("\n") or text.startswith(" "):
        return False
    return not UNSEEN.search(text.replace("\n", "")) and all(line == line.rstrip() for line in text.split("\n"))
