"""How often the checks cry wolf on real text: sentences that quote themselves, and claims that people found supported.

    python benchmarks/false_alarms.py [--sets handbook18f,conditionalqa,peps,wice,begin_wow] [--examples NAME]

Verbatim: every sentence of the handbook, of ConditionalQA's pages and of the PEPs is a claim that quotes itself and
cites the text it stands in, as it stands and re-typeset in ways that quotes are folded over. None may raise a finding;
a sentence too short to be a quote, which is a finding of its own, is left out and counted.

Labelled: claims of WiCE and BEGIN cite the evidence that people judged them against. For every rule family the share
of claims with a finding is printed by label; `--examples number` prints what was found on supported ones.

Sources and licences: `benchmarks/data/*/SOURCE.md`, `tests/data/handbook18f/SOURCE.md`.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pytest_grounded.checks.base import Judged
from pytest_grounded.checks.registry import DEFAULT_CHECKS
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.finding import Finding
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.response import Response
from pytest_grounded.testing.builders import make_case, make_chunk
from pytest_grounded.text.quantities import find_quantities
from pytest_grounded.text.quotes import too_short
from pytest_grounded.text.sentences import split_sentences

HERE = Path(__file__).parent
DATA = HERE / "data"
HANDBOOK = HERE.parent / "tests" / "data" / "handbook18f" / "page_versions.jsonl"
SUPPORTED = {"supported", "Fully attributable"}
UNSUPPORTED = {"not_supported", "Not fully attributable"}


def judge(text: str, quote: str | None, chunk: Chunk) -> list[Finding]:
    """The findings on an answer of one claim, asked about nothing in particular."""
    claim = {"text": text, "cites": [chunk.id], "quote": quote}
    reply = {"decision": "answer", "text": text, "claims": [claim], "internal": {"evidence": [chunk.id]}}
    case = make_case(corpus=[chunk], question="What does it say?")
    judged = Judged(case=case, outcome=Outcome(response=Response.model_validate(reply)), view=case.view)
    return [item for check in DEFAULT_CHECKS for item in check(judged) if isinstance(item, Finding)]


# --- sentences that quote themselves -------------------------------------------------------------------------------


def handbook() -> Iterator[str]:
    """The pages of the handbook, each revision's new paragraphs once."""
    seen: set[str] = set()
    for row in _rows(HANDBOOK):
        paragraphs = [part for part in row["text"].split("\n\n") if part not in seen]
        seen.update(paragraphs)
        yield "\n\n".join(paragraphs)


def conditionalqa() -> Iterator[str]:
    """The elements of the pages, without their tags."""
    for row in _rows(DATA / "conditionalqa" / "chunks.jsonl"):
        yield html.unescape(re.sub(r"<[^<>]+>", " ", row["html"])).strip()


def peps() -> Iterator[str]:
    """The first section of each PEP."""
    for row in _rows(DATA / "peps" / "chunks.jsonl"):
        yield row["text"]


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


TEXTS: dict[str, Callable[[], Iterator[str]]] = {"handbook18f": handbook, "conditionalqa": conditionalqa, "peps": peps}


def wrapped(text: str) -> str:
    """Line ends for every third blank, and a printed hyphen inside every seventh long word."""
    words = text.split(" ")
    words = [f"{w[:4]}-\n{w[4:]}" if n % 7 == 3 and len(w) > 8 and w.isalpha() else w for n, w in enumerate(words)]
    return "".join(word + ("\n" if n % 3 == 2 else " ") for n, word in enumerate(words)).rstrip()


def typographic(text: str) -> str:
    """Curly quotes, no-break and thin blanks, long dashes, one character for an ellipsis."""
    table = {"'": "\u2019", " - ": " \u2013 ", "...": "\u2026", '"': "\u201d"}
    for plain, other in table.items():
        text = text.replace(plain, other)
    # A thin blank between two numbers would group their digits.
    return re.sub(r"(?<![\d]) (?![\d])", "\u00a0", text)


def invisible(text: str) -> str:
    """Soft hyphens and zero-width characters inside words, letters decomposed."""
    marked = re.sub(r"(?<=[A-Za-z]{3})(?=[A-Za-z]{4})", "\u00ad", text, count=5)
    return unicodedata.normalize("NFD", re.sub(r"(?<=[A-Za-z])(?=ing\b)", "\u200b", marked))


SETTINGS: dict[str, Callable[[str], str]] = {
    "as it stands": str,
    "wrapped": wrapped,
    "typographic": typographic,
    "invisible": invisible,
    "capitals": lambda text: text.upper().replace("ẞ", "SS"),
    "ligatures": lambda text: text.replace("ffi", "\ufb03").replace("fi", "\ufb01").replace("fl", "\ufb02"),
}


@dataclass(slots=True)
class Tally:
    """Claims, those with a finding, and the findings by name."""

    claims: int = 0
    alarms: int = 0
    names: Counter[str] = field(default_factory=Counter)
    shown: list[str] = field(default_factory=list)

    def add(self, found: list[Finding], text: str) -> None:
        """Count one claim."""
        self.claims += 1
        self.alarms += bool(found)
        self.names.update({one.check for one in found})
        self.shown += (f"{one.check}: {one.message[:160]} | {text[:200]!r}" for one in found[:1])


def verbatim(name: str, examples: str | None) -> None:
    """Every sentence of a set as a claim that quotes itself, in every setting."""
    tallies = {setting: Tally() for setting in SETTINGS}
    short = 0
    started = time.perf_counter()
    for number, text in enumerate(TEXTS[name]()):
        chunk = make_chunk(f"text-{number}", text, lang="en")
        for sentence in map(str.strip, split_sentences(text)):
            if not any(map(str.isalnum, sentence)):
                continue
            if too_short(sentence, text):
                short += 1
                continue
            for setting, reset in SETTINGS.items():
                shown = reset(sentence)
                tallies[setting].add(judge(shown, shown, chunk), sentence)
    print(f"{name}: {short} sentences too short to quote, {time.perf_counter() - started:.1f} s")
    for setting, tally in tallies.items():
        print(f"  {setting:14} {tally.alarms:4} of {tally.claims} claims raise something  {_listed(tally.names)}")
        if examples is not None:
            for line in tally.shown:
                print("      ", line)


# --- claims that people labelled -----------------------------------------------------------------------------------


def labelled(path: Path, examples: str | None) -> None:
    """The share of claims with a finding, by family and label."""
    counts: Counter[str] = Counter()
    numbered: Counter[str] = Counter()
    found: Counter[tuple[str, str]] = Counter()
    for number, row in enumerate(_rows(path)):
        evidence = row["evidence"]
        text = evidence if isinstance(evidence, str) else "\n".join(evidence)
        label = row["label"]
        counts[label] += 1
        numbered[label] += bool(find_quantities(row["claim"], lang="en"))
        findings = judge(row["claim"], None, make_chunk(f"text-{number}", text, lang="en"))
        # The text repeats the claim, so what it lacks the claim lacks.
        findings = [one for one in findings if one.check != "claim.uncited_text"]
        found.update({(label, one.check.partition(".")[0]) for one in findings})
        found.update({(label, one.check) for one in findings})
        for one in findings:
            if examples and label in SUPPORTED and one.check.startswith(examples):
                print(f"    {one.check}: {one.message[:200]}\n        {row['claim'][:300]}")
    print(f"{path.parent.name}: {counts.total()} claims, {numbered.total()} with a number")
    for label in sorted(counts):
        of_numbers = f"{found[label, 'number']:3} of {numbered[label]:3} claims with a number"
        of_all = f"{found[label, 'claim']:3} of {counts[label]:3} claims"
        print(f"  {label:24} number.*: {of_numbers}; claim.*: {of_all}  {_listed(_names(found, label))}")
    POOLED.update({(_side(label), "numbered"): numbered[label] for label in counts})
    for label in counts:
        POOLED[_side(label), "claims"] += counts[label]
        POOLED[_side(label), "number"] += found[label, "number"]
        POOLED[_side(label), "claim"] += found[label, "claim"]


def _names(found: Counter[tuple[str, str]], label: str) -> Counter[str]:
    return Counter({name: count for (of, name), count in found.items() if of == label and "." in name})


POOLED: Counter[tuple[str, str]] = Counter()


def _side(label: str) -> str:
    return "supported" if label in SUPPORTED else "unsupported" if label in UNSUPPORTED else "other"


def _listed(names: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in names.most_common())


def main() -> None:
    """Measure the sets that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join((*TEXTS, "wice", "begin_wow")))
    parser.add_argument("--examples", metavar="NAME", help="print findings of this name or family on supported claims")
    options = parser.parse_args()
    for name in options.sets.split(","):
        if name in TEXTS:
            verbatim(name, options.examples)
        else:
            labelled(next((DATA / name).glob("*.jsonl")), options.examples)
    for side in ("supported", "unsupported"):
        if POOLED[side, "claims"]:
            rates = (POOLED[side, "number"] / POOLED[side, "numbered"], POOLED[side, "claim"] / POOLED[side, "claims"])
            print(f"pooled, {side}: number.* {rates[0]:.1%} of those with a number, claim.* {rates[1]:.1%}")


if __name__ == "__main__":
    main()
