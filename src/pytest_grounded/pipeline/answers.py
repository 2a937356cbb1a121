"""What the pipeline and everything that stands around it have in common."""

from __future__ import annotations

from typing import Protocol

from pytest_grounded.model.request import Request
from pytest_grounded.model.response import Response

__all__ = ["Answers"]


class Answers(Protocol):
    """A pipeline, itself wrapped or not."""

    def answer(self, request: Request) -> Response:
        """Answer one request."""
        ...
