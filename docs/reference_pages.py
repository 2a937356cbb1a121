"""The pages of `docs/reference`, each made of what it describes: parsers, options, models, settings."""

from __future__ import annotations

import argparse
import ast
import inspect
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

import pytest_grounded
from pytest_grounded import cli, plugin, testing
from pytest_grounded.cases.defaults import implied_expectation
from pytest_grounded.cases.json_schema import json_schema as schema
from pytest_grounded.cases.schema import SYNONYMS, CaseWritten, DefaultsWritten, FileWritten
from pytest_grounded.cases.supported import NOT_YET_SUPPORTED
from pytest_grounded.cli.schema import SCHEMAS
from pytest_grounded.corpus.manifest import CHUNK_SYNONYMS, Manifest
from pytest_grounded.model.case import Expectation
from pytest_grounded.model.evidence import Chunk, Fact
from pytest_grounded.model.response import Response
from pytest_grounded.model.vocabulary import CaseKind
from pytest_grounded.pipeline.settings import PipelineSettings
from pytest_grounded.plugin.options import add_options

__all__ = ["reference_pages"]


def reference_pages() -> dict[str, str]:
    """Every page by its file name below `docs`."""
    pages = {
        "command-line": command_line_page(),
        "options": options_page(),
        "case-file": case_file_page(),
        "corpus": corpus_page(),
        "response": response_page(),
        "settings": settings_page(),
        "python": python_page(),
    }
    written = {f"reference/{name}.md": "\n".join(lines).rstrip() + "\n" for name, lines in pages.items()}
    return written | schema_files()


def schema_files() -> dict[str, str]:
    """The schemas that the package ships, by their place seen from `docs`."""
    return {
        f"../src/pytest_grounded/schemas/{what}.schema.json": json.dumps(schema(what), ensure_ascii=False, indent=1)
        + "\n"
        for what in SCHEMAS
    }


# --- the command -------------------------------------------------------------------------------------------------


def command_line_page() -> list[str]:
    """Every sub-command with its arguments, as its parser has them."""
    lines = [
        "# The command line",
        "",
        "`pytest-grounded COMMAND --help` says the same in a terminal. Exit codes: 0 fine, 1 findings, 2 input that",
        "cannot be used.",
        "",
        *_table("command", "what it does", ((f"[`{name}`](#{name})", what) for name, what in cli.COMMANDS.items())),
    ]
    for name, summary in cli.COMMANDS.items():
        parser = argparse.ArgumentParser(description=f"{summary[:1].upper()}{summary[1:]}.", add_help=False)
        cli.load(name).add_arguments(parser)
        lines += _parser(parser, name, level=2)
    return lines


def _parser(parser: argparse.ArgumentParser, name: str, *, level: int) -> Iterator[str]:
    yield from (f"{'#' * level} {name}", "", parser.description or "", "")
    for group in parser._action_groups:
        actions = [one for one in group._group_actions if not isinstance(one, _NO_ARGUMENT)]
        if not actions:
            continue
        if group.title != "positional arguments":
            yield from (f"{(group.title or '')[:1].upper()}{(group.title or '')[1:]}:", "")
        yield from _table("argument", "meaning", ((_spelled(one), one.help or "") for one in actions))
    for one in parser._actions:
        if isinstance(one, argparse._SubParsersAction):
            for inner, below in one.choices.items():
                yield from _parser(below, f"{name} {inner}", level=level + 1)


_NO_ARGUMENT = (argparse._SubParsersAction, argparse._HelpAction)


def _spelled(action: argparse.Action) -> str:
    """An argument as it is typed."""
    values = "|".join(map(str, action.choices or ()))
    shown = values or str(action.metavar or action.dest.upper())
    if not action.option_strings:
        more = " ..." if action.nargs in ("*", "+") else ""
        return f"`[{shown}{more}]`" if action.nargs in ("?", "*") else f"`{shown}{more}`"
    takes = "" if action.nargs == 0 else f" {shown}"
    return f"`{', '.join(action.option_strings)}{takes}`" + (" (required)" if action.required else "")


# --- the plugin --------------------------------------------------------------------------------------------------


class _Recorder:
    """Takes down what is asked of pytest's parser."""

    def __init__(self) -> None:
        self.options: list[tuple[tuple[str, ...], Mapping[str, Any]]] = []
        self.settings: list[tuple[str, str, Mapping[str, Any]]] = []

    def getgroup(self, *_: str) -> _Recorder:
        return self

    def addoption(self, *names: str, **said: Any) -> None:
        self.options.append((names, said))

    def addini(self, name: str, said: str, **more: Any) -> None:
        self.settings.append((name, said, more))


def options_page() -> list[str]:
    """Every option and setting of pytest that the plugin adds, its fixtures and its marker."""
    asked = _Recorder()
    add_options(asked)  # type: ignore[arg-type]
    options = ((f"`{names[0]}{_taken(said)}`", said["help"]) for names, said in asked.options)
    settings = ((f"`{name}`", _written_as(more), said) for name, said, more in asked.settings)
    return [
        "# Options, settings, fixtures",
        "",
        "`pytest --help` says the same under *grounded answers*. An option counts before the setting of its name.",
        "",
        "## Options of a run",
        "",
        *_table("option", "meaning", options),
        "## Settings",
        "",
        "In `pytest.ini`, or under `[tool.pytest.ini_options]` in `pyproject.toml`.",
        "",
        *_table("setting", "written as", "meaning", settings),
        "## Fixtures",
        "",
        *_table("fixture", "what it is", ((f"`{name}`", said) for name, said in _fixtures())),
        "## Marker",
        "",
        *_table("marker", "what it is", _markers()),
        "## Environment",
        "",
        *_table(
            "variable",
            "what it does",
            [
                ("`CI`", "set to anything but a no: `--grounded-snapshots auto` is `check`"),
                ("`SOURCE_DATE_EPOCH`", "the day that waivers are held to, in place of today"),
            ],
        ),
        "## How much a failure says",
        "",
        *_table(
            "asked for",
            "what a failed case says",
            [
                ("`--tb=line`", "one line: what was expected, and what came or was found"),
                ("`--tb=short`", "findings, how the trace differs, where it went wrong"),
                ("nothing", "the table of the evidence as well"),
                ("`-v`", "also what was not observed, which the summary of a run says once for all cases"),
                ("`-vv`", "also every difference of the trace"),
            ],
        ),
        "The list of failures at the end of a run, and `message` in JUnit, hold one line for each case.",
    ]


def _taken(said: Mapping[str, Any]) -> str:
    values = "|".join(said.get("choices", ())) or said.get("metavar", "")
    return f" {values}" if values else ""


def _written_as(more: Mapping[str, Any]) -> str:
    kinds = {"paths": "paths, from the file's folder", "linelist": "lines", "args": "words"}
    return kinds.get(str(more.get("type")), "text")


def _fixtures() -> Iterator[tuple[str, str]]:
    for node in ast.parse(inspect.getsource(plugin)).body:
        if isinstance(node, ast.FunctionDef) and node.name in plugin.__all__:
            yield node.name, (ast.get_docstring(node) or "").replace("\n\n", " ")


def _markers() -> Iterator[tuple[str, str]]:
    told = _Told()
    plugin.pytest_configure(told)  # type: ignore[arg-type]
    for line in told.lines:
        name, _, said = line.partition(": ")
        yield f"`{name}`", said


class _Told:
    """Takes down what is told to pytest's configuration, as in a worker: there nothing else is done."""

    workerinput: Mapping[str, object] = {}

    def __init__(self) -> None:
        self.lines: list[str] = []

    def addinivalue_line(self, _: str, line: str) -> None:
        self.lines.append(line)


# --- the files ---------------------------------------------------------------------------------------------------


def case_file_page() -> list[str]:
    """Every key of a case file, with what each kind implies."""
    definitions = schema("case")["definitions"]
    lines = [
        "# A case file",
        "",
        "Any `*.yaml` with a top-level `cases:` below the folders that [`grounded_cases`](options.md) names. Every",
        "plain scalar stays text until its field's type says otherwise: `no`, `0.60`, `1:30` mean what they look like.",
        "A key that is not listed is an error that says what was meant. For editors: `pytest-grounded schema case`.",
        "",
        *_fields(FileWritten, schema("case"), definitions),
        "## A case",
        "",
        *_fields(CaseWritten, definitions["CaseWritten"], definitions),
        "### What a kind implies",
        "",
        "A key of `expect` that is left out keeps what the kind implies; `null` demands null, `any` is not checked.",
        "",
        *_table("kind", "decision", "reason code", map(_implied, CaseKind)),
    ]
    seen: set[type[BaseModel]] = {FileWritten, CaseWritten}
    for model in (*_nested(FileWritten, seen), *_nested(CaseWritten, seen)):
        inner = definitions[model.__name__]
        lines += [f"## {_heading(model)}", "", _first_line(model), "", *_fields(model, inner, definitions)]
    if NOT_YET_SUPPORTED:
        listed = ", ".join(f"`{name}`" for name in sorted(NOT_YET_SUPPORTED))
        lines += [f"Known and not supported by this version (using one is an error): {listed}.", ""]
    said = ", ".join(f"`{wrong}` (`{right}`)" for wrong, right in SYNONYMS.items() if wrong.islower())
    return [*lines, "## What other tools call it", "", f"Named in the error where they are written: {said}."]


def _implied(kind: CaseKind) -> tuple[str, str, str]:
    implied: Expectation = implied_expectation(kind)
    decisions = ", ".join(f"`{one}`" for one in implied.decision or ())
    reasons = ", ".join("none" if one is None else f"`{one}`" for one in implied.reason_code or ())
    return f"`{kind}`", decisions, reasons


def corpus_page() -> list[str]:
    """Every key of a manifest and of a chunk."""
    written = schema("corpus")
    definitions = written["definitions"]
    said = ", ".join(f"`{wrong}` (`{right}`)" for wrong, right in CHUNK_SYNONYMS.items())
    return [
        "# A corpus",
        "",
        "`cases/<suite>/corpus.yaml` is the manifest; its chunks stand in it, or one a line in a JSON Lines file",
        "beside it. For editors: `pytest-grounded schema corpus`.",
        "",
        *_fields(Manifest, written, definitions),
        "## A chunk",
        "",
        "A field that is left out, or null, is not stated; `readers: null` and `readers: []` are nobody, and only a",
        "chunk without the key takes `default_readers`.",
        "",
        *_fields(Chunk, definitions["Chunk"], definitions),
        "## fact",
        "",
        *_fields(Fact, definitions["Fact"], definitions),
        "## What other tools call it",
        "",
        f"Named in the error where they are written: {said}.",
    ]


def response_page() -> list[str]:
    """Every key of a response."""
    lines = [
        "# A response",
        "",
        "What a system returns: a mapping, or JSON text that holds one. Only `decision` is required. Everything",
        "outside `internal` is what the requester can see. A key that is not listed counts as visible and is kept.",
        "",
    ]
    rows = []
    for name, field in Response.model_fields.items():
        inner = next(_models_in(field.annotation), None)
        keys = ", ".join(f"`{key}`" for key in inner.model_fields) if inner else ""
        rows.append((f"`{name}`", (_first_line(inner) if inner else "") or _PLAIN.get(name, ""), keys))
    return [
        *lines,
        *_table("key", "what it is", "its keys", rows),
        "## internal",
        "",
        "All of it is optional. Where something is not told, the report says which checks could not look.",
        "",
        *_table("key", "what it is", "example", _INTERNAL),
    ]


_INTERNAL = (
    ("`reason_code`", "The reason for the audit log, where it differs from the public one.", "`NOT_AUTHORIZED`"),
    ("`evidence`", "The ids of the chunks that the model was given, in their order.", '`["c1", "c3"]`'),
    (
        "`candidates`",
        "What retrieval proposed: `chunk`, and as far as known `score`, `kept`, `reason`.",
        '`[{"chunk": "c1", "score": 0.82, "kept": true}, {"chunk": "c2", "kept": false, "reason": "superseded"}]`',
    ),
    ("`prompt`", "Every string that reached a model.", '`["Answer from these passages: ..."]`'),
    (
        "`support`",
        "What a verifier ruled of each claim over its evidence.",
        '`[{"claim": 0, "evidence": ["c1"], "verdict": "support", "judge": "nli", "version": "2"}]`',
    ),
    ("`steps`", "The stages in their order, each with a `name`.", '`[{"name": "retrieve"}, {"name": "gate"}]`'),
    ("`raw`", "What the model wrote, before it was read.", ""),
    ("`usage`", "Tokens, as the model's provider counts them.", '`{"input": 812, "output": 40}`'),
    ("`timings`", "Durations.", '`{"total_ms": 420}`'),
    ("`cache`", "Whether the answer was kept from before, and for whom.", '`{"hit": true, "requester": "ann"}`'),
    (
        "`versions`",
        "Of the model, the prompt, the thresholds, the index: a change of one is named beside what it changed.",
        '`{"model": "m-2", "threshold": 0.6}`',
    ),
)


_PLAIN = {
    "decision": "`answer`, `partial`, `abstain`, `clarify` or `escalate`.",
    "reason_code": "Null, or one of the eleven reason codes (your own ones through `grounded_reason_codes`).",
    "text": "What is shown.",
    "missing": "Parts of the question that are not covered.",
    "next_step": "What the requester can do next.",
    "followups": "Suggested questions.",
    "delivery": "`generated` or `extractive` (quoted as it stands).",
    "confidence": "A number, the score that thresholds are calibrated on.",
}


# --- the reference pipeline --------------------------------------------------------------------------------------


def settings_page() -> list[str]:
    """Every setting of `reference.yaml` with its default."""
    written = PipelineSettings.model_json_schema()
    definitions = written["$defs"]
    lines = [
        "# Settings of the reference pipeline",
        "",
        "`cases/<suite>/reference.yaml` sets them for a suite; what it leaves out keeps its default. They are part of",
        "every trace, so that a change of one shows as what it is.",
        "",
        "```yaml",
        "retrieval: {limit: 20}",
        "gate: {coverage: 0.9}",
        "```",
        "",
    ]
    defaults = PipelineSettings().model_dump(mode="json", by_alias=True)
    seen: set[type[BaseModel]] = {PipelineSettings}
    for name, field in PipelineSettings.model_fields.items():
        model = next(_models_in(field.annotation))
        seen.add(model)
        lines += [f"## {name}", "", _first_line(model), ""]
        lines += _fields(model, definitions[model.__name__], definitions, defaults=defaults[name])
        for inner in _nested(model, seen):
            lines += [f"### {_heading(inner)}", "", _first_line(inner), ""]
            lines += _fields(inner, definitions[inner.__name__], definitions)
    return lines


# --- what is imported ----------------------------------------------------------------------------------------------


_IMPORTED = {
    "In a system under test": (
        "GroundedSystem Restartable Request Requester Turn Corpus Chunk Response Claim Citation Decision ReasonCode"
    ),
    "In a test": "GroundedCase Case CaseKind CaseResult Finding judge read_reply",
    "The reference pipeline": "ReferencePipeline PipelineSettings",
    "Errors": "GroundedError CaseError CorpusError SystemContractError",
}

_WITHOUT_FILES = """
from pytest_grounded import judge, read_reply
from pytest_grounded.testing import make_case, make_slot


def test_the_price_of_parking_is_cited() -> None:
    parking = "Parking costs $12 a day."
    case = make_case(corpus=[parking], slots=[make_slot("12", evidence=["c1"])])
    claim = {"text": parking, "citations": [{"chunk": "c1", "quote": parking}]}
    result = judge(case, read_reply({"decision": "answer", "text": parking, "claims": [claim]}))
    assert result.verdict == "pass", result.findings
"""


def python_page() -> list[str]:
    """Every name that may be imported, by what it is for."""
    lines = [
        "# From Python",
        "",
        "What may be imported and stays where it is; other modules may change with any version. The package is typed",
        "(`py.typed`); importing it loads nothing else before a name is used. Every error of its own is a",
        "`GroundedError`, whose `problems` say file, line, case and field, one for each thing to mend.",
        "",
        "From `pytest_grounded`:",
        "",
    ]
    for title, names in _IMPORTED.items():
        lines += [f"## {title}", "", *_table("name", "what it is", _summaries(pytest_grounded, names.split()))]
    return [
        *lines,
        "## Cases without files",
        "",
        "From `pytest_grounded.testing`, for unit tests of a system or of a check: what is not given is harmless.",
        "",
        *_table("name", "what it is", _summaries(testing, (name for name in testing.__all__ if name.islower()))),
        "```python",
        *_WITHOUT_FILES.strip().splitlines(),
        "```",
        "",
        "`pytest_grounded.testing.faults` [plants faults](../faults.md) in a pipeline or in what a system replies.",
    ]


def _summaries(module: object, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    for name in names:
        yield f"`{name}`", (inspect.getdoc(getattr(module, name)) or "").split("\n\n")[0]


# --- tables of models --------------------------------------------------------------------------------------------


def _fields(
    model: type[BaseModel],
    written: Mapping[str, Any],
    definitions: Mapping[str, Any],
    *,
    defaults: Mapping[str, Any] | None = None,
) -> Iterator[str]:
    """The fields of a model: what may be written, what it means, and an example or, with `defaults`, its default."""
    rows = []
    own = sorted(model.model_fields.items(), key=lambda item: item[0] not in model.__annotations__)
    for name, field in own:
        key = field.alias or name
        told = written["properties"].get(key, {})
        last = _default(defaults.get(key)) if defaults is not None else _examples(field.examples or ())
        needed = " (required)" if field.is_required() else ""
        if issubclass(model, CaseWritten | DefaultsWritten) and key in NOT_YET_SUPPORTED:
            needed = " (*not supported by this version: an error*)"
        rows.append((f"`{key}`", " or ".join(_kinds(told, definitions)), f"{field.description or ''}{needed}", last))
    yield from _table("key", "value", "meaning", "default" if defaults is not None else "example", rows)


def _kinds(told: Mapping[str, Any], definitions: Mapping[str, Any]) -> list[str]:
    """What may be written, in words, each once."""
    if "$ref" in told:
        name = told["$ref"].rpartition("/")[2]
        inner = definitions[name]
        return _kinds(inner, definitions) if "enum" in inner else [f"[{_called(name)}](#{_anchor(name)})"]
    if "enum" in told:
        return [" ".join("`null`" if one is None else f"`{one}`" for one in told["enum"])]
    if "const" in told:
        return [f"`{told['const']}`"]
    for several in ("anyOf", "oneOf"):
        if several in told:
            kinds = list(dict.fromkeys(kind for one in told[several] for kind in _kinds(one, definitions)))
            return ["a list of them" if kind == f"list of {kinds[0]}" else kind for kind in kinds]
    match told.get("type"):
        case list():
            return ["text"]
        case "array":
            inner = " or ".join(_kinds(told.get("items", {}), definitions)) or "anything"
            return [f"list of {inner}"]
        case "object":
            inner = " or ".join(_kinds(told.get("additionalProperties") or {}, definitions))
            return [f"mapping to {inner}" if inner else "mapping"]
        case "integer" | "number" as kind:
            return [_number(told, "whole number" if kind == "integer" else "number")]
        case "string":
            return ["date" if told.get("format") == "date" else "text"]
        case "boolean":
            return ["true or false"]
        case "null":
            return ["null"]
        case _:
            return []


def _number(told: Mapping[str, Any], kind: str) -> str:
    least, most = told.get("minimum"), told.get("maximum")
    if "exclusiveMinimum" in told:
        return f"{kind} above {told['exclusiveMinimum']:g}"
    if least is not None and most is not None:
        return f"{kind} from {least:g} to {most:g}"
    return f"{kind} from {least:g}" if least is not None else kind


def _called(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.removesuffix("Written").removesuffix("Settings")).lower()


def _anchor(name: str) -> str:
    special = {"CaseWritten": "a-case", "Chunk": "a-chunk"}
    return special.get(name, _called(name).replace(" ", "-"))


def _heading(model: type[BaseModel]) -> str:
    return _called(model.__name__)


_LONGEST = 160


def _default(value: Any) -> str:
    shown = json.dumps(value, ensure_ascii=False)
    return f"`{shown}`" if len(shown) <= _LONGEST else f"`{shown[:_LONGEST]}` ..."


def _examples(examples: Sequence[Any]) -> str:
    """Examples as they stand in YAML."""
    shown = (one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in examples)
    return ", ".join(f"`{one}`" for one in shown)


def _nested(model: type[BaseModel], seen: set[type[BaseModel]]) -> Iterator[type[BaseModel]]:
    """The models that a model's fields hold, each once, in order of the fields."""
    for field in model.model_fields.values():
        for inner in _models_in(field.annotation):
            if inner not in seen:
                seen.add(inner)
                yield inner
                yield from _nested(inner, seen)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in getattr(annotation, "__args__", ()):
        yield from _models_in(part)


def _first_line(model: type[BaseModel]) -> str:
    return (model.__doc__ or "").strip().split("\n")[0]


def _table(*parts: Any) -> Iterator[str]:
    """A table of the titles that are given first and the rows that are given last, and a blank line."""
    *titles, rows = parts
    yield f"| {' | '.join(titles)} |"
    yield f"|{' --- |' * len(titles)}"
    yield from (f"| {' | '.join(map(_cell, row))} |" for row in rows)
    yield ""


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
