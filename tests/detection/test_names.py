from __future__ import annotations

from typing import Any

import pytest

from tests.detection.corpora import detector, hidden_chunk, make_chunk

TEXT = "The retention bonus is paid in spring."


def named(shown: object, chunk_id: str = "memo-x", *, known: str = "", readable: Any = None, **fields: Any) -> set[str]:
    looking = detector(
        hidden_chunk(chunk_id, TEXT, **fields), make_chunk("page", "Hotels.", **(readable or {})), known=[known]
    )
    content = shown if isinstance(shown, dict) else {"text": shown}
    return {hit.kind.value for hit in looking.scan(content)}


@pytest.mark.parametrize(
    ("shown", "fields"),
    [
        pytest.param("searched board-memo-7#2", {"chunk_id": "board-memo-7#2"}, id="id in text"),
        pytest.param("see deal room 4", {"chunk_id": "deal-room-4#1"}, id="document of an id with spaces"),
        pytest.param("searched Board memo 7 # 2", {"chunk_id": "board-memo-7#2"}, id="id with other marks"),
        pytest.param("https://x.example/docs/board-memo-7", {"chunk_id": "board-memo-7#2"}, id="document part of an id in a link"),
        pytest.param({"debug": {"board-memo-7#2": 0.5}}, {"chunk_id": "board-memo-7#2"}, id="id as a key"),
        pytest.param({"claims": [{"citations": [{"chunk": "c2"}]}]}, {"chunk_id": "c2"}, id="short id in a citation"),
        pytest.param("as shown [c2]", {"chunk_id": "c2"}, id="short id as a marker"),
        pytest.param("see b#1", {"chunk_id": "b#1"}, id="short id with a mark"),
        pytest.param("see memo_7 for it", {"chunk_id": "memo-7"}, id="short id with another mark"),
        pytest.param("/docs/memo/7.pdf", {"chunk_id": "memo-7"}, id="short id as a path"),
        pytest.param("see MEMO7.", {"chunk_id": "memo-7"}, id="short id without its mark"),
        pytest.param("see memo_7", {"document": "memo-7"}, id="short document with another mark"),
        pytest.param({"sources": [{"chunk": "7"}]}, {"chunk_id": "7"}, id="number as an id in a list of sources"),
        pytest.param({"sources": [{"title": "Payroll"}]}, {"title": "Payroll"}, id="one-word title of a source"),
        pytest.param("As the closing bonus memorandum says", {"title": "Closing Bonus Memorandum"}, id="long title in small letters"),
        pytest.param("see Bonus Plan", {"title": "Bonus Plan"}, id="short title with its capitals"),
        pytest.param("see intranet.example/board/7/", {"url": "https://intranet.example/board/7"}, id="address"),
        pytest.param("see HTTPS://INTRANET.EXAMPLE/board/7?x=1", {"url": "https://intranet.example/board/7"}, id="address with a query"),
        pytest.param("A newer version 4 exists", {"version": "4"}, id="version in text"),
        pytest.param("There is a version 4.", {"version": "4"}, id="version before a full stop"),
        pytest.param("There is a version 4.2!", {"version": "4.2"}, id="version with a point before a mark"),
        pytest.param({"claims": [{"citations": [{"chunk": "page", "version": "v9"}]}]}, {"version": "v9"}, id="version of a citation"),
        pytest.param("see Ym9hcmQtbWVtby03IzI= for it, all", {"chunk_id": "board-memo-7#2"}, id="id in base64"),
    ],
)  # fmt: skip
def test_a_name_of_a_hidden_chunk_is_found(shown: object, fields: dict[str, Any]) -> None:
    assert named(shown, **fields) & {"id", "metadata"}


@pytest.mark.parametrize(
    ("shown", "fields"),
    [
        pytest.param("searched board-memo-70", {"chunk_id": "board-memo-7"}, id="longer id"),
        pytest.param("take vitamin c2 daily", {"chunk_id": "c2"}, id="short id as a word"),
        pytest.param("it costs 7 dollars [7]", {"chunk_id": "9"}, id="another number"),
        pytest.param("it costs 7 dollars", {"chunk_id": "7"}, id="number that is an id"),
        pytest.param({"decision": "answer"}, {"title": "Answer"}, id="word of the contract that is a title"),
        pytest.param("the bonus plan is fine", {"title": "Bonus Plan"}, id="short title as ordinary words"),
        pytest.param("see memo 7, closing plan", {"chunk_id": "memo-7", "known": "What does memo 7 say?"}, id="id of the question"),
        pytest.param("the travel policy rules", {"document": "travel-policy", "readable": {"document": "travel-policy"}}, id="shared document"),
        pytest.param("see Bonus Plan", {"title": "Bonus Plan", "readable": {"title": "Bonus Plan"}}, id="shared title"),
        pytest.param("see https://a.example/b/10", {"url": "https://a.example/b/1"}, id="longer address"),
        pytest.param("see https://a.example/b/pub", {"url": "https://a.example/b", "readable": {"url": "https://a.example/b/pub"}}, id="address above a readable one"),
        pytest.param("4 days", {"version": "4"}, id="version label as a number"),
        pytest.param("There is a version 4.1", {"version": "4"}, id="longer version"),
        pytest.param("see table 2 and memos 7", {"chunk_id": "memo-7"}, id="words of a short id with a space"),
        pytest.param({"claims": [{"citations": [{"version": "1"}]}]}, {"version": "1", "readable": {"version": "1"}}, id="shared version"),
        pytest.param("see page 3", {"locator": "page 3"}, id="locator"),
    ],
)  # fmt: skip
def test_what_names_no_hidden_chunk_or_a_known_one_is_not_found(shown: object, fields: dict[str, Any]) -> None:
    assert not named(shown, **fields)
