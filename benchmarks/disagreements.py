"""Does the detector for text without fact keys see where two revisions of one page contradict each other?

    python benchmarks/disagreements.py

Pairs are made from the stored revisions of the handbook's pages. Revised: a statement and what became of it in the next
revision, told apart by what was changed, a figure, a denial, or words alone. Planted: a statement with one figure, and
the same with another figure. Quiet: any two statements of one revision, which its authors let stand beside each other,
and a statement beside itself as it was typeset anew. It takes some seconds.
"""

from __future__ import annotations

import difflib
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from pathlib import Path

from pytest_grounded.model.evidence import Chunk
from pytest_grounded.pipeline.disagreements import Statement, contradiction, read_statement
from pytest_grounded.pipeline.passages import passages
from pytest_grounded.text.quantities import Quantity

PAGES = Path(__file__).parents[1] / "tests" / "data" / "handbook18f" / "page_versions.jsonl"
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_LIKE = 0.6
_FEWEST_WORDS = 3

Pair = tuple[Statement, Statement]


def revisions() -> Iterator[tuple[tuple[Statement, ...], ...]]:
    """The statements of each page, revision by revision."""
    rows = [json.loads(line) for line in PAGES.read_text(encoding="utf-8").splitlines()]
    for page in sorted({row["page"] for row in rows}):
        versions = sorted((row for row in rows if row["page"] == page), key=lambda row: row["effective"])
        yield tuple(tuple(statements(_FRONT_MATTER.sub("", row["text"]))) for row in versions)


def statements(text: str) -> Iterator[Statement]:
    """What a page states, without what is too short to state anything."""
    chunk = Chunk(id="page", text=text)
    for passage in passages(text, chunk.kind):
        read = read_statement(chunk, passage)
        if len(read.words) >= _FEWEST_WORDS:
            yield read


def revised(old: Sequence[Statement], new: Sequence[Statement]) -> Iterator[Pair]:
    """Each statement that was changed, beside what it became: the most alike of those that took its place."""
    matcher = difflib.SequenceMatcher(None, [one.text for one in old], [one.text for one in new], autojunk=False)
    for tag, start, end, first, last in matcher.get_opcodes():
        for one in old[start:end] if tag == "replace" else ():
            alike = [(difflib.SequenceMatcher(None, one.text, other.text).ratio(), other) for other in new[first:last]]
            ratio, other = max(alike, key=lambda pair: pair[0])
            if ratio >= _LIKE:
                yield one, other


def planted(one: Statement) -> Statement | None:
    """The statement with another figure; None where it has not exactly one in digits."""
    figure = one.figures[0] if len(one.figures) == 1 else None
    if figure is None or figure.value is None or f"{figure.value:f}" not in figure.raw:
        return None
    raw = figure.raw.replace(f"{figure.value:f}", f"{2 * figure.value + 1:f}", 1)
    text = f"{one.text[: figure.start]}{raw}{one.text[figure.end :]}"
    return next(statements(text), None)


def changed(pair: Pair) -> str:
    """What tells the two apart."""
    left, right = pair
    if Counter(map(_value, left.figures)) != Counter(map(_value, right.figures)):
        return "a figure"
    return "a denial" if left.denies != right.denies else "words alone"


def _value(figure: Quantity) -> tuple[str, str | None]:
    return f"{figure.value}", figure.unit


def counted(pairs: Sequence[Pair]) -> tuple[int, int]:
    """How many pairs there are, and how many are said to contradict each other."""
    return len(pairs), sum(contradiction(*pair) is not None for pair in pairs)


def table() -> Iterator[str]:
    """The table of the README."""
    pages = list(revisions())
    pairs = [pair for page in pages for old, new in pairwise(page) for pair in revised(old, new)]
    latest = [page[-1] for page in pages]
    texts = [one for page in latest for one in page]
    rows = {f"revised, {kind} changed": [pair for pair in pairs if changed(pair) == kind]
            for kind in ("a figure", "a denial", "words alone")}  # fmt: skip
    rows["planted, another figure"] = [(one, other) for one in texts if (other := planted(one)) is not None]
    rows["quiet, within one revision"] = [pair for page in latest for pair in combinations(page, 2)]
    rows["quiet, the same in capitals"] = [
        (one, other) for one in texts if (other := next(statements(one.text.upper()), None)) is not None
    ]
    yield "| pairs | how many | said to contradict |"
    yield "| --- | ---: | ---: |"
    for name, found in rows.items():
        number, said = counted(found)
        yield f"| {name} | {number:,} | {said:,} |"


if __name__ == "__main__":
    for line in table():
        print(line)
