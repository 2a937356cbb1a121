"""What a reply holds speaks to no terminal, CI, browser, spreadsheet or Markdown page that shows a report of it."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from pytest_grounded.checks.base import Judged
from pytest_grounded.checks.forbidden import check_forbidden
from pytest_grounded.cli import main
from pytest_grounded.model.case import Forbidden
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.response import Response
from pytest_grounded.testing.builders import make_case, make_chunk
from tests.calibration.samples import ordered_rows
from tests.hygiene.project import run_pytest

HOSTILE = [
    "::error file=a.py::forged", "  ::set-output name=x::y", "ok\r::add-mask::a", "##vso[task.complete]", "##[error]no",
    "\x1b]0;pwned\x07\x1b[2J", "\x1b]8;;http://evil.example\x07x", "\x9b31m", "50%\r100 passed", "\u202egpj.exe",
    "<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", '" onmouseover="alert(1)', "]]>", "\x00", "\ud800",
    "=HYPERLINK(1)", "[x](javascript:alert(1))", "![p](http://evil.example/p.png)", "```\n# forged\n```", "<details>",
]  # fmt: skip
APP = """
import json, pathlib, sys

HOSTILE = json.loads(pathlib.Path(__file__).with_name("hostile.json").read_text())


def answer(request):
    for text in HOSTILE:
        print(text)
        print(text, file=sys.stderr)
    text = chr(10).join(HOSTILE)
    return {"decision": "answer", "text": text, "reason_code": text, "debug": {text: text},
            "claims": [{"text": one, "cites": [one], "quote": one} for one in HOSTILE]}
"""


def write_project(root: Path) -> None:
    folder = root / "cases" / "s"
    folder.mkdir(parents=True)
    chunk = {"id": "c1", "text": "The limit is 180 dollars.", "title": HOSTILE[10]}
    (folder / "corpus.yaml").write_text(
        json.dumps({"corpus": "s", "as_of": "2024-10-01", "default_readers": ["*"], "chunks": [chunk]})
    )
    printable = "".join(one for one in " ".join(HOSTILE) if one.isprintable())
    case = {"id": "c", "kind": "answerable", "title": printable, "question": printable, "why": printable}
    (folder / "c.yaml").write_text(json.dumps({"cases": [case]}), encoding="utf-8")
    (root / "app.py").write_text(APP)
    (root / "hostile.json").write_text(json.dumps(HOSTILE))
    (root / "pytest.ini").write_text("[pytest]\ngrounded_system = app:answer\n")


class Elements(HTMLParser):
    """Every element of a page with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def acting(terminal: str) -> Iterator[str]:
    """Lines that act: workflow commands anywhere a runner looks for them, control characters, lines turned round."""
    for line in re.split(r"[\r\n\x85\u2028\u2029]", terminal):
        if line.lstrip().startswith("::") or re.search(r"##\w*\[|[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", line):
            yield line


@pytest.mark.parametrize("options", ["", "-s", "-n 2 -rA", "-o log_cli=true --capture=tee-sys"])
def test_nothing_a_reply_holds_acts_on_terminal_or_ci(options: str, tmp_path: Path) -> None:
    write_project(tmp_path)
    written = run_pytest(tmp_path, "-vv", "-l", "--color=no", *options.split())
    assert written.exit_code == 1
    assert list(acting(written.terminal.decode())) == []


def test_reports_are_whole_and_what_a_reply_holds_is_text_in_them(tmp_path: Path) -> None:
    pytest.importorskip("pytest_html")
    write_project(tmp_path)
    written = run_pytest(
        tmp_path, "--junitxml=j.xml", "--html=r.html", "--self-contained-html", "--grounded-results=r.jsonl", "-rA"
    )
    [case] = ET.fromstring(written.files["j.xml"]).iter("testcase")  # noqa: S314 - our own file
    assert case.attrib["name"] == "c"
    assert list(acting("\n".join(case.itertext()))) == []
    elements = Elements(written.files["r.html"].decode()).found
    assert not [tag for tag, attributes in elements if "onerror" in attributes or "onmouseover" in attributes]
    assert not [tag for tag, attributes in elements if "evil" in str(attributes) and tag in {"img", "a", "script"}]
    assert b"<script>alert" not in written.files["r.html"]
    [line] = written.files["r.jsonl"].splitlines()
    assert b"<script>" not in line
    row: dict[str, Any] = json.loads(line)
    assert row["verdict"] == "fail"


def test_no_cell_of_a_table_is_a_formula(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [{**row, "score_name": "=HYPERLINK(1)", "group": f"@SUM({n})"} for n, row in enumerate(ordered_rows(60, 20))]
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    main(["calibrate", "rows.jsonl"])
    tables = sorted(Path().rglob("*.csv"))
    assert tables
    cells = [
        cell for table in tables for row in csv.reader(table.read_text(encoding="utf-8").splitlines()) for cell in row
    ]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t"))]


@pytest.mark.parametrize("pattern", ["(a+)+$", "(.*)*b", "a{1000}{1000}", "[", "\\"])
def test_a_forbidden_text_is_no_pattern(pattern: str) -> None:
    """No text of a case file is ever a regular expression, so none takes long."""
    case = make_case(corpus=[make_chunk("c1")], forbid=Forbidden(text=(pattern,)))
    for text, is_found in (("a" * 200_000 + "!", False), (f"said {pattern} there", True)):
        outcome = Outcome(response=Response.model_validate({"decision": "answer", "text": text}))
        found = list(check_forbidden(Judged(case=case, outcome=outcome, view=case.view)))
        assert bool(found) is is_found
