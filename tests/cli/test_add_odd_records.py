"""Records that other tools write in other ways: evidence written out, halves of characters."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.cli import main
from pytest_grounded.incidents.standins.made_up import ORDINARY

OLD = {"id": "taxi-2023", "text": "The taxi limit is $30.", "readers": ["staff"], "status": "superseded"}
NEW = {"id": "taxi-2024", "text": "The taxi limit is $40.", "readers": ["staff"]}
REPLY = {
    "decision": "answer",
    "text": "The taxi limit is $30.",
    "claims": [{"text": "The taxi limit is $30.", "citations": [{"chunk": "taxi-2023"}]}],
}
RECORD: dict[str, Any] = {
    "ticket": "INC-7",
    "timestamp": "2024-10-01",
    "query": "What is the taxi limit?",
    "user": {"groups": ["staff"]},
    "expected": "The limit is $40.",
}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "cases/taxi"
    folder.mkdir(parents=True)
    (folder / "corpus.yaml").write_text("corpus: taxi\nas_of: 2024-10-01\nchunks: chunks.jsonl\n")
    (folder / "chunks.jsonl").write_text('{"id": "parking", "text": "Parking is free.", "readers": ["*"]}\n')
    return tmp_path


def add(record: Mapping[str, Any], *words: str) -> int:
    Path("incident.json").write_text(json.dumps(record), encoding="utf-8")
    return main(["add", "incident.json", *words])


EVIDENCE: dict[str, dict[str, Any]] = {
    "beside prose": {"answer": "The taxi limit is $30 [1].", "evidence": [OLD, NEW]},
    "in the response": {"response": {**REPLY, "evidence": [OLD, NEW]}},
    "inside the response": {"response": {**REPLY, "internal": {"evidence": [OLD, NEW]}}},
    "observed": {"answer": "The taxi limit is $30.", "internal": {"evidence": [OLD, NEW]}},
    "some also as chunks": {"response": REPLY, "chunks": [OLD], "evidence": [{"id": "taxi-2023"}, NEW]},
    "ids and a text in what was expected": {
        "answer": "The taxi limit is $30 [1].",
        "chunks": [OLD],
        "expected": {"value": "$40", "evidence": [NEW]},
    },
    "under other names": {
        "response": REPLY,
        "evidence": [
            {"chunk_id": one["id"], "page_content": one["text"], "metadata": {"readers": ["staff"], "score": 0.5}}
            for one in (OLD, NEW)
        ],
    },
}


@pytest.mark.parametrize("name", EVIDENCE)
def test_evidence_that_is_written_out_becomes_chunks(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert add({**RECORD, **EVIDENCE[name]}, "--format", "json") == 0
    said = json.loads(capsys.readouterr().out)
    assert sorted(one["id"] for one in said["chunks"]) == ["taxi-2023", "taxi-2024"]
    assert {one["check"] for one in said["findings"]} & {"slot.missing", "slot.wrong_value"}
    assert "output.schema" not in {one["check"] for one in said["findings"]}
    assert "The taxi limit is $40." in Path("cases/taxi/chunks.jsonl").read_text()


def test_texts_alone_are_chunks_whose_readers_nobody_stated(capsys: pytest.CaptureFixture[str]) -> None:
    record = {**RECORD, "answer": "The taxi limit is $30 [1].", "evidence": [OLD["text"], NEW["text"]]}
    assert add(record) == 2
    assert "who may read 'chunk-1' and 'chunk-2' is stated neither in the record" in capsys.readouterr().err


def test_two_texts_under_one_id_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert add({**RECORD, "response": REPLY, "chunks": [OLD], "evidence": [{**OLD, "text": "Another."}]}) == 2
    assert "two chunks of the record have the id 'taxi-2023', with different texts" in capsys.readouterr().err


HALF = "\ud83d"
HALVES: dict[str, tuple[dict[str, Any], str]] = {
    "question": ({"query": f"Taxi {HALF}?"}, "question"),
    "chunk": ({"chunks": [OLD, {**NEW, "text": f"{HALF} $40"}]}, "chunks[1].text"),
    "value": ({"expected": {"value": f"$40{HALF}"}}, "stated.values[0]"),
    "group": ({"user": {"groups": [f"staff{HALF}"]}}, "requester.groups[0]"),
    "ticket": ({"ticket": f"INC {HALF}"}, "incident"),
}


@pytest.mark.parametrize("name", HALVES)
def test_half_a_character_is_named_with_its_place(name: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fields, place = HALVES[name]
    before = {path: path.read_bytes() for path in (project / "cases").rglob("*") if path.is_file()}
    assert add({**RECORD, "response": REPLY, "chunks": [OLD, NEW], **fields}) == 2
    message = f"incident.json: {place}: holds '\\ud83d', half of a surrogate pair (write the whole character, or take"
    assert capsys.readouterr().err.startswith(message)
    assert {path: path.read_bytes() for path in (project / "cases").rglob("*") if path.is_file()} == before


def test_half_a_character_on_the_command_line_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert add({**RECORD, "response": REPLY, "chunks": [OLD, NEW]}, "--why", "\udcff") == 2
    assert capsys.readouterr().err.startswith("what you said: why: holds '\\udcff', half of a surrogate pair")


def test_half_a_character_in_the_reply_is_kept_as_it_came(capsys: pytest.CaptureFixture[str]) -> None:
    reply = {**REPLY, "text": f"The taxi limit {HALF} is $30."}
    assert add({**RECORD, "response": reply, "chunks": [OLD, NEW]}) == 0
    assert "\\ud83d" in Path("cases/taxi/incidents.jsonl").read_text()
    assert "citation.not_current" in capsys.readouterr().out


def leak(ticket: str, name: str, figure: str) -> dict[str, Any]:
    said = f"The retention bonus for the {name} closing team is {figure} dollars."
    chunk = {"id": f"{name.lower()}-memo", "text": said, "readers": ["board"]}
    question = f"What is the retention bonus for the {name} closing team?"
    return {**RECORD, "ticket": ticket, "query": question, "answer": f"{said} [1]", "chunks": [chunk], "expected": None}


def test_a_second_leak_is_told_in_other_words_than_the_first() -> None:
    assert add(leak("INC-1", "Bluebird", "41,750")) == 0
    assert add(leak("INC-2", "Kingfisher", "52,310")) == 0
    chunks = [json.loads(line) for line in Path("cases/taxi/chunks.jsonl").read_text().splitlines()][1:]
    assert len({one["id"] for one in chunks}) == 2
    told = [set(re.findall(r"[a-z]{4,}", one["text"].lower())) - {"dollars"} for one in chunks]
    assert told[0].isdisjoint(told[1])


def test_a_question_of_stand_ins_is_one_that_can_be_read() -> None:
    assert add(leak("INC-1", "Bluebird", "41,750")) == 0
    [file] = [path for path in Path("cases/taxi").glob("*.yaml") if path.name != "corpus.yaml"]
    asked = re.search(r"question: (.+)", file.read_text())
    assert asked is not None
    read = re.fullmatch(r"What is the ([a-z]+) ([a-z]+) for the ([A-Z][a-z]+) ([a-z]+) ([a-z]+)\?", asked[1])
    assert read is not None
    ordinary = {read[place] for place in (1, 2, 4, 5)}
    assert len(ordinary) == 4
    assert ordinary <= set(ORDINARY)
