"""How often the number check rejects claims that people called supported, and how often those they did not.

    python benchmarks/false_alarms_numbers.py FOLDER [--misses LABEL]

FOLDER holds `wice/claims.jsonl` (claim, evidence sentences, label) and `begin_wow/pairs.jsonl` (claim, evidence,
label); the texts are share-alike and stay outside the package. A claim counts where it states a quantity; it is
rejected where one of them has no equal in the evidence. What the evidence gives for dates is often the page's own date
and not in these sets, so the share without dates and periods is printed beside it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pytest_grounded.text.quantities import Match, Quantity, best_match, find_quantities

SETS = ("wice/claims.jsonl", "begin_wow/pairs.jsonl")


def rows(path: Path) -> Iterator[tuple[str, str, str]]:
    """Claim, evidence and label of every line."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            evidence = row["evidence"]
            yield row["claim"], evidence if isinstance(evidence, str) else "\n".join(evidence), row["label"]


def unmatched(claim: str, evidence: str) -> tuple[Quantity, ...] | None:
    """The quantities of a claim that the evidence does not state; None where the claim states none."""
    stated = find_quantities(claim, lang="en")
    if not stated:
        return None
    sources = find_quantities(evidence, lang="en", incidental=True)
    return tuple(quantity for quantity in stated if best_match(quantity, sources)[0] is not Match.EQUAL)


def measure(path: Path, misses: str | None) -> None:
    """Print the shares for one set."""
    claims: Counter[str] = Counter()
    rejected: Counter[str] = Counter()
    undated: Counter[str] = Counter()
    started = time.perf_counter()
    for claim, evidence, label in rows(path):
        missing = unmatched(claim, evidence)
        if missing is None:
            continue
        claims[label] += 1
        rejected[label] += bool(missing)
        undated[label] += any(not quantity.is_period for quantity in missing)
        if missing and label == misses:
            print("   ", [quantity.raw for quantity in missing], claim)
    seconds = time.perf_counter() - started
    print(f"{path.parent.name}: {claims.total()} claims with a number, {seconds:.2f} s")
    for label in sorted(claims):
        share, other = rejected[label] / claims[label], undated[label] / claims[label]
        print(
            f"  {label:24} {rejected[label]:3} of {claims[label]:3} rejected ({share:6.1%}), "
            f"{undated[label]:3} for more than a date or period ({other:6.1%})"
        )


def main() -> None:
    """Measure every set in the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--misses", metavar="LABEL", help="print the rejected claims of this label")
    options = parser.parse_args()
    for name in SETS:
        measure(options.folder / name, options.misses)


if __name__ == "__main__":
    main()
