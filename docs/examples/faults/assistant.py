"""A made-up team's pipeline: the reference stages, and a generator of its own that writes the answers."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_grounded.pipeline.generate import GenerationTask


@dataclass(frozen=True)
class Teller:
    """Tells the best piece of evidence as it stands; a client of a model would stand here."""

    name: str = "teller/1"

    def generate(self, task: GenerationTask, prompt: str) -> object:
        """A draft of one claim; `prompt` is what a model would be sent."""
        del prompt
        best = task.evidence[0]
        return {"claims": [{"text": best.text, "citations": [{"chunk": best.id, "quote": best.text}]}]}
