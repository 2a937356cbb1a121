"""`pytest-grounded add` on files as people leave them: only lines are added, or nothing is and it says why."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_grounded.cli import main
from tests.cli.test_add import CASES, RECORD, project, state, write

__all__ = ["project"]

BYTES = CASES.encode()
BOM = b"\xef\xbb\xbf"
HEAD = CASES.split("cases:", maxsplit=1)[0].encode()
ENTRY = b"{id: parking, kind: unanswerable, question: What does parking cost?}"

EDITED = {
    "a byte order mark": BOM + BYTES,
    "line ends of Windows": BYTES.replace(b"\n", b"\r\n"),
    "both, and no line end at the end": BOM + BYTES.replace(b"\n", b"\r\n").rstrip(),
    "mixed line ends": BYTES.replace(b"\n", b"\r\n", 3),
    "no line end at the end": BYTES.rstrip(),
    "comments at the end": BYTES + b"    # about parking\n  # next\n# end",
    "marks of a document": b"---\n" + BYTES + b"...\n",
    "tabs between words": BYTES.replace(b"kind: unanswerable", b"kind:\tunanswerable\t# tab"),
    "in brackets": HEAD + b"cases: [" + ENTRY + b"]  # one\n",
    "in brackets over lines": HEAD + b"cases: [\n  " + ENTRY + b",\n]\n",
    "in brackets without a comma": HEAD + b"cases: [\n  " + ENTRY + b" # last\n]",
    "cases before what they use": b"cases:\n- id: parking\n  kind: unanswerable\n  question: |\n    What does\n    parking cost?\n\n" + HEAD,
    "text that keeps its blank lines": BYTES + b"    why: >+\n      text\n\n\n",
    "text over lines in quotes": BYTES + b'    why: "a\n      b"\n',
    "another script": BYTES.replace(b"Limits for hotels", "酒店上限 ü".encode()),
}  # fmt: skip


@pytest.mark.parametrize("raw", EDITED.values(), ids=EDITED)
def test_only_lines_are_added(raw: bytes, project: Path) -> None:
    path = project / "cases/hotels/limits.yaml"
    path.write_bytes(raw)
    assert main(["add", write(RECORD)]) == 0
    after = path.read_bytes()
    added = len(after) - len(raw)
    start = next((at for at in range(len(raw)) if raw[at] != after[at]), len(raw))
    assert added > 0
    assert any(after[:at] + after[at + added :] == raw for at in range(start + 1))
    assert (b"\r\n" in raw) == (b"\r\n" in after)
    assert main(["lint", "cases"]) == 0


REFUSED = {
    "an anchor": (BYTES.replace(b"cases:\n", b"cases: &all\n"), "limits.yaml:6:8: cases: anchor &all"),
    "tabs for indentation": (BYTES.replace(b"    kind", b"\tkind"), "indent with spaces"),
    "another encoding": (BYTES.replace(b"hotels", b"h\xf4tels"), "limits.yaml:1:15: byte 0xf4 is not UTF-8 (save the file as UTF-8)"),
    "a null character": (BYTES + b"\x00", "control character '\\x00' (take it out)"),
    "an empty list": (HEAD + b"cases: []\n", "needs a list of cases, found an empty list"),
    "too large": (BYTES + b"# padding\n" * 500_000, "limits.yaml:1:1: the file is larger than 1,048,576 bytes (split it)"),
    "too large with the case": (BYTES + b"#" * (1_048_500 - len(BYTES)) + b"\n", "limits.yaml: would be larger than 1,048,576 bytes with what is added (split it, or name another file)"),
}  # fmt: skip


@pytest.mark.parametrize(("raw", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_edited_stays_as_it_is(
    raw: bytes, message: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = write(RECORD)
    (project / "cases/hotels/limits.yaml").write_bytes(raw)
    before = state(project)
    assert main(["add", record]) == 2
    assert message in capsys.readouterr().err
    assert state(project) == before


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_to_a_file_of_the_suite_stays_a_link(project: Path) -> None:
    real = project / "cases" / "hotels" / "kept" / "limits.yaml"
    real.parent.mkdir()
    link = project / "cases/hotels/limits.yaml"
    link.rename(real)
    link.symlink_to(real)
    assert main(["add", write(RECORD)]) == 0
    assert link.is_symlink()
    assert real.read_bytes().startswith(BYTES)


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_out_of_the_folders_of_cases_is_refused_as_by_a_run(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = project / "cases/hotels/limits.yaml"
    link.rename(project / "limits.yaml")
    link.symlink_to(project / "limits.yaml")
    before = state(project)
    assert main(["add", write(RECORD), "--file", "limits.yaml"]) == 2
    assert "cases/hotels/limits.yaml: is a link to a file outside the folders of cases" in capsys.readouterr().err
    assert {path: raw for path, raw in state(project).items() if path.name != "incident.json"} == before
