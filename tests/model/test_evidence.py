"""Who may read a chunk, when it is in force, to whom it applies: a table for each of the three questions."""

from __future__ import annotations

import pickle
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.model.evidence import ANONYMOUS, Chunk, Corpus, CorpusView, Requester
from pytest_grounded.testing.builders import make_chunk, make_corpus, make_requester

TODAY = date(2024, 10, 1)
STAFF = make_requester("staff")


def view(*chunks: Chunk, requester: Requester = STAFF, as_of: str = "2024-10-01") -> CorpusView:
    return make_corpus(*chunks).view(requester, date.fromisoformat(as_of))


IN_FORCE: dict[str, tuple[dict[str, Any], str, bool]] = {
    "no dates": ({}, "2024-10-01", True),
    "on its first day": ({"effective_from": "2024-10-01"}, "2024-10-01", True),
    "the day before its first": ({"effective_from": "2024-10-02"}, "2024-10-01", False),
    "on its last day": ({"effective_to": "2024-10-01"}, "2024-10-01", True),
    "the day after its last": ({"effective_to": "2024-09-30"}, "2024-10-01", False),
    "one day long": ({"effective_from": "2024-10-01", "effective_to": "2024-10-01"}, "2024-10-01", True),
    "asked of the past, before its start": ({"effective_from": "2024-07-01"}, "2024-06-30", False),
    "asked of the past, after its start": ({"effective_from": "2024-07-01"}, "2024-07-01", True),
    "end before its own start": ({"effective_from": "2024-10-01", "effective_to": "2024-09-01"}, "2024-09-15", False),
    "end before its own start, on its start": (
        {"effective_from": "2024-10-01", "effective_to": "2024-09-01"},
        "2024-10-01",
        False,
    ),
    "withdrawn without an end": ({"status": "withdrawn"}, "2024-10-01", False),
    "withdrawn without an end, long ago": (
        {"status": "withdrawn", "effective_from": "2020-01-01"},
        "2021-01-01",
        False,
    ),
    "withdrawn, until its end": ({"status": "withdrawn", "effective_to": "2024-03-31"}, "2024-03-31", True),
    "withdrawn, after its end": ({"status": "withdrawn", "effective_to": "2024-03-31"}, "2024-04-01", False),
    "superseded without end or successor": ({"status": "superseded"}, "2024-10-01", False),
    "superseded without end or successor, long ago": (
        {"status": "superseded", "effective_from": "2020-01-01"},
        "2021-01-01",
        False,
    ),
    "superseded, until its end": ({"status": "superseded", "effective_to": "2024-06-30"}, "2024-06-30", True),
    "superseded, after its end": ({"status": "superseded", "effective_to": "2024-06-30"}, "2024-07-01", False),
}


@pytest.mark.parametrize(("fields", "as_of", "expected"), IN_FORCE.values(), ids=IN_FORCE)
def test_a_chunk_by_itself_is_in_force(fields: dict[str, Any], as_of: str, expected: bool) -> None:  # noqa: FBT001
    assert view(make_chunk("c1", **fields), as_of=as_of).in_force("c1") is expected


SUPERSEDED: dict[str, tuple[list[Chunk], str, bool]] = {
    "named, on the eve of the successor": (
        [
            make_chunk("c1", effective_from="2023-01-01"),
            make_chunk("c2", supersedes=["c1"], effective_from="2024-07-01"),
        ],
        "2024-06-30",
        True,
    ),
    "named, once the successor begins": (
        [
            make_chunk("c1", effective_from="2023-01-01"),
            make_chunk("c2", supersedes=["c1"], effective_from="2024-07-01"),
        ],
        "2024-07-01",
        False,
    ),
    "named by two, the earlier start counts": (
        [
            make_chunk("c1"),
            make_chunk("c2", supersedes=["c1"], effective_from="2024-09-01"),
            make_chunk("c3", supersedes=["c1"], effective_from="2024-07-01"),
        ],
        "2024-08-01",
        False,
    ),
    "named, with an end of its own": (
        [make_chunk("c1", effective_to="2024-12-31"), make_chunk("c2", supersedes=["c1"], effective_from="2024-07-01")],
        "2024-10-01",
        True,
    ),
    "named by a successor without a start": (
        [make_chunk("c1"), make_chunk("c2", supersedes=["c1"])],
        "2024-10-01",
        False,
    ),
    "named by one that is withdrawn": (
        [make_chunk("c1"), make_chunk("c2", supersedes=["c1"], effective_from="2024-07-01", status="withdrawn")],
        "2024-10-01",
        False,
    ),
    "named by itself": ([make_chunk("c1", supersedes=["c1"])], "2024-10-01", True),
    "named by an unreadable chunk": (
        [make_chunk("c1"), make_chunk("c2", supersedes=["c1"], effective_from="2024-07-01", readers=["board"])],
        "2024-10-01",
        True,
    ),
    "named by another tenant's chunk": (
        [make_chunk("c1"), make_chunk("c2", supersedes=["c1"], effective_from="2024-07-01", tenant="other")],
        "2024-10-01",
        True,
    ),
    "named by a chunk that is not known yet": (
        [make_chunk("c1"), make_chunk("c2", supersedes=["c1"], effective_from="2024-07-01", ingested_at="2024-11-01")],
        "2024-10-01",
        True,
    ),
    "by status, later version of the document with the fact": (
        [
            make_chunk("c1", status="superseded", document="d", effective_from="2023-01-01", facts={"limit": "150"}),
            make_chunk("c2", document="d", effective_from="2024-07-01", facts={"limit": "180"}),
        ],
        "2024-06-30",
        True,
    ),
    "by status, once the later version begins": (
        [
            make_chunk("c1", status="superseded", document="d", effective_from="2023-01-01", facts={"limit": "150"}),
            make_chunk("c2", document="d", effective_from="2024-07-01", facts={"limit": "180"}),
        ],
        "2024-07-01",
        False,
    ),
    "by status, later version of another document": (
        [
            make_chunk("c1", status="superseded", document="d", effective_from="2023-01-01", facts={"limit": "150"}),
            make_chunk("c2", document="e", effective_from="2024-07-01", facts={"limit": "180"}),
        ],
        "2024-01-01",
        False,
    ),
    "by status, later version of another fact": (
        [
            make_chunk("c1", status="superseded", document="d", effective_from="2023-01-01", facts={"limit": "150"}),
            make_chunk("c2", document="d", effective_from="2024-07-01", facts={"parking": "12"}),
        ],
        "2024-01-01",
        False,
    ),
    "by status, the later version is unreadable": (
        [
            make_chunk("c1", status="superseded", document="d", effective_from="2023-01-01", facts={"limit": "150"}),
            make_chunk("c2", document="d", effective_from="2024-07-01", facts={"limit": "180"}, readers=["board"]),
        ],
        "2024-01-01",
        False,
    ),
    "current, a later version alone ends nothing": (
        [
            make_chunk("c1", document="d", effective_from="2023-01-01", facts={"limit": "150"}),
            make_chunk("c2", document="d", effective_from="2024-07-01", facts={"limit": "180"}),
        ],
        "2024-10-01",
        True,
    ),
    "the name counts before the later version": (
        [
            make_chunk("c1", document="d", effective_from="2023-01-01", facts={"limit": "150"}),
            make_chunk("c2", document="d", effective_from="2023-06-01", facts={"limit": "160"}),
            make_chunk("c3", supersedes=["c1"], effective_from="2024-07-01"),
        ],
        "2024-01-01",
        True,
    ),
    "successor begins before it": (
        [
            make_chunk("c1", effective_from="2024-07-01"),
            make_chunk("c2", supersedes=["c1"], effective_from="2023-01-01"),
        ],
        "2024-10-01",
        False,
    ),
    "a circle": (
        [
            make_chunk("c1", supersedes=["c2"], effective_from="2024-01-01"),
            make_chunk("c2", supersedes=["c1"], effective_from="2024-07-01"),
        ],
        "2024-06-01",
        True,
    ),
}


@pytest.mark.parametrize(("chunks", "as_of", "expected"), SUPERSEDED.values(), ids=SUPERSEDED)
def test_a_superseded_chunk_is_in_force(chunks: list[Chunk], as_of: str, expected: bool) -> None:  # noqa: FBT001
    assert view(*chunks, as_of=as_of).in_force("c1") is expected


def test_a_successor_shows_only_to_those_who_may_read_it() -> None:
    chunks = make_chunk("c1"), make_chunk("c2", supersedes=["c1"], effective_from="2024-07-01", readers=["board"])
    assert not view(*chunks, requester=make_requester("board")).in_force("c1")
    assert view(*chunks, requester=make_requester("staff")).in_force("c1")


READABLE: dict[str, tuple[dict[str, Any], Requester, bool]] = {
    "everyone": ({"readers": ["*"]}, ANONYMOUS, True),
    "nobody": ({"readers": []}, STAFF, False),
    "nobody, not even a group named *": ({"readers": []}, make_requester("*"), False),
    "own group": ({"readers": ["board", "staff"]}, STAFF, True),
    "another group": ({"readers": ["board"]}, STAFF, False),
    "a group whose name begins alike": ({"readers": ["staff-external"]}, STAFF, False),
    "another case": ({"readers": ["Staff"]}, STAFF, False),
    "own tenant": ({"tenant": "acme"}, make_requester("staff", tenant="acme"), True),
    "another tenant, though everyone may read": ({"tenant": "acme"}, make_requester("staff", tenant="other"), False),
    "a tenant, asked by one without": ({"tenant": "acme"}, STAFF, False),
    "all tenants": ({"tenant": None}, make_requester("staff", tenant="acme"), True),
    "own tenant, another group": (
        {"tenant": "acme", "readers": ["board"]},
        make_requester("staff", tenant="acme"),
        False,
    ),
    "audience is no permission": (
        {"readers": ["board"], "audience": ["employee"]},
        make_requester(audience="employee"),
        False,
    ),
}


@pytest.mark.parametrize(("fields", "requester", "expected"), READABLE.values(), ids=READABLE)
def test_a_chunk_is_readable(fields: dict[str, Any], requester: Requester, expected: bool) -> None:  # noqa: FBT001
    assert make_chunk("c1", **fields).readable_by(requester) is expected


APPLIES: dict[str, tuple[dict[str, Any], dict[str, Any], bool]] = {
    "to all": ({}, {"audience": "employee"}, True),
    "to the requester's audience": ({"audience": ["employee"]}, {"audience": "employee"}, True),
    "to one of several": ({"audience": ["employee", "intern"]}, {"audience": ["intern"]}, True),
    "to another audience": ({"audience": ["contractor"]}, {"audience": "employee"}, False),
    "the requester states none": ({"audience": ["contractor"]}, {}, True),
    "the same region": ({"scope": {"region": "EMEA"}}, {"scope": {"region": "EMEA"}}, True),
    "another region": ({"scope": {"region": "EMEA"}}, {"scope": {"region": "APAC"}}, False),
    "a region the requester does not state": ({"scope": {"region": "EMEA"}}, {"scope": {"grade": "3"}}, True),
    "the same region, another grade": (
        {"scope": {"region": "EMEA", "grade": "4"}},
        {"scope": {"region": "EMEA", "grade": "3"}},
        False,
    ),
}


@pytest.mark.parametrize(("fields", "who", "expected"), APPLIES.values(), ids=APPLIES)
def test_a_chunk_applies(fields: dict[str, Any], who: dict[str, Any], expected: bool) -> None:  # noqa: FBT001
    assert make_chunk("c1", **fields).applies_to(make_requester("staff", **who)) is expected


def test_a_chunk_that_is_not_known_yet_is_absent() -> None:
    seen = view(make_chunk("c1", ingested_at="2024-10-02"), make_chunk("c2", ingested_at="2024-10-01"))
    assert seen.present.ids == ("c2",)
    assert not seen.usable("c1")
    assert seen.usable("c2")


def test_usable_means_readable_in_force_and_applicable() -> None:
    seen = view(
        make_chunk("fine"),
        make_chunk("secret", readers=["board"]),
        make_chunk("old", effective_to="2024-01-01"),
        make_chunk("foreign", audience=["contractor"]),
        requester=make_requester("staff", audience="employee"),
    )
    assert [chunk.id for chunk in seen.usable_chunks] == ["fine"]


def test_an_alias_counts_the_unreadable_in_order_of_id() -> None:
    seen = view(
        make_chunk("m2", readers=["board"]), make_chunk("c1"), make_chunk("m1", readers=[], ingested_at="2025-01-01")
    )
    assert [seen.name_of(chunk) for chunk in ("m1", "m2", "c1", "c9")] == ["restricted-1", "restricted-2", "c1", "c9"]


def test_the_digest_does_not_depend_on_the_order_of_chunks_and_does_on_their_content() -> None:
    one, two = make_chunk("c1"), make_chunk("c2")
    assert make_corpus(one, two).digest == make_corpus(two, one).digest
    assert make_corpus(one, two).digest != make_corpus(one, make_chunk("c2", version="v2")).digest


def test_a_corpus_travels_between_processes() -> None:
    corpus = make_corpus(make_chunk("c1"), make_chunk("c2", readers=["board"]))
    copy = pickle.loads(pickle.dumps(corpus))  # noqa: S301 - made here
    assert (copy.ids, copy.digest, copy.as_of) == (corpus.ids, corpus.digest, corpus.as_of)


def test_what_a_chunk_says_is_in_no_repr() -> None:
    chunk = make_chunk("c1", "Acme buys Initech", title="Board memo")
    shown = f"{chunk!r} {chunk} {make_corpus(chunk)!r}"
    assert "Acme" not in shown
    assert "Board" not in shown


DAYS = st.none() | st.dates(date(2024, 1, 1), date(2024, 1, 12))


@st.composite
def corpora(draw: st.DrawFn) -> list[Chunk]:
    ids = [f"c{number}" for number in range(draw(st.integers(1, 5)))]
    return [
        Chunk(
            id=chunk_id,
            text="t",
            document=draw(st.sampled_from([None, "d"])),
            effective_from=draw(DAYS),
            effective_to=draw(DAYS),
            ingested_at=draw(DAYS),
            status=draw(st.sampled_from(["current", "superseded", "withdrawn"])),
            supersedes=tuple(draw(st.lists(st.sampled_from(ids), max_size=2))),
            readers=draw(st.sampled_from([("*",), ("board",), ()])),
            facts=draw(st.sampled_from([(), ({"key": "k", "value": "1"},)])),
        )
        for chunk_id in ids
    ]


def in_force_by_the_book(chunk: Chunk, chunks: list[Chunk], requester: Requester, day: date) -> bool:
    """The contract's paragraph, sentence by sentence and without any index."""
    known = [one for one in chunks if one.ingested_at is None or one.ingested_at <= day]
    if chunk not in known:
        return False
    readable = [one for one in known if one.readable_by(requester)]
    named = [one for one in readable if chunk.id in one.supersedes and one.id != chunk.id]
    end = chunk.effective_to
    if chunk.status == "withdrawn" and end is None:
        return False
    if (named or chunk.status == "superseded") and end is None:
        keys = {fact.key for fact in chunk.facts}
        later = [
            one
            for one in readable
            if chunk.document is not None
            and one.document == chunk.document
            and keys & {fact.key for fact in one.facts}
            and chunk.effective_from is not None
            and one.effective_from is not None
            and one.effective_from > chunk.effective_from
        ]
        starts = [one.effective_from for one in named or later]
        if not starts or None in starts:
            return False
        end = min(start for start in starts if start) - timedelta(days=1)
    if chunk.effective_from is not None and end is not None and end < chunk.effective_from:
        return False
    return (chunk.effective_from or date.min) <= day <= (end or date.max)


@given(chunks=corpora(), day=st.dates(date(2024, 1, 1), date(2024, 1, 12)), group=st.sampled_from(["staff", "board"]))
def test_in_force_is_what_the_contract_says(chunks: list[Chunk], day: date, group: str) -> None:
    requester = make_requester(group)
    seen = Corpus(name="c", chunks=chunks).view(requester, day)
    for chunk in chunks:
        assert seen.in_force(chunk.id) == in_force_by_the_book(chunk, chunks, requester, day)


@given(chunks=corpora(), day=st.dates(date(2024, 1, 1), date(2024, 1, 12)))
def test_nothing_unreadable_shows_through_what_is_usable(chunks: list[Chunk], day: date) -> None:
    corpus = Corpus(name="c", chunks=chunks)
    whole, reduced = corpus.view(STAFF, day), corpus.readable_by(STAFF).view(STAFF, day)
    assert [chunk.id for chunk in whole.usable_chunks] == [chunk.id for chunk in reduced.usable_chunks]
