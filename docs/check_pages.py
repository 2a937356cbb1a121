"""The page of each check, and their index: what it asserts, when it does not look, and an example that is run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from check_examples import APPROVED, Example, Said, Verdicts

from pytest_grounded.cases.supported import NOT_YET_SUPPORTED
from pytest_grounded.checks.catalogue import CheckInfo

__all__ = ["index_page", "is_built", "page_of"]

_KEYS = {"relation": "relations", "budget": "budget"}
"""Families that a case has to ask for, with the key by which it does."""


def is_built(check: str) -> bool:
    """Whether this version can report a check; a case that asks for another one is refused."""
    return _KEYS.get(_family(check)) not in NOT_YET_SUPPORTED


def index_page(catalogue: Mapping[str, CheckInfo]) -> str:
    """Every check by family, with a link to its page."""
    lines = [
        "# Checks",
        "",
        "A finding fails the case it is found in. Its name is stable. The owner says who can usually mend it: the",
        "people behind the corpus, retrieval and the gate, generation, or delivery. Each page says what the check",
        "asserts, when it does not look, and shows an example that passes with the smallest edit that does not; the",
        "tests run them all.",
        "",
        "What was not looked at is never a silent pass: *not run* means that something the check needs was not",
        "observed, *not judged* that no rule decides it and no support judge was asked or none was sure. Both are",
        "counted in the summary; in a case with `risk: high`, or `unjudged: inconclusive`, what is not judged does not",
        "pass.",
        "",
        "A known failure is set aside for one case, with an owner and a last day, and reported all the same:",
        "",
        "```yaml",
        "waive:",
        "  - {check: quote.too_short, until: 2025-06-30, owner: Search team, why: one-word quotes until release 4}",
        "```",
        "",
    ]
    for family, found in groupby(catalogue.values(), key=lambda info: _family(info.name)):
        lines += [f"## {family}", "", "| check | what is found | owner | |", "| --- | --- | --- | --- |"]
        lines += [_row(info) for info in found]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _row(info: CheckInfo) -> str:
    said = "not built yet" if not is_built(info.name) else "never waived" if _is_never_waived(info) else ""
    return f"| [`{info.name}`](checks/{info.name}.md) | {info.summary} | {info.owner.value} | {said} |"


def page_of(info: CheckInfo, example: Example | None, verdicts: Verdicts) -> str:
    """The page of a check; one that is not built says so."""
    lines = [f"# `{info.name}`", "", f"{info.summary} Owner: {info.owner.value}. [All checks](../checks.md)", ""]
    if example is None:
        key = _KEYS.get(_family(info.name), "")
        lines += [f"Not built in this version: a case with the key `{key}` is refused (`case_file.unknown_key`).", ""]
        return "\n".join(lines).rstrip() + "\n"
    lines += ["## What it asserts", "", example.rule, ""]
    lines += ["## When it does not look", "", example.unless, ""]
    lines += ["## Waiving it", "", _waiving(info), ""]
    lines += ["## An example", "", *_example(example), *_found(example, verdicts.failing[info.name])]
    return "\n".join(lines).rstrip() + "\n"


def _waiving(info: CheckInfo) -> str:
    if _family(info.name) in _OF_FILES:
        return "It cannot be waived: what is wrong in a file is mended there."
    if _is_never_waived(info):
        return "It cannot be waived, and counts in every one of several runs."
    return f"`waive: [{{check: {info.name}, until: 2025-06-30, owner: ..., why: ...}}]` in the case."


def _is_never_waived(info: CheckInfo) -> bool:
    return info.never_waived or _family(info.name) in _OF_FILES


_OF_FILES = {"case_file", "corpus", "snapshot", "waive"}
"""Families about files of the project, which no case can excuse."""


def _example(example: Example) -> Iterator[str]:
    for name, text in sorted(example.files.items(), key=lambda item: _ORDER.index(item[0])):
        yield f"{_SHOWN[name]}:"
        yield ""
        yield f"```{'text' if name.endswith('.txt') else 'yaml'}"
        yield text.rstrip("\n")
        yield "```"
        yield ""
    if example.is_about_traces:
        yield "The trace of this is approved, and a run over it passes. The smallest edit that does not:"
    else:
        yield "This passes. The smallest edit that does not:"
    yield ""
    yield "```diff"
    yield example.diff()
    yield "```"
    yield ""


_SHOWN = {
    "corpus.yaml": "The corpus",
    "cases.yaml": "The case",
    "reply.yaml": "What the system replies (as YAML)",
    "reply.txt": "What the system replies",
    "reduced.yaml": "What it replies over the corpus without what the requester may not read (`variant: reduced`)",
    "absent.yaml": "What it replies to the absent question (`variant: absent`)",
    APPROVED: "The approved trace",
}
_ORDER = tuple(_SHOWN)


def _found(example: Example, said: tuple[Said, ...]) -> Iterator[str]:
    yield "What is found:"
    yield ""
    yield "```text"
    for one in said:
        yield f"{one.check} {one.where}".rstrip()
        yield f"  {one.message}"
    yield "```"
    if example.also:
        yield ""
        names = " and ".join(f"[`{name}`]({name}.md)" for name in example.also)
        yield f"The same edit is also {names}: one is not without the other."


def _family(check: str) -> str:
    return check.partition(".")[0]
