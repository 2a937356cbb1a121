"""No check knows another: what several need stands in modules that define no check."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import pytest_grounded.checks
from pytest_grounded.checks.registry import DEFAULT_CHECKS

FOLDER = Path(pytest_grounded.checks.__file__).parent
TREES = {path.stem: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.py"))}
CHECKING = {
    name
    for name, tree in TREES.items()
    if any(isinstance(node, ast.FunctionDef) and node.name.startswith("check_") for node in tree.body)
}


@pytest.mark.parametrize("module", sorted(CHECKING))
def test_a_check_imports_no_other_check(module: str) -> None:
    imported = {
        node.module.removeprefix("pytest_grounded.checks.")
        for node in ast.walk(TREES[module])
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("pytest_grounded.checks.")
    }
    assert not imported & CHECKING


def test_every_check_is_run() -> None:
    run = {check.__module__.rpartition(".")[2] for check in DEFAULT_CHECKS}
    assert run == CHECKING - {"leakage"}
