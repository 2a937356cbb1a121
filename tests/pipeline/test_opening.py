"""What a person sees who opens a citation: version, place, link, the quoted words, and what has changed since."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest

from pytest_grounded.model.evidence import Chunk, Requester
from pytest_grounded.model.response import Citation
from pytest_grounded.pipeline.opening import Opened, OpenedAs, open_citation
from pytest_grounded.pipeline.permit import permit
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.testing.builders import make_chunk
from tests.pipeline.scripted import DAY, ask

TEXT = "The nightly hotel limit is $180. Meals are paid up to $60."
RULE: dict[str, Any] = {
    "title": "Travel policy", "document": "policy", "version": "v3", "locator": "2.1", "url": "https://example.org/p#2.1",
    "effective_from": "2024-01-01", "facts": {"limit": "180"},
}  # fmt: skip
OLD = make_chunk("old", TEXT, **RULE)
NEW = make_chunk("new", TEXT.replace("180", "200"), **{**RULE, "version": "v4", "effective_from": "2024-09-01"})


def opened(citation: Citation, *chunks: Chunk, as_of: date = DAY, requester: Requester | None = None) -> Opened:
    return open_citation(citation, permit(ask("?", chunks, as_of=as_of, requester=requester or Requester())))


def kinds(one: Opened) -> list[str]:
    return [notice.kind.value for notice in one.notices]


def test_a_citation_opens_at_the_words_it_quotes() -> None:
    one = opened(Citation(chunk="old", quote="the nightly hotel\nlimit is $180", version="v3"), OLD)
    assert (one.state, one.title, one.version, one.locator) == (OpenedAs.SHOWN, "Travel policy", "v3", "2.1")
    assert (one.url, [one.text[start:end] for start, end in one.spans]) == (
        "https://example.org/p#2.1",
        ["The nightly hotel limit is $180"],
    )
    assert one.notices == ()


def test_every_citation_of_an_answer_opens() -> None:
    response = ReferencePipeline().answer(ask("What is the nightly hotel limit?", [OLD]))
    for claim in response.claims:
        for citation in claim.citations:
            one = opened(citation, OLD)
            assert one.spans
            assert (one.version, one.locator, one.notices) == (citation.version, citation.locator, ())


@pytest.mark.parametrize(
    ("as_of", "expected"),
    [
        pytest.param("2024-08-31", [], id="before"),
        pytest.param("2024-09-01", ["newer_version", "not_in_force"], id="from-its-first-day"),
    ],
)
def test_a_newer_version_is_said_from_its_first_day(as_of: str, expected: list[str]) -> None:
    chain = (OLD.model_copy(update={"effective_to": date(2024, 8, 31)}), NEW)
    one = opened(Citation(chunk="old", quote="limit is $180"), *chain, as_of=date.fromisoformat(as_of))
    assert (one.state, kinds(one)) == (OpenedAs.SHOWN, expected)
    if expected:
        assert (one.notices[0].chunks, one.notices[0].text) == (
            ("new",),
            "a newer version is in force: v4, since 2024-09-01",
        )


def test_a_newer_version_that_may_not_be_read_does_not_show_through() -> None:
    hidden = make_chunk("new", NEW.text, **{**RULE, "version": "v4", "supersedes": ["old"], "readers": ["board"]})
    one = opened(Citation(chunk="old", quote="limit is $180"), OLD, hidden)
    assert (one.state, one.notices) == (OpenedAs.SHOWN, ())
    board = opened(Citation(chunk="old", quote="limit is $180"), OLD, hidden, requester=Requester(groups=("board",)))
    assert "newer_version" in kinds(board)


@pytest.mark.parametrize("ends", [None, "2024-06-30"], ids=["at-once", "later"])
def test_withdrawn_text_is_never_opened(ends: str | None) -> None:
    gone = make_chunk("old", TEXT, **{**RULE, "status": "withdrawn", "effective_to": ends})
    one = opened(Citation(chunk="old", quote="limit is $180", version="v3"), gone)
    assert (one.state, one.title, one.version) == (OpenedAs.WITHDRAWN, "Travel policy", "v3")
    assert (one.text, one.spans, one.url, one.context) == ("", (), None, "")
    assert "180" not in repr(one)


def test_a_text_withdrawn_later_opens_on_a_day_when_it_was_in_force() -> None:
    later = make_chunk("old", TEXT, **{**RULE, "status": "withdrawn", "effective_to": "2024-12-31"})
    assert opened(Citation(chunk="old", quote="limit is $180"), later).state is OpenedAs.SHOWN


@pytest.mark.parametrize(
    "chunks",
    [
        pytest.param([], id="deleted"),
        pytest.param([make_chunk("old", TEXT, **{**RULE, "readers": ["board"]})], id="forbidden"),
        pytest.param([make_chunk("old", TEXT, **{**RULE, "ingested_at": "2025-01-01"})], id="not-yet-known"),
        pytest.param([make_chunk("old", TEXT, **{**RULE, "tenant": "other"})], id="another-tenant"),
    ],
)
def test_what_may_not_be_read_looks_like_what_does_not_exist(chunks: Sequence[Chunk]) -> None:
    assert opened(Citation(chunk="old", quote="limit is $180"), *chunks) == Opened(
        chunk="old", state=OpenedAs.NOT_AVAILABLE
    )


def test_words_that_no_longer_stand_there_are_said_to_be_gone() -> None:
    edited = make_chunk("old", TEXT.replace("180", "200"), **RULE)
    one = opened(Citation(chunk="old", quote="limit is $180", version="v2"), edited)
    assert (one.spans, kinds(one)) == ((), ["other_version", "quote_gone"])
    assert one.notices[0].text == "cited was version v2, shown is v3"


def test_a_source_without_a_version_is_said_to_have_none() -> None:
    assert kinds(opened(Citation(chunk="c1"), make_chunk("c1"))) == ["version_unknown"]


def test_words_in_a_table_open_under_its_header() -> None:
    table = make_chunk("t", "Zone | Night | Day\nA | $180 | $60\nB | $120 | $40", version="1", kind="table")
    one = opened(Citation(chunk="t", quote="B | $120 | $40"), table)
    assert one.context == "Zone Night Day"


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "http://[bad"])
def test_no_link_opens_that_a_browser_would_run(url: str) -> None:
    assert opened(Citation(chunk="c"), make_chunk("c", url=url, version="1")).url is None
