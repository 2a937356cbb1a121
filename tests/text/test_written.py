"""What stands as written is what folding finds: the short way says yes to nothing that the long way does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounded.text.folding import fold
from pytest_grounded.text.quotes import QuoteVerdict, _judge, judge_quote, too_short
from pytest_grounded.text.sentences import split_sentences
from pytest_grounded.text.written import stands_as_written

HANDBOOK = Path(__file__).parents[1] / "data" / "handbook18f" / "page_versions.jsonl"
SENTENCE = "The limit is $180 per night in standard cities."
SOURCE = f"Notes:\n- one\n- two\n{SENTENCE} Rooms that cost more need the approval of\nyour lead. It is final."


@pytest.mark.parametrize(
    "quote",
    [
        pytest.param(SENTENCE, id="a sentence"),
        pytest.param("Rooms that cost more need the approval of\nyour lead.", id="over a line's end"),
        pytest.param("Notes:\n- one\n- two\nThe limit is $180 per night in standard cities.", id="with its list"),
        pytest.param(f"{SENTENCE} Rooms that cost more need the approval of\nyour lead.", id="two sentences"),
    ],
)
def test_whole_sentences_stand_as_written(quote: str) -> None:
    assert stands_as_written(quote, SOURCE)
    assert judge_quote(quote, SOURCE) is QuoteVerdict.VERBATIM


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        pytest.param("", SOURCE, id="nothing"),
        pytest.param("It is final.", SOURCE, id="short"),
        pytest.param("imit is $180 per night in standard cities.", SOURCE, id="cut inside a word"),
        pytest.param("limit is $180 per night in standard cities.", SOURCE, id="cut inside a sentence"),
        pytest.param(SENTENCE, SOURCE.replace("180", "280"), id="another number"),
        pytest.param(f"employed: {SENTENCE}", f"Self-\nemployed: {SENTENCE}", id="the end of a wrapped word"),
        pytest.param(f"000 is it. {SENTENCE}", f"From 20\n000 is it. {SENTENCE}", id="the end of a number"),
        pytest.param(SENTENCE, f"<!-- PageHeader: {SENTENCE} -->", id="in the header of a page"),
        pytest.param(f"{SENTENCE}\nPage 3", f"{SENTENCE}\nPage 3\nMore.", id="with the number of a page"),
        pytest.param(f"{SENTENCE} :", f"{SENTENCE} :\n- one", id="before a stop that the list takes"),
    ],
)
def test_the_rest_is_left_to_folding(quote: str, source: str) -> None:
    assert not stands_as_written(quote, source)


PIECES = (
    *(
        SENTENCE,
        "the tenant is not permitted to termi-\nnate this lease",
        "- item one",
        "* starred item",
        "• bullet item",
    ),
    *(
        "| a cell | of table |",
        "|---|---|",
        "Page 3",
        "page 3 of 10",
        "[page break]",
        "<page 3>",
        "[[page no. 5 of 9]]",
    ),
    *(
        '<!-- PageHeader="x" -->',
        "---- page 4 ----",
        "\\pagebreak",
        "- 12 -",
        "Seite 12",
        "第 12 页",
        "20",
        "000",
        "1/2",
    ),
    *(
        "5",
        "%",
        "'quoted words'",
        '"He said so."',
        "« mot »",
        "“curly”",
        "—",
        "–",
        "--",
        "-",
        "…",
        "...",
        ".",
        ",",
        ";",
    ),
    *(":", "?", "!", "self- employed", "pre- and post-tax", "\u00ad", "\u200b", "加班须经主管批准。", "m²", "½", "€ 5"),
    *("don't", "l'entrée", "un", "not", "able", "İstanbul", "ﬁne print", "e\u0301", "\u0301", "***", "**Bold:**", "of"),
    *("`code`", "[link](http://x.y/z)", "(see page 4)", "no.", "break", "number", "@", "&", "^", "==", "# Head", "2)"),
    *("Another Sentence Here Which Is Long Enough", "of course this is a long sentence for the fun of it"),
)
BLANKS = (" ", " ", " ", "\n", "\n", "\n\n", "  ", " \n", "\n  ", "", "\t", "\u00a0")


@given(
    st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(BLANKS)), min_size=2, max_size=14),
    st.integers(0, 13),
    st.integers(1, 14),
    st.sampled_from([None, "en", "tr"]),
)
@settings(max_examples=400)
def test_whatever_stands_as_written_is_found_by_folding(
    parts: list[tuple[str, str]], first: int, count: int, lang: str | None
) -> None:
    source = "".join(piece + blank for piece, blank in parts)
    quote = "".join(piece + blank for piece, blank in parts[first : first + count]).strip(" \n")
    if stands_as_written(quote, source):
        assert _judge(quote, source, lang).verdict is QuoteVerdict.VERBATIM
        assert not too_short(quote, source, lang=lang)
        assert sum(map(str.isalnum, fold(quote, lang=lang))) >= len("twelve chars")


def test_most_sentences_of_a_handbook_stand_as_written_and_all_of_those_are_found() -> None:
    rows = [json.loads(line) for line in HANDBOOK.read_text(encoding="utf-8").splitlines()[:6]]
    pairs = [(part.strip(), row["text"]) for row in rows for part in split_sentences(row["text"]) if len(part) > 40]
    written = [pair for pair in pairs if stands_as_written(*pair)]
    assert len(written) > 0.8 * len(pairs) > 0
    assert all(_judge(quote, source, None).verdict is QuoteVerdict.VERBATIM for quote, source in written)
