from pathlib import Path

import pytest

from pytest_grounded.errors import SystemContractError
from pytest_grounded.systems.naming import SystemKind, import_system, parse_system_name


@pytest.mark.parametrize(
    ("name", "kind", "target"),
    [
        ("reference", SystemKind.REFERENCE, ""),
        ("recorded:a/b.jsonl", SystemKind.RECORDED, "a/b.jsonl"),
        ("app.assistant:bot.answer", SystemKind.PYTHON, "app.assistant:bot.answer"),
    ],
)
def test_each_form_of_name_is_read(name: str, kind: SystemKind, target: str) -> None:
    parsed = parse_system_name(name)
    assert (parsed.kind, parsed.target) == (kind, target)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("referense", "did you mean 'reference'"),
        ("recorded:", "names no file"),
        ("app.assistant", "is not the name of a system"),
        ("app.assistant:", "is not the name of a system"),
        ("", "is not the name of a system"),
        ("https://example.test/answer", "https systems are not supported by this version"),
    ],
)
def test_a_name_that_is_none_says_what_to_write(name: str, message: str) -> None:
    with pytest.raises(SystemContractError, match=message):
        parse_system_name(name)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "naming_app.py").write_text("def answer(request): return None\n", encoding="utf-8")
    (tmp_path / "naming_broken.py").write_text("import naming_absent_library\n", encoding="utf-8")
    (tmp_path / "naming_raising.py").write_text("raise RuntimeError('no key')\n", encoding="utf-8")
    return tmp_path


def test_a_system_is_imported_from_the_projects_root(project: Path) -> None:
    assert callable(import_system("naming_app:answer", rootdir=project))


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("naming_app:anser", r"has no attribute 'anser' \(did you mean 'answer'\?\)"),
        ("naming_nowhere:answer", "there is no module 'naming_nowhere'"),
        ("naming_broken:answer", "importing naming_broken failed: No module named 'naming_absent_library'"),
        ("naming_raising:answer", "importing naming_raising failed: RuntimeError: no key"),
    ],
)
def test_a_system_that_cannot_be_imported_says_why(project: Path, target: str, message: str) -> None:
    with pytest.raises(SystemContractError, match=message):
        import_system(target, rootdir=project)
