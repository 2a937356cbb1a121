"""What people get wrong in case files, and the exact line they are told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_grounded.errors import CaseError
from tests.counting import assert_linear, calls_of

from .files import CORPUS, HEAD, cases_of, load, write

A = "  - {id: a, kind: answerable, question: x}\n"


def problems(tmp_path: Path, cases: str, *, head: str = HEAD, corpus: str | None = CORPUS) -> list[str]:
    with pytest.raises(CaseError) as caught:
        cases_of(tmp_path, cases, head=head, corpus=corpus)
    return [str(problem).removeprefix("cases/travel/") for problem in caught.value.problems]


def flow(rest: str, kind: str = "answerable") -> str:
    """One case in one line, in which `rest` begins at column 29 with the kind `answerable`."""
    return f"  - {{id: a, kind: {kind}, {rest}, question: x}}\n"


def slot(rest: str) -> str:
    return flow(f"expect: {{slots: [{{name: n, {rest}}}]}}")


CODES = (
    "OUT_OF_SCOPE, NO_EVIDENCE, PARTIAL_EVIDENCE, CONFLICTING_EVIDENCE, STALE_OR_WITHDRAWN, NOT_AUTHORIZED, UNSAFE_INPUT, "
    "SYSTEM_FAILURE, POLICY_REFUSAL, UNVERIFIED_ANSWER, LOW_CONFIDENCE or any"
)

MISTAKES = {
    # keys
    "unknown key": (flow("qestion: y"), "a.yaml:6:31: a.qestion: unknown key 'qestion' (did you mean 'question'?)"),
    "another word for a key": (
        flow("query: y"),
        "a.yaml:6:31: a.query: unknown key 'query' (did you mean 'question'?)",
    ),
    "unknown key of a slot": (
        slot("values: ['1'], evidnce: [c1]"),
        "a.yaml:6:73: a.expect.slots[0].evidnce: unknown key 'evidnce' (did you mean 'evidence'?)",
    ),
    "unknown key of an inline requester": (
        flow("requester: {group: [staff]}"),
        "a.yaml:6:43: a.requester.group: unknown key 'group' (did you mean 'groups'?)",
    ),
    "no id": (
        "  - {kind: answerable, question: x}\n",
        "a.yaml:6:5: cases[0].id: key 'id' is missing (Short name, unique in the suite)",
    ),
    "no kind": (
        "  - {id: a, question: x}\n",
        "a.yaml:6:5: a.kind: key 'kind' is missing (answerable, multi_evidence, partial, unanswerable, conflicting or restricted)",
    ),
    "no question": (
        "  - {id: a, kind: answerable}\n",
        "a.yaml:6:5: a.question: key 'question' is missing (or steps, where several requests are sent)",
    ),
    "no name of a slot": (
        flow("expect: {slots: [{values: ['1']}]}"),
        "a.yaml:6:48: a.expect.slots[0].name: key 'name' is missing (What the part is called in messages)",
    ),
    "repeated key": (
        flow("kind: partial"),
        "a.yaml:6:31: a.kind: key 'kind' stands twice in one mapping, first in line 6 (keep one of them)",
    ),
    "repeated requester": (
        flow("requester: {groups: [staff], groups: [board]}"),
        "a.yaml:6:60: a.requester.groups: key 'groups' stands twice in one mapping, first in line 6 (keep one of them)",
    ),
    # types
    "kind": (
        "  - {id: a, kind: unaswerable, question: x}\n",
        (
            "a.yaml:6:19: a.kind: needs answerable, multi_evidence, partial, unanswerable, conflicting or restricted, "
            "found 'unaswerable' (did you mean 'unanswerable'?)"
        ),
    ),
    "blank question": (
        "  - {id: a, kind: answerable, question: ' '}\n",
        "a.yaml:6:41: a.question: needs text that is not blank, found ' '",
    ),
    "question of nothing": (
        "  - id: a\n    kind: answerable\n    question:\n",
        "a.yaml:8:14: a.question: key 'question' is missing (or steps, where several requests are sent)",
    ),
    "no for false": (
        slot("values: ['1'], blocking: no"),
        "a.yaml:6:83: a.expect.slots[0].blocking: needs true or false, found 'no'",
    ),
    "weight in words": (
        slot("values: ['1'], weight: heavy"),
        "a.yaml:6:81: a.expect.slots[0].weight: needs a number, found 'heavy'",
    ),
    "weight of nothing": (
        slot("values: ['1'], weight: 0"),
        "a.yaml:6:81: a.expect.slots[0].weight: needs a number above 0, found '0'",
    ),
    "weight without an end": (
        slot("values: ['1'], weight: .inf"),
        "a.yaml:6:81: a.expect.slots[0].weight: needs a number, found '.inf'",
    ),
    "risk": (flow("risk: hihg"), "a.yaml:6:37: a.risk: needs low, medium or high, found 'hihg' (did you mean 'high'?)"),
    "date": (flow("as_of: 2024-9-1"), "a.yaml:6:38: a.as_of: needs a date as YYYY-MM-DD, found '2024-9-1'"),
    "tags as a mapping": (flow("tags: {hotel: yes}"), "a.yaml:6:37: a.tags: needs a list, found a mapping"),
    "forbid as a list": (
        flow("forbid: [c1]"),
        "a.yaml:6:39: a.forbid: needs a mapping of keys to values, found a list",
    ),
    "role": (
        flow("history: [{role: bot, text: hi}]"),
        "a.yaml:6:48: a.history[0].role: needs user or assistant, found 'bot'",
    ),
    "no values": (
        slot("values: []"),
        "a.yaml:6:66: a.expect.slots[0].values: needs at least one entry, found an empty list",
    ),
    "value of nothing": (slot("values: [~]"), "a.yaml:6:67: a.expect.slots[0].values: needs text, found nothing"),
    "no evidence in a group": (
        slot("evidence: [[]]"),
        "a.yaml:6:68: a.expect.slots[0].evidence: needs at least one chunk id (leave the key out where no evidence is asked for), found a list",
    ),
    "ids and lists of ids": (
        slot("evidence: [c1, [c6]]"),
        "a.yaml:6:68: a.expect.slots[0].evidence: needs chunk ids (all of them together), or lists of chunk ids (any of the lists), not both, found a list",
    ),
    "a case that is text": ("  - hotel\n", "a.yaml:6:5: cases[0]: needs a mapping of keys to values, found 'hotel'"),
    "decision": (
        flow("expect: {decision: answr}"),
        "a.yaml:6:50: a.expect.decision: needs answer, partial, abstain, clarify, escalate or any, found 'answr' (did you mean 'answer'?)",
    ),
    "reason code": (
        flow("expect: {reason_code: NO_EVIDANCE}"),
        f"a.yaml:6:53: a.expect.reason_code: needs {CODES}, found 'NO_EVIDANCE' (did you mean 'NO_EVIDENCE'?)",
    ),
    "another project's reason code": (
        flow("expect: {reason: INSUFFICIENT_EVIDENCE}"),
        f"a.yaml:6:48: a.expect.reason: needs {CODES}, found 'INSUFFICIENT_EVIDENCE' (did you mean 'NO_EVIDENCE'?)",
    ),
    "two spellings of the reason": (
        flow("expect: {reason: NO_EVIDENCE, reason_code: NO_EVIDENCE}"),
        "a.yaml:6:40: a.expect.reason: 'reason' is another spelling of 'reason_code', found both (keep one)",
    ),
    "any and another": (
        flow("expect: {decision: [any, abstain]}"),
        "a.yaml:6:50: a.expect.decision: needs 'any' alone, or the ones that are allowed, found a list",
    ),
    "null and another": (
        flow("expect: {decision: [~, abstain]}"),
        "a.yaml:6:50: a.expect.decision: null means that the system failed and stands alone, found it beside other decisions",
    ),
    # ids of cases
    "capitals in an id": (
        "  - {id: Hotel Limit, kind: answerable, question: x}\n",
        (
            "a.yaml:6:10: Hotel Limit.id: needs lower-case letters, digits, '.', '_' and '-', at most 100, a letter or digit first, "
            "found 'Hotel Limit' (did you mean 'hotel-limit'?)"
        ),
    ),
    "a path as an id": (
        "  - {id: ../../a, kind: answerable, question: x}\n",
        "a.yaml:6:10: ../../a.id: needs lower-case letters, digits, '.', '_' and '-', at most 100, a letter or digit first, found '../../a' (did you mean 'a'?)",
    ),
    "a device as an id": (
        "  - {id: con, kind: answerable, question: x}\n",
        "a.yaml:6:10: con.id: 'con' is the name of a device on Windows, where no file can have it (choose another)",
    ),
    "a device with an ending": (
        "  - {id: lpt1.log, kind: answerable, question: x}\n",
        "a.yaml:6:10: lpt1.log.id: 'lpt1.log' is the name of a device on Windows, where no file can have it (choose another)",
    ),
    "an id in another script": (
        "  - {id: 호텔, kind: answerable, question: x}\n",
        "a.yaml:6:10: 호텔.id: needs lower-case letters, digits, '.', '_' and '-', at most 100, a letter or digit first, found '호텔'",
    ),
    "an id twice": (A + A, "a.yaml:7:10: a.id: id 'a' is taken by cases[0] (choose another)"),
    # chunks
    "unknown chunk": (
        slot("evidence: [c11]"),
        "a.yaml:6:69: a.expect.slots[0].evidence: chunk 'c11' is not in corpus 'travel' (did you mean 'c1'?)",
    ),
    "unknown chunk in a group": (
        slot("evidence: [[c1], [c6, x]]"),
        "a.yaml:6:80: a.expect.slots[0].evidence: chunk 'x' is not in corpus 'travel'",
    ),
    "unknown chunk, one as text": (
        flow("expect: {cite: C1}"),
        "a.yaml:6:46: a.expect.cite: chunk 'C1' is not in corpus 'travel' (did you mean 'c1'?)",
    ),
    "unknown chunk forbidden": (
        flow("forbid: {evidence: [memo-77]}"),
        "a.yaml:6:51: a.forbid.evidence: chunk 'memo-77' is not in corpus 'travel'",
    ),
    "unknown chunk that wins": (
        flow("expect: {conflict: {resolved_to: c66}}", kind="conflicting"),
        "a.yaml:6:65: a.expect.conflict.resolved_to: chunk 'c66' is not in corpus 'travel' (did you mean 'c6'?)",
    ),
    "unreadable evidence": (
        flow("expect: {cite: [c1, memo-7]}"),
        "a.yaml:6:51: a.expect.cite: chunk 'memo-7' may not be read by requester 'employee' (name one they may read)",
    ),
    "unreadable side": (
        flow(
            "expect: {conflict: {sides: [{value: '1', chunks: [c6]}, {value: '2', chunks: [memo-7]}]}}",
            kind="conflicting",
        ),
        "a.yaml:6:110: a.expect.conflict.sides[1].chunks: chunk 'memo-7' may not be read by requester 'employee' (name one they may read)",
    ),
    "evidence that has ended": (
        slot("evidence: [c2]"),
        (
            "a.yaml:6:69: a.expect.slots[0].evidence: chunk 'c2' is not in force on 2024-10-01, it is in force until 2024-06-30 "
            "(name one that is, or set as_of)"
        ),
    ),
    "evidence from the future": (
        flow("expect: {cite: [c3]}"),
        "a.yaml:6:47: a.expect.cite: chunk 'c3' is not in force on 2024-10-01, it is in force from 2025-01-01 (name one that is, or set as_of)",
    ),
    "evidence that nobody knew of": (
        flow("expect: {cite: [c5]}"),
        "a.yaml:6:47: a.expect.cite: chunk 'c5' became known on 2024-11-01, after 2024-10-01 (name another, or set as_of)",
    ),
    "evidence for other people": (
        flow("expect: {cite: [c4]}"),
        "a.yaml:6:47: a.expect.cite: chunk 'c4' does not apply to requester 'employee' by its audience or scope (name one that does)",
    ),
    "a value that is not there": (
        slot("values: ['150', '170'], evidence: [c1]"),
        "a.yaml:6:66: a.expect.slots[0].values: '150' or '170' do not occur in 'c1' (write a value that stands there, or mark the slot derived: true)",
    ),
    # rules over several keys
    "a slot of nothing": (
        flow("expect: {slots: [{name: n}]}"),
        "a.yaml:6:48: a.expect.slots[0]: a slot needs values, evidence or states (one of them is enough)",
    ),
    "a slot twice": (
        flow("expect: {slots: [{name: n, values: ['1']}, {name: n, values: ['2']}]}"),
        "a.yaml:6:81: a.expect.slots[1].name: slot name 'n' stands twice (name each slot once)",
    ),
    "one side of a conflict": (
        flow("expect: {conflict: {sides: [{value: '1', chunks: [c6]}]}}", kind="conflicting"),
        "a.yaml:6:59: a.expect.conflict.sides: needs at least 2 entries, found a list",
    ),
    "nothing asserted": (
        flow("expect: {decision: any, reason_code: any}"),
        "a.yaml:6:31: a.expect: asserts nothing: decision and reason are any and nothing else is set (set what has to hold)",
    ),
    "missing parts of a full answer": (
        flow("expect: {missing: [Paris]}"),
        "a.yaml:6:40: a.expect.missing: missing parts cannot be named by a full answer (kind: partial, or another expect.decision)",
    ),
    "unknown requester": (
        flow("requester: employe"),
        "a.yaml:6:42: a.requester: requester 'employe' is not among the requesters of this file (did you mean 'employee'?)",
    ),
    "restricted about nothing": (
        "  - {id: a, kind: restricted, question: x}\n",
        "a.yaml:6:5: a.about: kind: restricted needs the ids of the chunks that the requester may not read, found none",
    ),
    "restricted about an empty list": (
        flow("about: []", kind="restricted"),
        "a.yaml:6:38: a.about: kind: restricted needs the ids of the chunks that the requester may not read, found none",
    ),
    "restricted about a readable chunk": (
        flow("about: [c1]", kind="restricted"),
        "a.yaml:6:39: a.about: chunk 'c1' may be read by requester 'employee': nothing about it is restricted (name one they may not read)",
    ),
    "restricted about no chunk": (
        flow("about: [memo-9]", kind="restricted"),
        "a.yaml:6:39: a.about: chunk 'memo-9' is not in corpus 'travel'",
    ),
    "restricted about a chunk that is not there yet": (
        flow("about: [memo-8]", kind="restricted"),
        "a.yaml:6:39: a.about: chunk 'memo-8' became known on 2024-11-01, after 2024-10-01 (name another, or set as_of)",
    ),
    "about on another kind": (
        flow("about: [memo-7]"),
        "a.yaml:6:31: a.about: only kind: restricted has 'about', found kind: answerable (change the kind or take it out)",
    ),
    "not supported yet": (
        flow("budget: {tokens: 9}"),
        "a.yaml:6:31: a.budget: 'budget' is known, not supported by this version (take it out)",
    ),
    # other files
    "a corpus above": (
        flow("corpus: ../corpus.yaml"),
        "a.yaml:6:39: a.corpus: corpus '../corpus.yaml' leads out of the folder with '..' (name a file below the folder)",
    ),
    "a corpus anywhere": (
        flow("corpus: /etc/passwd"),
        "a.yaml:6:39: a.corpus: corpus '/etc/passwd' is absolute (name a file below the folder)",
    ),
    "a corpus on Windows": (
        flow(r"corpus: ..\..\x"),
        r"a.yaml:6:39: a.corpus: corpus '..\\..\\x' holds a backslash; folders are separated by / (name a file below the folder)",
    ),
    "a corpus that is not there": (
        flow("corpus: corpus-2023.yaml"),
        "a.yaml:6:39: a.corpus: corpus 'corpus-2023.yaml' is no file beside or below this one (name the manifest of a corpus; `pytest-grounded init` writes one)",
    ),
    # YAML
    "an anchor": (
        "  - &a {id: a, kind: answerable, question: x}\n",
        "a.yaml:6:5: a: anchor &a (write the value out where it is used)",
    ),
    "a merge key": (flow("expect: {<<: {cite: [c1]}}"), "a.yaml:6:40: a.expect: merge key << (write the keys out)"),
    "a tag": (
        flow("risk: !!str high"),
        "a.yaml:6:37: a.risk: tag 'tag:yaml.org,2002:str' (leave it out: the field decides the type)",
    ),
    "a second document": (
        A + "---\ncases: []\n",
        "a.yaml:7:1: a second document begins here (keep one document in a file)",
    ),
    "a colon": (
        "  - id: a\n    why: it is: so\n",
        "a.yaml:7:15: a: mapping values are not allowed in this context (put text that has a colon in it in quotes)",
    ),
}


@pytest.mark.parametrize(("cases", "line"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told_with_its_place(tmp_path: Path, cases: str, line: str) -> None:
    assert problems(tmp_path, cases) == [line]


HEADS = {
    "no cases": (
        "cases: []\n",
        "a.yaml:1:8: cases: needs a list of cases, found an empty list (write at least one, or take the file away)",
    ),
    "cases of nothing": (
        "cases:\n",
        "a.yaml:1:7: cases: needs a list of cases, found nothing (write at least one, or take the file away)",
    ),
    "cases as a mapping": (
        "cases: {a: {kind: answerable}}\n",
        "a.yaml:1:8: cases: needs a list of cases, found a mapping (write at least one, or take the file away)",
    ),
    "unknown key": (
        "requestors: {}\ncases:\n" + A,
        "a.yaml:1:1: requestors: unknown key 'requestors' (did you mean 'requesters'?)",
    ),
    "default that is unknown": (
        "defaults: {group: [staff]}\ncases:\n" + A,
        "a.yaml:1:12: defaults.group: unknown key 'group'",
    ),
    "default that is not supported": (
        "defaults: {relations: [order]}\ncases:\n" + A,
        "a.yaml:1:12: defaults.relations: 'relations' is known, not supported by this version (take it out)",
    ),
    "default requester": (
        "defaults: {requester: emplyee}\n" + HEAD.replace("defaults: {requester: employee}\n", "") + A,
        "a.yaml:1:23: defaults.requester: requester 'emplyee' is not among the requesters of this file (did you mean 'employee'?)",
    ),
    "alias of no chunk": (
        "aliases: {std: c99}\ncases:\n" + A,
        "a.yaml:1:16: aliases.std: chunk 'c99' is not in corpus 'travel'",
    ),
    "alias that hides a chunk": (
        "aliases: {c1: c2}\ncases:\n" + A,
        "a.yaml:1:11: aliases.c1: alias 'c1' is the id of a chunk as well (choose another name)",
    ),
}


@pytest.mark.parametrize(("text", "line"), HEADS.values(), ids=HEADS)
def test_a_mistake_in_the_head_is_told_once(tmp_path: Path, text: str, line: str) -> None:
    assert problems(tmp_path, "", head=text) == [line]


def test_all_mistakes_of_a_file_are_told_at_once_in_its_order(tmp_path: Path) -> None:
    cases = (
        "  - {id: a, kind: answerable, question: x, expect: {cite: [c9]}, reqester: y}\n"
        "  - {id: b, kind: restricted, question: x, about: [c1], forbid: {evidence: [c8]}}\n"
        "  - {id: b, kind: partial, question: '', risk: none}\n"
    )
    assert problems(tmp_path, cases) == [
        "a.yaml:6:60: a.expect.cite: chunk 'c9' is not in corpus 'travel'",
        "a.yaml:6:66: a.reqester: unknown key 'reqester' (did you mean 'requester'?)",
        "a.yaml:7:52: b.about: chunk 'c1' may be read by requester 'employee': nothing about it is restricted (name one they may not read)",
        "a.yaml:7:77: b.forbid.evidence: chunk 'c8' is not in corpus 'travel'",
        "a.yaml:8:10: b.id: id 'b' is taken by cases[1] (choose another)",
        "a.yaml:8:38: b.question: needs text that is not blank, found ''",
        "a.yaml:8:48: b.risk: needs low, medium or high, found 'none'",
    ]


def test_a_corpus_that_is_not_there_is_told_once_for_all_cases(tmp_path: Path) -> None:
    assert problems(tmp_path, A + A.replace("a,", "b,"), corpus=None) == [
        "a.yaml:1:1: corpus: corpus 'corpus.yaml' is no file beside or below this one (name the manifest of a corpus; `pytest-grounded init` writes one)"
    ]


def test_a_corpus_that_is_wrong_is_told_with_its_own_places(tmp_path: Path) -> None:
    assert problems(tmp_path, A, corpus="corpus: t\nchunks:\n  - {id: c1}\n") == [
        "corpus.yaml:3:5: c1.text: key 'text' is missing (The words that may be quoted)"
    ]


def test_a_day_has_to_come_from_somewhere(tmp_path: Path) -> None:
    assert problems(tmp_path, A, corpus="corpus: t\nchunks: []\n") == [
        "a.yaml:6:5: a.as_of: no day is set, neither here nor in the defaults nor in corpus 't' (set as_of)"
    ]


def test_two_ids_that_differ_in_case_alone_are_one(tmp_path: Path) -> None:
    assert (
        problems(tmp_path, A + A.replace("id: a", "id: A"))[-1]
        == "a.yaml:7:10: A.id: id 'A' is taken by cases[0] (choose another)"
    )


def test_every_problem_has_a_code_that_names_its_kind(tmp_path: Path) -> None:
    with pytest.raises(CaseError) as caught:
        cases_of(
            tmp_path,
            flow("expect: {cite: [c9, memo-7, c2]}, reqester: y") + A + A + flow("expect: {cite: [c9, memo-7, c2]}"),
        )
    codes = {problem.code for problem in caught.value.problems}
    kinds = {"unknown_key", "duplicate_id", "unknown_chunk", "unreadable_evidence", "stale_evidence"}
    assert codes == {f"case_file.{kind}" for kind in kinds}


def test_an_unreadable_chunk_is_never_suggested_and_never_quoted(tmp_path: Path) -> None:
    told = problems(
        tmp_path, flow("expect: {cite: [memo-6, memo-7], slots: [{name: n, values: ['1'], evidence: [memo-7]}]}")
    )
    assert "did you mean" not in told[0]
    assert not [line for line in told if "42000" in line]


def _aliases(n: int) -> str:
    return "cases:\n" + "".join(f"  - {{id: c{i}, kind: answerable, question: *x}}\n" for i in range(n))


def _many_keys(n: int) -> str:
    return "cases:\n  - {id: a, kind: answerable, question: x, " + "".join(f"k{i}: v, " for i in range(n)) + "}"


@pytest.mark.parametrize(
    ("made", "size"),
    [
        pytest.param(_aliases, 10_000, id="aliases"),
        pytest.param(lambda n: "cases: " + "[" * n, 20_000, id="depth"),
        pytest.param(
            lambda n: "cases:\n" + "".join(f"  - {{kind: {i}}}\n" for i in range(n)), 20_000, id="nothing but mistakes"
        ),
        pytest.param(lambda n: "cases: [" + "a, " * n + "a]", 300_000, id="many words"),
        pytest.param(_many_keys, 60_000, id="many keys"),
    ],
)
def test_a_hostile_file_is_refused_in_calls_by_its_length(
    tmp_path: Path, made: Callable[[int], str], size: int
) -> None:
    assert_linear(lambda text: _faults(tmp_path, text), made, 200)
    assert _faults(tmp_path, made(size)) > 0


def test_a_file_of_more_than_a_mebibyte_is_refused_unread(tmp_path: Path) -> None:
    text = f"cases:\n{A}    # {'x' * 2**20}\n"
    assert calls_of(lambda: _faults(tmp_path, text)) < 10_000


def _faults(folder: Path, text: str) -> int:
    with pytest.raises(CaseError) as caught:
        load(folder, write(folder, "", head=text))
    return len(caught.value.problems)
