"""A stand-in for a language model over the shipped cases: reads its prompt, follows it, and makes mistakes.

The extractive generator never fails verification, so what the settings do with a failed draft cannot be seen with it.
This one errs in a way that depends on the question alone, and mends some of it when it is told what failed.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from pytest_grounded.pipeline.extractive import ExtractiveGenerator
from pytest_grounded.pipeline.generate import GenerationTask

__all__ = ["INTRODUCTION", "CarelessGenerator"]

_FIRST_NUMBER = re.compile(r"\d+")
INTRODUCTION = "In short, as explained by our helpful colleagues:"


@dataclass(frozen=True, slots=True)
class CarelessGenerator:
    """Quotes passages in the order in which the prompt gives the evidence; how it errs depends on the question."""

    name: str = "careless/1"

    def generate(self, task: GenerationTask, prompt: str) -> object:
        """A draft with the slips this question brings about, fewer of them with each attempt."""
        draft: Any = ExtractiveGenerator().generate(task, prompt)
        order = [json.loads(line)["id"] for line in prompt.splitlines() if line.startswith('{"id": ')]
        claims = sorted(draft["claims"], key=lambda claim: order.index(claim["citations"][0]["chunk"]))
        if "at most one claim" in prompt:
            claims = claims[:1]
        seed = crc32(task.question.text.encode())
        slips = seed % 4
        if slips >= task.attempt:
            claims = [_miscounted(claims[0]), *claims[1:]] if claims else []
        if seed % 5 == 0:
            claims = [{**claim, "text": f"{INTRODUCTION} {claim['text']}"} for claim in claims]
        if seed % 7 == 0:
            claims = [_misquoted(claim) for claim in claims]
        return {"claims": claims}


def _miscounted(claim: dict[str, Any]) -> dict[str, Any]:
    """The claim with another first number, or with one of its own."""
    text = claim["text"]
    changed = _FIRST_NUMBER.sub(lambda match: str(int(match.group()) + 1), text, count=1)
    return {**claim, "text": changed if changed != text else f"{text} That makes 17 in all."}


def _misquoted(claim: dict[str, Any]) -> dict[str, Any]:
    return {**claim, "citations": [{**one, "quote": f"surely {one['quote']}"} for one in claim["citations"]]}
