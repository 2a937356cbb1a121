import json
from pathlib import Path

import pytest

from pytest_grounded.cli import main


def test_json_for_a_program_shows_no_character_that_turns_a_line_around(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / "limits\u202elmay.yaml").write_text("cases: [{id: a}]\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["lint", "--format", "json"]) == 1
    shown = capsys.readouterr().out
    assert "\u202e" not in shown
    assert json.loads(shown)["errors"][0]["file"] == "cases/limits\u202elmay.yaml"
