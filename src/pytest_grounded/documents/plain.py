"""Reads plain text into blocks: paragraphs stand between blank lines, and nothing is a heading."""

from __future__ import annotations

import re

from pytest_grounded.documents.blocks import Block, Parsed
from pytest_grounded.documents.markdown import split_front_matter

__all__ = ["read_text"]


def read_text(text: str) -> Parsed:
    r"""The paragraphs of a text.

    >>> [block.text for block in read_text("One.\nStill one.\n\nTwo.").blocks]
    ['One.\nStill one.', 'Two.']
    """
    front, faults, body = split_front_matter(text)
    paragraphs = re.split(r"\n[ \t\f\v]*\n", body)
    blocks = (Block(kind="text", text=paragraph.strip("\n")) for paragraph in paragraphs if paragraph.strip())
    return Parsed(blocks=tuple(blocks), front=front, faults=faults)
