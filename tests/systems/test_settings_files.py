"""What a file of settings is refused for, and what of it does not come into a log."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_grounded.errors import SystemContractError
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.systems.reference import SETTINGS_FILE, load_settings, reference_system

MODEL = 'generation: {{model: {{base_url: "{}", model: m}}}}\n'


@pytest.mark.parametrize("written", ["", "# nothing yet\n", "null\n", "{}\n"])
def test_a_file_that_says_nothing_leaves_every_default(tmp_path: Path, written: str) -> None:
    (tmp_path / SETTINGS_FILE).write_text(written, encoding="utf-8")
    assert load_settings(tmp_path / SETTINGS_FILE, root=tmp_path) == PipelineSettings()


@pytest.mark.parametrize(
    ("written", "message"),
    [
        pytest.param("[]\n", "reference.yaml:1:1: Input should be a valid dictionary", id="empty-list"),
        pytest.param("hello\n", "reference.yaml:1:1: Input should be a valid dictionary", id="text"),
        pytest.param(
            MODEL.format("ftp://host"),
            "reference.yaml:1:32: generation.model.base_url: needs an http or https address in ASCII, without "
            "credentials, query or fragment, found 'ftp://host'",
            id="address",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, written: str, message: str) -> None:
    (tmp_path / SETTINGS_FILE).write_text(written, encoding="utf-8")
    with pytest.raises(SystemContractError) as refused:
        load_settings(tmp_path / SETTINGS_FILE, root=tmp_path)
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    "written",
    [
        pytest.param(MODEL.format("https://ann:hunter2@host/v1"), id="password"),
        pytest.param(MODEL.format("https://hunter2@host/v1"), id="token"),
        pytest.param('generation: {model: {base_url: "https://ann:hunter2@host/v1"}}\n', id="beside-what-is-missing"),
    ],
)
def test_a_password_in_an_address_does_not_come_into_a_log(tmp_path: Path, written: str) -> None:
    (tmp_path / SETTINGS_FILE).write_text(written, encoding="utf-8")
    with pytest.raises(SystemContractError) as refused:
        load_settings(tmp_path / SETTINGS_FILE, root=tmp_path)
    assert "hunter2" not in str(refused.value)


def test_settings_that_cannot_be_read_are_not_taken_for_none(tmp_path: Path) -> None:
    (tmp_path / "folder" / SETTINGS_FILE).mkdir(parents=True)
    (tmp_path / "link").mkdir()
    (tmp_path / "link" / SETTINGS_FILE).symlink_to("nowhere.yaml")
    for suite in ("folder", "link"):
        with pytest.raises(SystemContractError, match=f"{suite}/reference.yaml: cannot be read: "):
            reference_system(tmp_path / suite, root=tmp_path)
