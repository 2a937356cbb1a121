"""What can be made of a draft that failed: a weaker claim that its own quote carries, or the source as it stands."""

from __future__ import annotations

from pytest_grounded.model.response import Citation, Claim
from pytest_grounded.pipeline.evidence import Evidence
from pytest_grounded.pipeline.generate import GenerationTask
from pytest_grounded.pipeline.passages import plain

__all__ = ["fall_back", "weaken"]


def weaken(claim: Claim) -> Claim | None:
    """The claim cut down to the words it quotes, which say no more than the source does; None without a quote.

    >>> weaken(Claim.model_validate({"text": "It is $999.", "cites": ["c"], "quote": "It is **$180**."})).text
    'It is $180.'
    """
    quotes = tuple(quote for quote, _ in claim.quotes)
    if not quotes:
        return None
    text = " ".join(plain(quote) for quote in dict.fromkeys(quotes))
    return Claim(text=text, citations=claim.citations, quote=claim.quote)


def fall_back(task: GenerationTask) -> Claim | None:
    """The top-ranked evidence verbatim: no word is the pipeline's own. What is withheld ends the quotation."""
    for item in task.evidence:
        quote = _first_run(item)
        if quote:
            return Claim(text=plain(quote), citations=(Citation(chunk=item.id, quote=quote),))
    return None


def _first_run(item: Evidence) -> str:
    """The chunk's text, or the first stretch of statements that nothing withheld interrupts."""
    if not item.withheld:
        return item.chunk.text.strip()
    statements = item.statements
    if not statements:
        return ""
    barriers = sorted(start for start, _ in item.withheld if start > statements[0].start)
    end = max(one.end for one in statements if not barriers or one.end <= barriers[0])
    return item.chunk.text[statements[0].start : end]
