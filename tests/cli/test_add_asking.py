"""`pytest-grounded add` at a terminal: it asks for what it has to know, shows what it would write, and waits for a yes."""

from __future__ import annotations

import builtins
import json
import os
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pytest_grounded.cli import main
from tests.cli.test_add import CASES, NEW, OLD, RECORD, project, state, write

__all__ = ["project"]

Typed = Callable[..., list[str]]
STOP, END = KeyboardInterrupt, EOFError
Answer = str | type[BaseException]

UNRECORDED: tuple[str, ...] = (
    "What is the nightly hotel limit?",  # asked
    "employee",
    "2024-10-01",
    "The nightly hotel limit is $150.",
    ".",
    "",  # its decision: answer
    "limit-2023, limit-2024",
    "The nightly hotel limit is $150.",  # the text of limit-2023
    ".",
    "staff",  # who may read it
    "answerable",
    "180",
    "limit-2024",
    "INC-7",
    "y",
)


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Typed:
    """What a person types, one answer a question; gives the prompts that were shown."""

    def type_(*answers: Answer) -> list[str]:
        left: Iterator[Answer] = iter(answers)
        prompts: list[str] = []

        def answer(prompt: str = "") -> str:
            prompts.append(prompt)
            said = next(left)
            if isinstance(said, str):
                return said
            raise said

        monkeypatch.setattr("pytest_grounded.cli.add.can_ask", lambda: True)
        monkeypatch.setattr(builtins, "input", answer)
        return prompts

    return type_


def test_an_incident_nobody_recorded_is_asked_for(
    project: Path, typed: Typed, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(*UNRECORDED)
    assert main(["add"]) == 0
    shown = capsys.readouterr().out
    assert "incident   INC-7 from a plain record (what you answered)" in shown
    assert "Who asked? One of employee; or their groups, commas between" in shown
    assert "fails by   " in shown
    assert (project / "cases/hotels/limits.yaml").read_text() == CASES + (
        "\n  - id: inc-7\n    kind: answerable\n    question: What is the nightly hotel limit?\n    expect:\n"
        '      slots:\n        - {name: answer, values: ["180"], evidence: [limit-2024]}\n    incident: INC-7\n'
    )
    kept = json.loads((project / "cases/hotels/chunks.jsonl").read_text().splitlines()[1])
    assert (kept["id"], kept["text"], kept["readers"]) == ("limit-2023", OLD["text"], ["staff"])


def test_in_an_empty_folder_a_suite_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: Typed, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    typed(
        "How much is parking?", "", "soon", "2024-10-01", "", ".", "It costs $12.", ".", "anser", "answer", "",
        "unanswerable", "OUT_OF_SCOP", "OUT_OF_SCOPE", "", "yes",
    )  # fmt: skip
    assert main(["add"]) == 0
    shown = capsys.readouterr().out
    assert "'soon' is no day such as 2024-10-01" in shown
    assert "'anser' is none of them (did you mean 'answer'?)" in shown
    assert "'OUT_OF_SCOP' is none of them (did you mean 'OUT_OF_SCOPE'?)" in shown
    assert "reason_code: OUT_OF_SCOPE" in (tmp_path / "cases/incidents/incidents.yaml").read_text()


@pytest.mark.parametrize("stops_at", range(len(UNRECORDED)))
@pytest.mark.parametrize(("how", "code"), [(STOP, 130), (END, 2)], ids=["ctrl-c", "end of input"])
def test_stopping_at_any_question_writes_nothing(
    stops_at: int, how: type[BaseException], code: int, project: Path, typed: Typed
) -> None:
    before = state(project)
    typed(*UNRECORDED[:stops_at], how)
    assert main(["add"]) == code
    assert state(project) == before


def test_what_would_be_written_is_shown_and_a_no_writes_nothing(
    project: Path, typed: Typed, capsys: pytest.CaptureFixture[str]
) -> None:
    record = write(RECORD)
    before = state(project)
    prompts = typed("")
    assert main(["add", record]) == 1
    shown = capsys.readouterr().out
    assert "in cases/hotels/limits.yaml\n@@ 10\n+\n+  - id: inc-1042\n+    kind: answerable\n" in shown
    assert '+{"id": "limit-2023", "text": "The nightly hotel limit is $150."' in shown
    assert "Write 3 files? [y/N]" in shown
    assert "not written cases/hotels/chunks.jsonl:2: 1 chunk" in shown
    assert "see it" not in shown
    assert prompts == ["> "]
    assert state(project) == before


def test_yes_asks_nothing_and_what_is_not_known_stays_an_error(
    project: Path, typed: Typed, capsys: pytest.CaptureFixture[str]
) -> None:
    unlabelled = write({**RECORD, "chunks": [{key: OLD[key] for key in OLD if key != "readers"}, NEW]})
    prompts = typed()
    assert main(["add", unlabelled, "--yes"]) == 2
    assert "who may read 'limit-2023'" in capsys.readouterr().err
    assert main(["add", write(RECORD), "--yes"]) == 0
    assert main(["add", "--yes"]) == 2
    assert "name the record of the incident" in capsys.readouterr().err
    assert prompts == []
    assert b"limit-2023" in (project / "cases/hotels/chunks.jsonl").read_bytes()


def test_a_dry_run_asks_for_what_has_to_be_known_and_not_for_a_yes(
    project: Path, typed: Typed, capsys: pytest.CaptureFixture[str]
) -> None:
    unlabelled = write({**RECORD, "chunks": [{key: OLD[key] for key in OLD if key != "readers"}, NEW]})
    before = state(project)
    typed("-")
    assert main(["add", unlabelled, "--dry-run"]) == 0
    assert "+  - id: inc-1042" in capsys.readouterr().out
    assert state(project) == before


@pytest.mark.usefixtures("project")
def test_what_a_record_lacks_is_asked_for(typed: Typed, capsys: pytest.CaptureFixture[str]) -> None:
    typed("What is the nightly hotel limit?", "It is $150.", ".", "", "limit-2024", "staff", "y")
    assert main(["add", write({"requester": "ann"})]) == 0
    shown = capsys.readouterr().out
    assert "the record names who asked only as 'ann': what they may read is not known" in shown
    assert "the record holds no reply" in shown


@pytest.mark.usefixtures("project")
def test_a_reply_may_stand_in_a_file(typed: Typed, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "reply.json").write_text("\ufeff" + json.dumps(RECORD["response"]), encoding="utf-8")
    typed("What is the nightly hotel limit?", "staff", "", "@nowhere.json", "@reply.json", "", "", "y")
    assert main(["add", "--store", write([OLD, NEW], "store.jsonl")]) == 0
    shown = capsys.readouterr().out
    assert "nowhere.json: No such file or directory; name another file, or type the text" in shown
    assert "fails by   citation.not_current" in shown


@pytest.mark.usefixtures("project")
def test_signs_that_are_no_text_are_asked_for_again(typed: Typed, capsys: pytest.CaptureFixture[str]) -> None:
    typed("What\x1b[D is it?", "caf\udce9?", "What is it?", STOP)
    assert main(["add"]) == 130
    shown = capsys.readouterr().out
    assert "holds signs that are no text, such as those of arrow keys; type it again" in shown
    assert "is not UTF-8 text" in shown


# --- ids without texts --------------------------------------------------------------------------------------------

PLAIN = {key: RECORD[key] for key in ("incident", "time", "requester", "question")}
ASKED = {
    "ids of the suite": {"answer": "It is $190 [1].", "chunks": ["limit-2024"]},
    "an id written as ids are": {"answer": "It is $190 [2].", "chunks": ["limit-2099", "limit-2024"]},
    "ids beside a structured reply": {"response": {"decision": "answer", "text": "It is $190.", "claims": []}, "docs": ["limit-2024"]},
    "ids beside their texts": {"answer": "It is $190 [1].", "chunks": ["limit-2024"], "contexts": [NEW["text"]]},
    "texts beside their ids": {"answer": "It is $190 [1].", "contexts": [NEW["text"]], "retrieved_context_ids": ["limit-2024"]},
}  # fmt: skip


@pytest.mark.parametrize("said", ASKED.values(), ids=ASKED)
def test_ids_in_a_record_are_chunks_of_the_suite(
    said: dict[str, object], project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (project / "cases/hotels/chunks.jsonl").read_bytes()
    assert main(["add", write({**PLAIN, **said}), "--value", "180", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(one["id"], one["from"]) for one in told["chunks"]] == [("limit-2024", "suite")]
    assert (project / "cases/hotels/chunks.jsonl").read_bytes() == before
    kept = json.loads((project / "cases/hotels/incidents.jsonl").read_text())["response"]
    assert "limit-2024" in json.dumps(kept)
    assert "chunk-1" not in json.dumps(kept)


@pytest.mark.usefixtures("project")
def test_as_many_ids_as_texts_are_needed_to_tell_which_belong_together(capsys: pytest.CaptureFixture[str]) -> None:
    said = {"answer": "It is $190 [1].", "chunks": ["limit-2024"], "contexts": [NEW["text"], "More."]}
    assert main(["add", write({**PLAIN, **said}), "--value", "180", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)["not_told"]
    assert "the chunks: 1 ids stand beside 2 texts: which belong together cannot be told ('limit-2024')" in told


@pytest.mark.usefixtures("project")
def test_a_word_that_no_corpus_has_as_an_id_is_a_text(capsys: pytest.CaptureFixture[str]) -> None:
    said = {"answer": "It is $190 [1].", "chunks": ["Paris"]}
    assert main(["add", write({**PLAIN, **said}), "--value", "180", "--format", "json"]) == 2
    assert "who may read 'chunk-1'" in capsys.readouterr().out


# --- a real terminal ----------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
@pytest.mark.parametrize("term", ["xterm-256color", "dumb", ""], ids=["xterm", "dumb", "none"])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_a_real_terminal_is_asked(term: str, encoding: str, project: Path) -> None:
    record = write({**RECORD, "question": "Was kostet eine Übernachtung?"})
    answered = at_a_terminal([record], "y\n", project, TERM=term, PYTHONIOENCODING=encoding)
    assert "Write 3 files? [y/N]" in answered
    assert ("Übernachtung" if encoding == "utf-8" else "\\u00dcbernachtung") in answered
    assert "written    cases/hotels/chunks.jsonl" in answered
    assert b"inc-1042" in (project / "cases/hotels/limits.yaml").read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_ctrl_c_at_a_real_terminal_says_so_in_one_line(project: Path) -> None:
    before = state(project)
    answered = at_a_terminal([], "What?\n\x03", project, TERM="dumb")
    assert answered.splitlines()[-1] == "stopped"
    assert "Traceback" not in answered
    assert state(project) == before


def at_a_terminal(words: list[str], keys: str, folder: Path, **environment: str) -> str:
    """What a terminal shows of a run in which `keys` are typed."""
    import pty

    ours, theirs = pty.openpty()
    run = subprocess.Popen(
        [sys.executable, "-c", "import sys; from pytest_grounded.cli import main; sys.exit(main())", "add", *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=folder,
        env={**os.environ, "COLUMNS": "200", **environment},
        start_new_session=True,
        preexec_fn=_takes_the_terminal,  # noqa: PLW1509  # the child has one thread
    )
    os.close(theirs)
    shown, left, waited = b"", keys.encode(), 0
    while True:
        if not select.select([ours], [], [], 1)[0]:
            waited += 1
            if waited > _PATIENCE:
                run.kill()
                pytest.fail(f"nothing came for {_PATIENCE} seconds after {shown!r}")
            if left == _CTRL_C and shown.endswith(_PROMPT):  # it came before anybody waited for a line: press it again
                os.write(ours, left)
            continue
        try:
            piece = os.read(ours, 4096)
        except OSError:
            break
        if not piece:
            break
        shown, waited = shown + piece, 0
        if shown.endswith(_PROMPT) and left and left != _CTRL_C:
            line, end, left = left.partition(b"\n")
            os.write(ours, line + end)
    run.wait(timeout=_PATIENCE)
    os.close(ours)
    return shown.decode("utf-8", "replace").replace("\r\n", "\n")


_PATIENCE = 60
_PROMPT = b"> "
_CTRL_C = b"\x03"


def _takes_the_terminal() -> None:
    import fcntl
    import signal
    import termios

    # Who runs the tests in the background ignores Ctrl-C, and a child would go on doing so.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
