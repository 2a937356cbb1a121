"""Finds the system that a name stands for: `package.module:attribute`, `recorded:file`, `reference`."""

from __future__ import annotations

import difflib
import importlib
import sys
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from pytest_grounded.errors import SystemContractError
from pytest_grounded.systems.blaming import place_in_own_code

__all__ = ["SystemKind", "SystemName", "import_system", "make_importable", "parse_system_name"]


class SystemKind(StrEnum):
    """The ways to reach a system that this version knows."""

    PYTHON = "python"
    RECORDED = "recorded"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class SystemName:
    """A parsed name; `target` is the module:attribute or the file, `prose` whether its replies are prose."""

    kind: SystemKind
    target: str = ""
    prose: bool = False


_FORMS = "`package.module:attribute`, `recorded:responses.jsonl` or `reference`"
_PROSE = "prose"


def parse_system_name(name: str) -> SystemName:
    """Read the name of a system.

    >>> parse_system_name("my_app.assistant:answer").kind.value
    'python'
    >>> parse_system_name("recorded:replies.jsonl").target
    'replies.jsonl'
    >>> parse_system_name("prose:my_app.assistant:answer").prose
    True
    """
    text = name.strip()
    prefix, colon, rest = text.partition(":")
    if prefix == _PROSE and colon:
        parsed = parse_system_name(rest)
        if parsed.kind is SystemKind.REFERENCE or parsed.prose:
            raise SystemContractError(
                f"grounded_system {name!r}: needs a system behind prose:, such as prose:package.module:attribute or "
                "prose:recorded:responses.jsonl"
            )
        return replace(parsed, prose=True)
    if text == SystemKind.REFERENCE:
        return SystemName(SystemKind.REFERENCE)
    scheme, colon, rest = text.partition(":")
    if scheme == SystemKind.RECORDED and colon:
        if not rest.strip():
            raise SystemContractError(f"grounded_system {name!r}: names no file; write recorded:responses.jsonl")
        return SystemName(SystemKind.RECORDED, rest.strip())
    if rest.startswith("//"):
        raise SystemContractError(
            f"grounded_system {name!r}: {scheme} systems are not supported by this version; {_use()}"
        )
    module, colon, attribute = text.partition(":")
    if colon and _is_dotted(module) and _is_dotted(attribute):
        return SystemName(SystemKind.PYTHON, text)
    near = difflib.get_close_matches(text, ["reference", "recorded:"], n=1) or _with_colon(text)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    raise SystemContractError(f"grounded_system {name!r}: is not the name of a system{hint}; {_use()}")


def import_system(target: str, *, rootdir: Path) -> object:
    """Import `package.module:attribute`; the project's root is importable, as under `python -m pytest`."""
    module_name, _, attribute = target.partition(":")
    root = str(rootdir)
    make_importable(rootdir)
    try:
        found: object = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not (module_name == error.name or module_name.startswith(error.name + ".")):
            raise SystemContractError(f"grounded_system {target!r}: importing {module_name} failed: {error}") from None
        message = f"grounded_system {target!r}: there is no module {error.name!r} in {root} or the installed packages"
        raise SystemContractError(message + _module_hint(target, rootdir)) from None
    except Exception as error:  # noqa: BLE001 - a user's module may fail in any way; the run cannot start
        place = place_in_own_code(error)
        said = f"{type(error).__name__}: {error}" + (f" ({place})" if place else "")
        message = f"grounded_system {target!r}: importing {module_name} failed: {said}"
        raise SystemContractError(message) from None
    for part in attribute.split("."):
        if not hasattr(found, part):
            near = difflib.get_close_matches(part, [name for name in dir(found) if not name.startswith("_")], n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise SystemContractError(f"grounded_system {target!r}: {module_name} has no attribute {part!r}{hint}")
        found = getattr(found, part)
    return found


def _with_colon(text: str) -> list[str]:
    """What a file of replies, and a dotted path to an attribute, are called as systems."""
    if text.endswith((".jsonl", ".ndjson")):
        return [f"recorded:{text}"]
    module, dot, attribute = text.rpartition(".")
    return [f"{module}:{attribute}"] if dot and _is_dotted(text) else []


def _module_hint(target: str, rootdir: Path) -> str:
    """What may have been meant by a module that is not there: a file's name, or one misspelled."""
    module, _, attribute = target.partition(":")
    if module.endswith(".py"):
        meant = [module.removesuffix(".py")]
    else:
        there = [path.stem for path in rootdir.glob("*.py")]
        there += [path.parent.name for path in rootdir.glob("*/__init__.py")]
        meant = difflib.get_close_matches(module, sorted(there), n=1)
    return f" (did you mean {meant[0] + ':' + attribute!r}?)" if meant else ""


def make_importable(rootdir: Path) -> None:
    """Let the modules in a project's root be imported."""
    if str(rootdir) not in sys.path:
        sys.path.insert(0, str(rootdir))


def _is_dotted(text: str) -> bool:
    return bool(text) and all(part.isidentifier() for part in text.split("."))


def _use() -> str:
    return f"write {_FORMS}, or override the session fixture grounded_system in a conftest.py"
