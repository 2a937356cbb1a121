from __future__ import annotations

from pytest_grounded.detection import Detector
from pytest_grounded.detection.canaries import canaries
from tests.detection.corpora import AS_OF, STAFF, corpus_of, hidden_chunk, make_chunk

CHUNKS = (
    hidden_chunk("a", "Board text one."),
    hidden_chunk("b", "Board text two."),
    make_chunk("c", "Text for staff.", readers=("staff",)),
    make_chunk("d", "Text for acme.", tenant="acme"),
    make_chunk("e", "Text for all."),
)


def test_every_class_of_readers_but_the_public_has_one_canary() -> None:
    made = canaries(CHUNKS, key="k")
    assert sorted((chunk.tenant or "", chunk.readers) for chunk in made) == [
        ("", ("board",)),
        ("", ("staff",)),
        ("acme", ("*",)),
    ]
    assert len({chunk.text for chunk in made}) == 3


def test_canaries_are_the_same_for_the_same_key_and_other_for_another() -> None:
    assert canaries(CHUNKS, key="k") == canaries(reversed(CHUNKS), key="k")
    assert not {chunk.id for chunk in canaries(CHUNKS, key="k")} & {chunk.id for chunk in canaries(CHUNKS, key="l")}


def test_a_canary_is_found_by_its_token_its_sum_and_its_sentence() -> None:
    made = canaries(CHUNKS, key="k")
    looking = Detector(corpus_of([*CHUNKS, *made]).view(STAFF, AS_OF))
    hidden = next(chunk for chunk in made if chunk.readers == ("board",))
    token, _, sentence = hidden.text.partition(": ")
    amount = sentence.split(" is ")[1].split()[0]
    for shown in (token, f"It is {amount.replace(',', '.')}.", sentence.upper()):
        assert {hit.chunk for hit in looking.scan({"text": shown})} == {hidden.id}
