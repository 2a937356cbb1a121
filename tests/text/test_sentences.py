from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounded.text.sentences import split_sentences

SPLIT = {
    "two sentences": "It opens at 7. |It closes at 20.",
    "a question and a shout": "Is it? |Yes! |Good.",
    "a decimal": "It costs 1.50 euros. |Next.",
    "a version": "Use 3.11.7 or later. |Next.",
    "a title": "Ask Dr. Ho or Mrs. Lee. |They know.",
    "initials": "J. R. R. Tolkien wrote it. |He did.",
    "a labelled letter": "This is plan A. |Plan B costs more.",
    "Latin abbreviations": "Bring cards, e.g. visas, i.e. papers, etc. and cash. |Go.",
    "a country": "In the U.S. Congress it is so. |In the U.S. |The rest follows.",
    "a clock": "It ends at 5 p.m. on Monday. |It ends at 5 p.m. |The door closes.",
    "a company": "Acme Inc. bought it. |It works at Acme Inc. |The rest is known.",
    "a numbered place": "See sec. 3.2, Fig. 2 and No. 5. |No. |It is.",
    "no as an answer": "No. |Contractors cannot book.",
    "a German date": "Am 3. Oktober ist zu. |Am 4. nicht.",
    "a German abbreviation": "Das kostet z. B. 5 Euro. |Danach mehr.",
    "a numbered list": "1. First item. |More of it.\n|2. Second item",
    "an ellipsis": "Wait... what? |Well… |Then go.",
    "an ellipsis before a small letter": "he said... nothing. |So.",
    "quote marks": 'He said "Stop!" |Then he left. |"Why?" she asked.',
    "a marker before the stop": "It opens at 7 [1]. |It closes.",
    "a marker behind the stop": "It opens at 7. [1] |It closes.[2][3] |Yes.",
    "a link behind the stop": "It opens at 7. |[1](a.html) says so.",
    "an address": "See https://example.com/a.b?c=d.e for it. |Next.",
    "Chinese": "请假需提前三天申请。|加班须经主管批准！|对吗？|对。",
    "Chinese with quote marks": "他说“好。”|然后走了。",
    "Japanese": "午前9時に開きます。|午後5時に閉まります。",
    "Arabic": "هل هذا صحيح؟ |نعم. |لا",
    "Hindi": "यह है। |वह है।",
    "Armenian": "Այո։ |Ոչ։",
    "hard wraps": "The model is trained for\n100,000 steps on eight\nmachines. |Next.",
    "a wrap after a comma": "Red,\nBlue and Green. |Next.",
    "lines": "Hotel: 180\n|Meals: 40",
    "list items": "Bring:\n|* cards\n|* cash",
    "paragraphs": "one\n\n|two",
    "a stop at a line's end": "It is 5.\n|Next line",
    "leading space": "  It is. |So.",
    "empty lines in front": "\n\nIt is. |So.",
    "no stop": "Yes, from 9 to 12",
    "a stop in brackets": "It is so (see below.) |Next.",
    "bold": "**It is so.** |Next.",
    "I": "It is I. |We go.",
}


@pytest.mark.parametrize("text", SPLIT.values(), ids=SPLIT)
def test_a_text_is_split_where_a_reader_stops(text: str) -> None:
    assert split_sentences(text.replace("|", "")) == tuple(text.split("|"))


def test_an_empty_text_has_no_sentence() -> None:
    assert split_sentences("") == ()


PIECES = st.lists(
    st.sampled_from([*"aA1.!?…。\n \"')]([*-,:", "Dr", "e.g", "No", "[1]", " \n", "\r\n"]), max_size=30
).map("".join)


@settings(deadline=None)
@given(st.one_of(st.text(max_size=80), PIECES))
def test_joining_the_sentences_gives_the_text_back(text: str) -> None:
    sentences = split_sentences(text)
    assert "".join(sentences) == text
    assert all(sentences)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["It is so. ", "Is it? ", "Yes! ", "对。", "\n\n* item"]), min_size=1, max_size=6))
def test_a_sentence_holds_more_than_space(sentences: list[str]) -> None:
    assert all(sentence.strip() for sentence in split_sentences("".join(sentences)))
