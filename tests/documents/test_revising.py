"""From one edition to the next: what stays, changes, comes and goes, and that nobody may read more than before."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.documents import Revision, revise
from pytest_grounded.model.evidence import Chunk, Corpus, Fact, Requester
from pytest_grounded.model.vocabulary import Status

DAY = date(2025, 6, 1)


def chunk(name: str, text: str, **fields: object) -> Chunk:
    document = name.partition("#")[0]
    return Chunk.model_validate({"id": name, "text": text, "document": document, "readers": ("*",), **fields})


def revised(old: list[Chunk], new: list[Chunk], *stated: str) -> Revision:
    return revise(old, new, day=DAY, revision="v2", stated_readers=frozenset(stated))


def kinds(made: Revision) -> list[tuple[str, str | None, str | None]]:
    return [(change.kind, change.old, change.new) for change in made.changes]


def test_the_same_documents_change_nothing() -> None:
    old = [chunk("a#x", "One.", authority=3), chunk("a#y", "Two.", readers=("board",))]
    made = revised(old, [chunk("a#x", "One."), chunk("a#y", "Two.")])
    assert (made.chunks, made.changes) == (tuple(old), ())


def test_a_changed_passage_supersedes_the_old_one_and_keeps_its_labels() -> None:
    old = chunk(
        "a#x",
        "The limit is $150. Code A7.",
        readers=("staff",),
        authority=3,
        facts=(Fact(key="limit", value="150"), Fact(key="code", value="A7")),
    )
    made = revised([old], [chunk("a#x", "The limit is $180. Code A7.")])
    before, after = made.chunks
    assert (before.status, before.effective_to) == (Status.SUPERSEDED, date(2025, 5, 31))
    assert (after.id, after.supersedes, after.effective_from, after.version) == ("a#x@v2", ("a#x",), DAY, "v2")
    assert (after.readers, after.authority, after.facts) == (("staff",), 3, (Fact(key="code", value="A7"),))
    assert made.changes[0].notes == ("facts to fill in, their old values are not in the new text: limit",)


def test_a_passage_changed_twice_is_followed_under_its_first_name() -> None:
    first = revised([chunk("a#x", "The limit is $150.")], [chunk("a#x", "The limit is $180.")])
    again = revise([*first.chunks], [chunk("a#x", "The limit is $200.")], day=date(2025, 9, 1), revision="v3")
    assert kinds(again) == [("changed", "a#x@v2", "a#x@v3")]
    assert [str(one.effective_to) for one in again.chunks] == ["2025-05-31", "2025-08-31", "None"]


def test_words_under_another_heading_are_the_same_passage() -> None:
    made = revised([chunk("a#old", "One two three.", locator="Old")], [chunk("a#new", "One two three.", locator="New")])
    assert kinds(made) == [("relabelled", "a#old", "a#old")]
    assert made.chunks[0].locator == "New"


def test_much_alike_words_under_another_heading_are_the_passage_changed() -> None:
    made = revised(
        [chunk("a#old", "The nightly hotel limit in a standard city is $150.")],
        [chunk("a#new", "The nightly hotel limit in a standard city is $180.")],
    )
    assert kinds(made) == [("changed", "a#old", "a#old@v2")]


def test_what_is_gone_is_withdrawn_and_what_is_new_is_added() -> None:
    made = revised([chunk("a#x", "Parking is free.")], [chunk("a#y", "The pool opens at nine.")])
    assert kinds(made) == [("added", None, "a#y"), ("withdrawn", "a#x", None)]
    gone, new = made.chunks
    assert (gone.status, gone.effective_to, new.effective_from) == (Status.WITHDRAWN, date(2025, 5, 31), DAY)


def test_what_was_never_split_out_of_a_document_stays() -> None:
    by_hand = Chunk(id="faq", text="By hand.", readers=("*",))
    made = revised([by_hand, chunk("a#x", "One.")], [chunk("a#x", "One.")])
    assert (by_hand in made.chunks, made.changes) == (True, ())


def test_a_new_passage_of_a_restricted_document_is_restricted() -> None:
    made = revised([chunk("a#x", "One.", readers=("board",), tenant="t")], [chunk("a#x", "One."), chunk("a#y", "Two.")])
    assert (made.chunks[1].readers, made.chunks[1].tenant) == (("board",), "t")


def test_a_new_passage_beside_several_kinds_of_readers_gets_what_they_have_in_common() -> None:
    old = [chunk("a#x", "One.", readers=("board", "staff")), chunk("a#y", "Two.", readers=("board",))]
    made = revised(old, [chunk("a#x", "One."), chunk("a#y", "Two."), chunk("a#z", "Three.")])
    assert made.chunks[2].readers == ("board",)
    assert made.changes[0].notes == ("chunks of its document differ in who may read them; this one: board",)


def test_a_document_may_narrow_who_reads_it_and_never_widen() -> None:
    old = [chunk("a#x", "One."), chunk("b#x", "Two.", readers=("board",))]
    new = [chunk("a#x", "One.", readers=("board",)), chunk("b#x", "Two.", readers=("*",))]
    made = revised(old, new, "a", "b")
    assert [one.readers for one in made.chunks] == [("board",), ("board",)]
    narrowed, kept = (change.notes[0] for change in made.changes)
    assert narrowed == "its document narrows who may read it: board"
    assert kept == (
        "its document says everyone may read it; that is not taken over, as it would let more people read it than "
        "board (change the chunk if it is meant)"
    )


_texts = st.sampled_from(
    ["The limit is $150.", "The limit is $180.", "Parking is free.", "Ask the desk.", "Two nights."]
)
_readers = st.sampled_from([("*",), ("staff",), ("board",), ("board", "staff"), ()])
_edition = st.dictionaries(st.sampled_from(["a#x", "a#y", "b#x", "b#z"]), st.tuples(_texts, _readers), min_size=1)


@given(old=_edition, new=_edition, stated=st.sets(st.sampled_from(["a", "b"])))
def test_no_requester_reads_more_words_of_a_document_than_before_and_ids_stay_unique(
    old: dict[str, tuple[str, tuple[str, ...]]], new: dict[str, tuple[str, tuple[str, ...]]], stated: set[str]
) -> None:
    before = [chunk(name, text, readers=readers) for name, (text, readers) in old.items()]
    after = [chunk(name, text, readers=readers) for name, (text, readers) in new.items()]
    made = revised(before, after, *stated)
    assert len({one.id for one in made.chunks}) == len(made.chunks)
    by_id = {one.id: one for one in before}
    for change in made.changes:
        if change.old and change.new:
            now = next(one for one in made.chunks if one.id == change.new)
            for group in ("staff", "board", "nobody"):
                requester = Requester(id="r", groups=(group,))
                assert not now.readable_by(requester) or by_id[change.old].readable_by(requester)


@given(old=_edition, new=_edition)
def test_on_the_day_of_the_new_edition_exactly_its_words_are_in_force(
    old: dict[str, tuple[str, tuple[str, ...]]], new: dict[str, tuple[str, tuple[str, ...]]]
) -> None:
    before = [chunk(name, text) for name, (text, _) in old.items()]
    made = revised(before, [chunk(name, text) for name, (text, _) in new.items()])
    corpus = Corpus(name="c", chunks=made.chunks)
    reader = Requester(id="r")
    assert sorted(one.text for one in corpus.view(reader, DAY).usable_chunks) == sorted(
        text for text, _ in new.values()
    )
    day_before = corpus.view(reader, date(2025, 5, 31)).usable_chunks
    assert sorted(one.text for one in day_before) == sorted(text for text, _ in old.values())
