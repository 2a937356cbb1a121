"""`pytest-grounded add`: from the record of an incident to a case that fails on its reply, and to nothing by half."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_grounded.cli import main
from pytest_grounded.corpus.loading import load_corpus

OLD = {
    "id": "limit-2023",
    "text": "The nightly hotel limit is $150.",
    "readers": ["staff"],
    "status": "superseded",
    "effective_to": "2024-06-30",
}
NEW = {
    "id": "limit-2024",
    "text": "The nightly hotel limit is $180.",
    "readers": ["staff"],
    "supersedes": ["limit-2023"],
}
STALE = {
    "decision": "answer",
    "text": "The nightly hotel limit is $150.",
    "claims": [
        {
            "text": "The nightly hotel limit is $150.",
            "cites": ["limit-2023"],
            "quote": "The nightly hotel limit is $150.",
        }
    ],
}
RIGHT = {
    "decision": "answer",
    "text": "The nightly hotel limit is $180.",
    "claims": [{"text": "The nightly hotel limit is $180.", "cites": ["limit-2024"]}],
}
RECORD: dict[str, Any] = {
    "incident": "INC-1042",
    "time": "2024-10-01T09:12:00Z",
    "requester": {"id": "ann@example.org", "groups": ["staff"]},
    "question": "What is the nightly hotel limit?",
    "chunks": [OLD, NEW],
    "response": STALE,
}
CASES = """\
# Limits for hotels.
requesters:
  employee: {groups: [staff]}  # the usual
defaults: {requester: employee}

cases:
  - id: parking   # nothing is said about it
    kind: unanswerable
    question: What does parking cost?
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite of one case over one chunk."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "cases" / "hotels"
    folder.mkdir(parents=True)
    (folder / "corpus.yaml").write_text("corpus: hotels\nas_of: 2024-10-01  # pinned\nchunks: chunks.jsonl\n")
    (folder / "chunks.jsonl").write_text(json.dumps(NEW) + "\n")
    (folder / "limits.yaml").write_text(CASES)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def write(record: Mapping[str, Any] | list[Mapping[str, Any]], name: str = "incident.json") -> str:
    rows = record if isinstance(record, list) else [record]
    Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return name


def add(*words: str) -> int:
    return main(["add", *words])


def added(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert add(*words, "--format", "json") == 0
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    return said


def state(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


# --- what is written -----------------------------------------------------------------------------------------------


def test_from_an_empty_folder_a_record_becomes_a_suite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert add(write(RECORD)) == 0
    shown = capsys.readouterr().out
    assert "case       inc-1042, answerable, in cases/incidents/incidents.yaml:3 (a new suite)" in shown
    assert "fails by   citation.not_current at claims[0].citations[0].chunk: limit-2023 may not be relied on" in shown
    assert "guessed" in shown
    assert sorted(path.name for path in (tmp_path / "cases/incidents").iterdir()) == [
        "chunks.jsonl",
        "corpus.yaml",
        "incidents.jsonl",
        "incidents.yaml",
    ]
    assert "default_readers" not in (tmp_path / "cases/incidents/corpus.yaml").read_text()
    assert "ann@example.org" not in "".join(path.read_text() for path in (tmp_path / "cases").rglob("*.*l"))
    assert main(["lint", "cases"]) == 0


def test_the_case_goes_to_the_file_about_it_and_only_lines_are_added(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = added(capsys, write(RECORD))
    text = (project / "cases/hotels/limits.yaml").read_text()
    assert text == CASES + (
        "\n  - id: inc-1042\n    kind: answerable\n    question: What is the nightly hotel limit?\n    expect:\n"
        '      slots:\n        - {name: answer, values: ["$180"], evidence: [limit-2024]}\n    incident: INC-1042\n'
    )
    assert said["case"]["line"] == 11
    assert [one["path"] for one in said["files"]] == [
        "cases/hotels/chunks.jsonl",
        "cases/hotels/incidents.jsonl",
        "cases/hotels/limits.yaml",
    ]
    assert [(one["id"], one["from"], one["added"]) for one in said["chunks"]] == [
        ("limit-2023", "record", True),
        ("limit-2024", "suite", False),
    ]
    chunks = (project / "cases/hotels/chunks.jsonl").read_text().splitlines()
    assert chunks[0] == json.dumps(NEW)
    assert json.loads(chunks[1])["readers"] == ["staff"]


def test_pytest_shows_the_case_failing_as_was_said(project: Path, pytester: pytest.Pytester) -> None:
    os.chdir(project)
    add(write(RECORD))
    result = pytester.runpytest_inprocess(
        f"--rootdir={project}", "cases/hotels/limits.yaml::inc-1042", "--grounded-system", "recorded:incidents.jsonl"
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*citation.not_current at claims*limit-2023 may not be relied on*"])


def test_a_value_that_was_said_is_what_the_case_asks_for(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = added(
        capsys, write(RECORD), "--value", "180", "--why", "v2 holds since July", "--risk", "high", "--id", "stale"
    )
    text = (project / "cases/hotels/limits.yaml").read_text()
    assert '        - {name: answer, values: ["180"], evidence: [limit-2024]}\n' in text
    assert "    risk: high\n    incident: INC-1042\n    why: v2 holds since July\n" in text
    assert said["case"]["id"] == "stale"
    assert not said["weak"]
    assert not said["guessed"]


def test_the_lock_is_renewed_and_nothing_else_of_the_manifest(project: Path) -> None:
    main(["freeze"])
    manifest = project / "cases/hotels/corpus.yaml"
    before = manifest.read_text().splitlines()
    assert add(write(RECORD)) == 0
    after = manifest.read_text().splitlines()
    assert [line for line in before if "digest" not in line] == [line for line in after if "digest" not in line]
    assert load_corpus(manifest, root=project).digest in manifest.read_text()


def test_chunks_that_stand_in_the_manifest_are_added_there(project: Path) -> None:
    manifest = project / "cases/hotels/corpus.yaml"
    written = "corpus: hotels\nas_of: 2024-10-01\nchunks:\n  - id: limit-2024  # now\n    text: The nightly hotel limit is $180.\n    readers: [staff]\n    supersedes: [limit-2023]\n"
    manifest.write_text(written)
    assert add(write(RECORD)) == 0
    assert manifest.read_text().startswith(written)
    assert load_corpus(manifest, root=project).ids == ("limit-2024", "limit-2023")


def test_chunks_outside_of_the_project_are_left_where_they_are(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    outside = tmp_path_factory.mktemp("documents")
    (project / "cases/hotels/chunks.jsonl").rename(outside / "c.jsonl")
    monkeypatch.setenv("DOCUMENTS", str(outside))
    corpus = "corpus: hotels\nas_of: 2024-10-01\nchunks: ${DOCUMENTS}/c.jsonl\n"
    (project / "cases/hotels/corpus.yaml").write_text(corpus + "digest: sha256:" + "0" * 64 + "\n")
    main(["freeze"])
    capsys.readouterr()
    before = state(project / "cases")
    assert add(write(RECORD)) == 2
    assert "lie outside of the project (${DOCUMENTS}/c.jsonl), so limit-2023 cannot be added" in capsys.readouterr().err
    assert state(project / "cases") == before


def test_the_reply_goes_to_the_recording_that_the_project_tests(project: Path) -> None:
    (project / "pytest.ini").write_text("[pytest]\ngrounded_system = recorded:replies.jsonl\n")
    kept = project / "cases/hotels/replies.jsonl"
    kept.write_bytes(b'{"case":"parking","response":{"decision":"abstain","reason_code":"NO_EVIDENCE"}}\r\n')
    assert add(write(RECORD)) == 0
    first, second, _ = kept.read_bytes().split(b"\r\n")
    assert b"parking" in first
    assert second.startswith(b'{"suite":"hotels","case":"inc-1042","response":{"decision":"answer"')


def test_a_dry_run_shows_everything_and_writes_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = write(RECORD)
    before = state(project)
    assert add(record, "--dry-run") == 0
    assert "would write cases/hotels/chunks.jsonl:2: 1 chunk" in capsys.readouterr().out
    assert state(project) == before


# --- what is refused -----------------------------------------------------------------------------------------------


def test_a_case_that_does_not_fail_is_not_added(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = write({**RECORD, "response": RIGHT, "expected": {"values": ["180"]}})
    before = state(project)
    assert add(record) == 1
    shown = capsys.readouterr().out
    assert "the new case does not fail on the reply: it would not have noticed the incident" in shown
    assert "written    nothing" in shown
    assert state(project) == before


@pytest.mark.usefixtures("project")
def test_what_breaks_no_rule_needs_somebody_to_say_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    record = write({**RECORD, "response": RIGHT})
    assert add(record) == 2
    assert "it breaks no rule, whatever was expected (say what should have" in capsys.readouterr().err
    assert added(capsys, record, "--decision", "abstain", "--reason", "OUT_OF_SCOPE")["case"]["kind"] == "unanswerable"


def test_an_incident_is_added_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = write(RECORD)
    assert add(record) == 0
    before = state(project)
    assert add(record, "--id", "again") == 2
    assert (
        "cases/hotels/limits.yaml:11: case 'inc-1042' asks the same and fails on this reply already"
        in capsys.readouterr().err
    )
    assert state(project) == before


def test_a_case_that_asks_the_same_and_passes_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = project / "cases/hotels/limits.yaml"
    path.write_text(
        CASES
        + "  - {id: weak, kind: answerable, question: 'What is the nightly hotel limit?', expect: {cite: [limit-2024]}}\n"
    )
    record = write({**RECORD, "chunks": [], "response": RIGHT})
    said = added(capsys, record, "--decision", "abstain")
    assert (
        "case 'weak' (cases/hotels/limits.yaml:10) asks the same and passes on this reply: it could be made stricter"
        in said["not_told"]
    )


def test_readers_are_asked_for_and_never_made_up(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unlabelled = {key: value for key, value in OLD.items() if key != "readers"}
    (project / "cases/hotels/corpus.yaml").write_text(
        "corpus: hotels\nas_of: 2024-10-01\nchunks: chunks.jsonl\ndefault_readers: ['*']\n"
    )
    record = write({**RECORD, "chunks": [unlabelled, NEW]})
    assert add(record) == 2
    assert "who may read 'limit-2023' is stated neither in the record nor in a store" in capsys.readouterr().err
    said = added(capsys, record, "--readers", "staff", "--readers", "audit")
    assert said["chunks"][0]["readers"] == ["staff", "audit"]
    assert said["chunks"][0]["readers_from"] == "you"


def test_a_store_gives_text_readers_and_what_replaced_a_chunk(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "cases/hotels/chunks.jsonl").write_text(
        json.dumps({"id": "other", "text": "Other.", "readers": ["*"]}) + "\n"
    )
    Path("store.jsonl").write_text(
        "".join(json.dumps(one) + "\n" for one in (OLD, NEW, {"id": "c9", "text": "Unused."}))
    )
    said = added(capsys, write({**RECORD, "chunks": []}), "--store", "store.jsonl")
    assert [(one["id"], one["from"], one["readers"]) for one in said["chunks"]] == [
        ("limit-2023", "store", ["staff"]),
        ("limit-2024", "store", ["staff"]),
    ]


@pytest.mark.usefixtures("project")
def test_a_chunk_with_other_words_is_refused_unless_the_suites_will_do(capsys: pytest.CaptureFixture[str]) -> None:
    changed = {**NEW, "text": "The nightly hotel limit is $190."}
    record = write({**RECORD, "chunks": [OLD, changed]})
    assert add(record) == 2
    assert "chunk 'limit-2024' has other words than the suite's chunk of that id" in capsys.readouterr().err
    assert add(record, "--prefer-suite") == 0


def test_all_that_is_missing_is_said_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert add(write({"user": "ann", "chunks": ["Hotels cost $150."], "model": "x"}), "--format", "json") == 2
    problems = json.loads(capsys.readouterr().out)["problems"]
    assert [one["code"] for one in problems] == [
        "add.question",
        "add.reply",
        "add.readers",
        "add.requester",
        "add.as_of",
    ]


def test_a_suite_that_does_not_load_with_the_new_chunk_is_left_alone(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project / "cases/hotels/limits.yaml"
    path.write_text(CASES + "  - {id: now, kind: answerable, question: 'How much?', expect: {cite: [limit-2024]}}\n")
    newer = {
        "id": "limit-2025",
        "text": "It is $200.",
        "readers": ["*"],
        "supersedes": ["limit-2024"],
        "effective_from": "2024-09-01",
    }
    record = write({**RECORD, "chunks": [OLD, newer]})
    before = state(project)
    assert add(record, "--decision", "abstain") == 2
    assert (
        "cases/hotels/limits.yaml:10:72: now.expect.cite: chunk 'limit-2024' is not in force" in capsys.readouterr().err
    )
    assert state(project) == before


@pytest.mark.parametrize("refused", [0, 1, 2])
def test_a_file_that_cannot_be_written_leaves_all_as_they_were(
    refused: int, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record = write(RECORD)
    before = state(project)
    replace, calls = Path.replace, []

    def full(self: Path, target: Path) -> Path:
        calls.append(self)
        if len(calls) - 1 == refused:
            raise OSError(28, "No space left on device", str(target))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", full)
    assert add(record) == 2
    assert "No space left on device; nothing is written" in capsys.readouterr().err
    monkeypatch.undo()
    assert state(project) == before


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit")
@pytest.mark.parametrize("room", [0, 150, 400], ids=lambda room: f"{room} bytes")
def test_where_there_is_no_room_all_stays_as_it_was(room: int, project: Path) -> None:
    record = write(RECORD)
    before = state(project)
    done = subprocess.run(
        [sys.executable, "-c", _ADD_WITH_ROOM, str(room), record], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (2, "File too large; nothing is written\n")
    assert state(project) == before


_ADD_WITH_ROOM = """
import resource, sys
from pytest_grounded import files
from pytest_grounded.cli import main
write = files.write_together
def limited(contents):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), -1))
    write(contents)
import pytest_grounded.incidents.adding as adding
adding.write_together = limited
sys.exit(main(["add", sys.argv[2]]))
"""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_folder_that_may_not_be_written_is_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = write(RECORD)
    before = state(project)
    (project / "cases/hotels").chmod(0o555)
    try:
        assert add(record) == 2
    finally:
        (project / "cases/hotels").chmod(0o755)
    assert "Permission denied; nothing is written" in capsys.readouterr().err
    assert state(project) == before


@pytest.mark.parametrize("stops_at", range(7))
def test_ctrl_c_while_writing_leaves_all_as_they_were(
    stops_at: int, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each file is laid, then each is put in place: stopped before any of these, or right after the last."""
    record = write(RECORD)
    before = state(project)
    calls: list[str] = []
    for name in ("write_bytes", "replace"):
        real = getattr(Path, name)

        def counted(self: Path, given: Any, *, real: Any = real) -> Any:
            calls.append(self.name)
            if len(calls) - 1 == stops_at:
                raise KeyboardInterrupt
            return real(self, given)

        monkeypatch.setattr(Path, name, counted)
    code = add(record)
    monkeypatch.undo()
    if len(calls) <= stops_at:
        assert code == 0
    else:
        assert (code, capsys.readouterr().err) == (130, "\nstopped\n")
        assert state(project) == before


def test_a_new_folder_goes_again_where_writing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    record = write(RECORD)

    def full(_: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr(Path, "replace", full)
    assert add(record) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["incident.json"]
    capsys.readouterr()


REFUSED = {
    "no such record": (("nowhere.json",), "nowhere.json: there is no such file"),
    "a misspelled suite": (("incident.json", "--suite", "hotel"), "there is no suite 'hotel' (did you mean 'hotels'?)"),
    "a folder elsewhere": (("incident.json", "--suite", "../x", "--create"), "cannot be the name of a suite"),
    "a requester nobody names": (("incident.json", "--as", "employe"), "(did you mean 'employee'?)"),
    "a decision that is none": (("incident.json", "--decision", "anser"), "'anser' is no decision (did you mean 'answer'?)"),
    "a code that is none": (("incident.json", "--reason", "NO_EVIDENC"), "(did you mean 'NO_EVIDENCE'?)"),
    "a taken id": (("incident.json", "--id", "parking"), "--id parking: is taken in suite 'hotels'"),
    "evidence that is nowhere": (("incident.json", "--evidence", "c9"), "chunk 'c9' is expected and its text is nowhere"),
    "a file of another suite": (("incident.json", "--file", "../x.yaml"), "needs a .yaml file in the suite's folder"),
    "a field that is none": (("incident.json", "--map", "qestion=a"), "(did you mean 'question'?)"),
    "a path that leads nowhere": (("incident.json", "--map", "question=a.b"), "--map question=a.b leads nowhere"),
}  # fmt: skip


@pytest.mark.parametrize(("words", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_used_is_said(
    words: tuple[str, ...], message: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(RECORD)
    before = state(project)
    assert add(*words) == 2
    assert message in capsys.readouterr().err
    assert state(project) == before


# --- what kinds of record there are --------------------------------------------------------------------------------


def test_a_line_of_results_belongs_to_a_case_of_ours(
    project: Path, pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]
) -> None:
    os.chdir(project)
    wrong = {"case": "parking", "response": {"decision": "answer", "text": "Parking costs $12.", "claims": []}}
    write([wrong], "cases/hotels/live.jsonl")
    run = ("--grounded-system", "recorded:live.jsonl", "--grounded-results", "results.jsonl")
    pytester.runpytest_inprocess(f"--rootdir={project}", "cases", *run).assert_outcomes(failed=1)
    assert add("results.jsonl") == 2
    assert "case 'parking' asks the same and fails on this reply already" in capsys.readouterr().err
    said = added(capsys, "results.jsonl", "--suite", "regressions", "--create")
    assert said["case"] | {"line": 0} == {
        "id": "parking",
        "suite": "regressions",
        "file": "cases/regressions/incidents.yaml",
        "line": 0,
        "kind": "unanswerable",
        "question": "What does parking cost?",
        "as_of": "2024-10-01",
        "requester": {"groups": ["staff"]},
        "incident": None,
    }
    assert "decision.wrong" in {one["check"] for one in said["findings"]}


@pytest.mark.usefixtures("project")
def test_a_recording_gives_a_stricter_case_beside_the_one_that_passes(capsys: pytest.CaptureFixture[str]) -> None:
    reply = {"decision": "abstain", "reason_code": "NO_EVIDENCE", "text": "Nothing is said."}
    recording = write([{"case": "parking", "response": reply}, {"case": "other", "response": None}], "replies.jsonl")
    assert add(recording) == 2
    assert "holds 2 incidents; say which with --pick: parking, other" in capsys.readouterr().err
    said = added(capsys, recording, "--pick", "parking", "--reason", "OUT_OF_SCOPE")
    assert said["case"]["id"] == "parking-2"
    assert [one["check"] for one in said["findings"]] == ["reason.wrong"]


@pytest.mark.usefixtures("project")
def test_fields_are_found_where_they_are_said_to_be(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    record = {
        "trace": {"ask": RECORD["question"], "said": "It is $150 [1]."},
        "hits": [{"key": "limit-2023", "body": OLD["text"], "acl": ["staff"], "until": "2024-06-30"}],
    }
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(record).encode())))
    maps = ("question=trace.ask", "answer=trace.said", "chunks=hits", "chunks.id=key", "chunks.effective_to=until")
    said = added(capsys, "-", *(word for pair in maps for word in ("--map", pair)))
    assert "citation.not_current" in {one["check"] for one in said["findings"]}
    assert "the day: the record has none; taken for 2024-10-01, the corpus's own" in said["not_told"]
    assert "who asked: the record does not say; taken for 'employee', as the suite's cases" in said["not_told"]


def test_a_trace_is_named_by_its_id_and_its_case_by_the_question(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    attributes = {
        "enduser.id": "employee",
        "gen_ai.input.messages": [{"role": "user", "content": RECORD["question"]}],
        "gen_ai.output.messages": [{"role": "assistant", "content": "It is $150 [1]."}],
        "gen_ai.retrieval.documents": [{"id": OLD["id"], "content": OLD["text"], "valid_to": "2024-06-30"}],
    }
    span = {"traceId": "4bf92f35", "spanId": "a", "startTimeUnixNano": "1727773920000000000", "attributes": attributes}
    said = added(capsys, write(span), "--readers", "staff")
    assert said["case"]["id"] == "nightly-hotel-limit"
    assert said["case"]["incident"] == "trace 4bf92f35"
    assert "citation.not_current" in {one["check"] for one in said["findings"]}
    assert (project / "cases/hotels/limits.yaml").read_text().endswith("    incident: trace 4bf92f35\n")


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("own", "named"), [("INC-88", "INC-88"), ("7f3c1a90-2b", None), ("17", None)], ids=["ticket", "hash", "number"]
)
def test_an_id_that_is_written_as_a_ticket_names_the_incident(
    own: str, named: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    record = {key: value for key, value in RECORD.items() if key != "incident"}
    assert added(capsys, write({**record, "id": own}))["case"]["incident"] == named


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
def test_where_what_is_said_cannot_be_printed_nothing_is_written(project: Path) -> None:
    record = write(RECORD)
    before = state(project)
    program = "import sys; from pytest_grounded.cli import main; sys.exit(main(sys.argv[1:]))"
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-u", "-c", program, "add", record],
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert (done.returncode, done.stderr) == (2, "standard output: No space left on device\n")
    assert state(project) == before


@pytest.mark.usefixtures("project")
def test_a_closed_standard_input_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert add("-") == 2
    assert capsys.readouterr().err == "standard input is closed (name the record of the incident)\n"
