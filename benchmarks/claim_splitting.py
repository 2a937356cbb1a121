"""Measures how answers are cut into claims: the F1 of the cuts, and the share of qualifiers that stay with their claim.

    python benchmarks/claim_splitting.py [package.module:function] [-v]

On passages of the handbook that a person cut (`data/claim_splitting/SOURCE.md`). The rules were written with the first
part in view; the second stood apart. Beside them: sentences alone, and a cut at every `and`, comma and semicolon. A
function of your own takes a text and returns things with `start` and `text`. A second.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from pytest_grounded.calibration.report import interval_words
from pytest_grounded.calibration.results import as_text
from pytest_grounded.calibration.splitting import AnnotatedClaim, AnnotatedText, Cut, splitting_quality
from pytest_grounded.text.claims import SplitClaim, split_claims
from pytest_grounded.text.sentences import split_sentences

DATA = Path(__file__).parent / "data" / "claim_splitting" / "handbook.jsonl"
Splitter = Callable[[str], Sequence[Cut]]


def annotated(part: str | None = None) -> list[AnnotatedText]:
    with DATA.open(encoding="utf-8") as file:
        rows: list[dict[str, Any]] = [json.loads(line) for line in file]
    return [
        AnnotatedText(
            text=row["text"],
            claims=tuple(AnnotatedClaim(core=one["core"], keeps=tuple(one["keeps"])) for one in row["claims"]),
        )
        for row in rows
        if part in (None, row["part"])
    ]


def sentences(text: str) -> list[SplitClaim]:
    return _pieces(split_sentences(text))


def everywhere(text: str) -> list[SplitClaim]:
    """Every stretch between commas, semicolons and coordinators."""
    pieces = re.split(r"((?:,|;|\band\b|\bbut\b|\bor\b)\s*)", text)
    found, at = [], 0
    for place, piece in enumerate(pieces):
        if place % 2 == 0 and piece.strip():
            start = at + len(piece) - len(piece.lstrip())
            found.append(SplitClaim(start=start, end=at + len(piece), text=piece.strip()))
        at += len(piece)
    return found


def _pieces(pieces: Sequence[str]) -> list[SplitClaim]:
    found, at = [], 0
    for piece in pieces:
        found.append(SplitClaim(start=at, end=at + len(piece), text=piece.strip()))
        at += len(piece)
    return found


def main(words: Sequence[str]) -> None:
    splitters: dict[str, Splitter] = {"rules": split_claims, "sentences": sentences, "everywhere": everywhere}
    for word in words:
        if ":" in word:
            module, _, name = word.partition(":")
            splitters[word] = getattr(import_module(module), name)
    print("| splitter | part | texts, claims | boundary F1 | precision | recall | qualifiers kept |")
    print("| --- | --- | ---: | ---: | ---: | ---: | --- |")
    for name, split in splitters.items():
        for part in ("written_with", "apart"):
            found = splitting_quality(annotated(part), split)
            figures = " | ".join(as_text(found, key, ".2f") for key in ("f1", "precision", "recall"))
            kept = f"{found.n_kept} of {found.n_qualifiers} ({interval_words(found.retention_interval)})"
            print(f"| {name} | {part} | {found.n_texts}, {found.n_claims} | {figures} | {kept} |")
    if "-v" in words:
        for one in annotated():
            gold, ours = one.starts, [cut.start for cut in split_claims(one.text)]
            lost = [
                (word, cut)
                for start, claim in zip(gold, one.claims, strict=True)
                for cut in [next((c.text for c in reversed(split_claims(one.text)) if c.start <= start), "")]
                for word in claim.keeps
                if word.casefold() not in cut.casefold()
            ]
            if list(gold) != ours or lost:
                print("\n", one.text, "\n  wanted", [one.text[s : s + 25] for s in gold[1:]])
                print("  cut   ", [one.text[s : s + 25] for s in ours[1:]], "\n  lost  ", lost)


if __name__ == "__main__":
    main(sys.argv[1:])
