"""The summary of a run: decisions by kind, changes by class, findings by check and owner, what was not looked at.

Works on the lines of the results file, so that a run and a results file read later give the same summary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pytest_grounded.reporting.changes import APPROVE_NEW, change_lines

__all__ = ["summary_lines"]

Record = Mapping[str, Any]
_DECISIONS = ("answer", "partial", "abstain", "clarify", "escalate", "none")
_KINDS = ("answerable", "multi_evidence", "partial", "unanswerable", "conflicting", "restricted")


def summary_lines(
    records: Iterable[Record], *, details: Mapping[str, Sequence[str]] | None = None, approve_new: str = APPROVE_NEW
) -> list[str]:
    """The lines of the terminal summary for these results; none where nothing ran.

    `details` holds further lines about the trace of a case, by `suite/case`; `approve_new` is what to type to approve
    all first traces.
    """
    rows = sorted(records, key=lambda record: (record["suite"], record["case"]))
    if not rows:
        return []
    lines = [_verdicts(rows), *_decisions(rows)]
    lines += change_lines(rows, details or {}, approve_new=approve_new)
    lines += _findings(rows)
    lines += _waived(rows)
    lines += _leakage(rows)
    lines += _judges(rows)
    lines += _unlooked("not run", "not_run", rows)
    lines += _unlooked("not judged", "not_judged", rows)
    return lines


def _verdicts(rows: Sequence[Record]) -> str:
    counts = Counter(row["verdict"] for row in rows)
    parts = [f"{counts[name]} {name}" for name in ("pass", "fail", "inconclusive", "error") if counts[name]]
    suites = sorted({row["suite"] for row in rows})
    return f"{_cases(len(rows))} in {', '.join(suites)}: {', '.join(parts)}"


def _decisions(rows: Sequence[Record]) -> list[str]:
    counts = Counter((row["kind"], row["decision"] or "none") for row in rows)
    used = [decision for decision in _DECISIONS if any(counts[kind, decision] for kind in _KINDS)]
    table = [("decisions by kind", *used)]
    table += [
        (f"  {kind}", *(str(counts[kind, decision] or ".") for decision in used))
        for kind in _KINDS
        if any(counts[kind, decision] for decision in used)
    ]
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    return [_aligned(row, widths) for row in table]


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = (
        cell.ljust(width) if i == 0 else cell.rjust(width)
        for i, (cell, width) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join([first, *rest]).rstrip()


def _findings(rows: Sequence[Record]) -> list[str]:
    found = [(finding["check"], finding["owner"], row["case"]) for row in rows for finding in row["findings"]]
    if not found:
        return []
    by_check = Counter((check, owner) for check, owner, _ in found)
    cases = {key: sorted({case for check, owner, case in found if (check, owner) == key}) for key in by_check}
    owners = Counter(owner for _, owner, _ in found)
    lines = ["findings by owner: " + ", ".join(f"{owner} {count}" for owner, count in _by_count(owners))]
    lines.append("findings by check")
    for (check, owner), count in _by_count(by_check):
        lines.append(f"  {check} x{count} ({owner}): {_some(cases[check, owner])}")
    return lines


def _waived(rows: Sequence[Record]) -> list[str]:
    """Known failures, each with its owner and its last day, the first to run out first."""
    waived = {
        (one["waiver"]["until"], one["check"], f"{row['suite']}/{row['case']}", one["waiver"]["owner"])
        for row in rows
        for one in row.get("waived", ())
    }
    lines = [f"  {check} in {case}: {owner}, until {until}" for until, check, case, owner in sorted(waived)]
    return [f"waived, reported and not failing: {len(lines)}", *lines] if lines else []


def _leakage(rows: Sequence[Record]) -> list[str]:
    """Verdicts about leaks, whose power was not shown, what was left out, and what the comparison cost."""
    found = [row["leakage"] for row in rows if row.get("leakage")]
    if not found:
        return []
    verdicts = Counter(leakage["verdict"] for leakage in found)
    line = "leakage: " + ", ".join(f"{count} {verdict}" for verdict, count in _by_count(verdicts))
    lines = [line, *_without_power(rows)]
    calls, probes = (sum(leakage.get(key, 0) for leakage in found) for key in ("calls", "probes"))
    if calls:
        unsettled = sum(leakage.get("unsettled_probes", 0) for leakage in found)
        apart = f", {unsettled} of them not compared" if unsettled else ""
        lines.append(f"  {calls} further requests were sent for it, with {probes} probes{apart} (--grounded-probes)")
    shared = sum(1 for leakage in found if leakage.get("state") == "shared")
    if shared:
        lines.append(f"  in {shared} both runs met the same system, with what it keeps: give it a method fresh()")
    ignored = Counter(f"{one['field']} ({one['reason']})" for leakage in found for one in leakage.get("ignored", ()))
    lines += [f"  not compared in {count}: {what}" for what, count in _by_count(ignored)]
    elsewhere = sum(1 for leakage in found if leakage.get("known_elsewhere"))
    if elsewhere:
        lines.append(f"  in {elsewhere} unreadable text is shown that the system knows from elsewhere (strict_memory)")
    return lines


def _without_power(rows: Sequence[Record]) -> list[str]:
    """Where nothing showed that the system could have told, by reason."""
    why: dict[str, list[str]] = {}
    for row in rows:
        leakage = row.get("leakage") or {}
        if leakage.get("power") == "not_shown":
            reason = leakage.get("why", {}).get("power", "no reason is given")
            why.setdefault(reason, []).append(f"{row['suite']}/{row['case']}")
    by_count = sorted(why.items(), key=lambda item: (-len(item[1]), item[0]))
    return [f"  power not shown in {len(cases)}, {reason}: {_some(sorted(cases))}" for reason, cases in by_count]


def _judges(rows: Sequence[Record]) -> list[str]:
    """Who ruled on what no rule decides, how often, and how far that may be trusted."""
    said: dict[tuple[str, str, str], Counter[str]] = {}
    for judge in (row["judge"] for row in rows if row.get("judge")):
        counts = said.setdefault((judge["name"], judge["version"], judge["error"] or ""), Counter())
        for ruling in judge["rulings"]:
            counts[ruling["verdict"] or "none"] += 1
            counts["kept"] += ruling["cached"]
    lines = []
    for (name, version, error), counts in sorted(said.items()):
        verdicts = ", ".join(f"{counts[word]} {word}" for word in ("support", "contradict", "neutral") if counts[word])
        kept = f" ({counts['kept']} of them kept from before)" if counts["kept"] else ""
        left = f"; {counts['none']} left open" if counts["none"] else ""
        lines.append(f"judge {name}/{version}: {verdicts or 'no verdict'}{kept}{left}")
        lines.append(f"  its error: {error}" if error else "  its error is not measured, so nothing is ruled by it")
    return lines


def _unlooked(title: str, key: str, rows: Sequence[Record]) -> list[str]:
    """What gave no verdict, by check: in how many cases, and why."""
    cases: dict[str, set[str]] = {}
    reasons: dict[str, set[str]] = {}
    for row in rows:
        for item in row[key]:
            cases.setdefault(item["check"], set()).add(f"{row['suite']}/{row['case']}")
            reasons.setdefault(item["check"], set()).add(item["reason"])
    by_reason: dict[tuple[str, int], list[str]] = {}
    for check, found in cases.items():
        why = sorted(reasons[check])
        shown = why[0] if len(why) == 1 else f"for {len(why)} reasons, such as: {why[0]}"
        by_reason.setdefault((shown, len(found)), []).append(check)
    lines = sorted(
        (-count, f"  {', '.join(sorted(checks))} in {_cases(count)}: {why}")
        for (why, count), checks in by_reason.items()
    )
    return [title, *(line for _, line in lines)] if lines else []


def _cases(count: int) -> str:
    return f"{count} case{'' if count == 1 else 's'}"


def _by_count(counts: Counter[Any]) -> list[tuple[Any, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], str(item[0])))


def _some(names: Sequence[str], most: int = 5) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
