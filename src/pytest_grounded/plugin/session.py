"""What one pytest session keeps for its cases: loaded files, recordings, the caller, the way to judge."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_grounded.cases.ids import TakenIds
from pytest_grounded.cases.loading import LoadedFile, discover, load_case_file
from pytest_grounded.errors import CaseError, SystemContractError
from pytest_grounded.harness.asking import Asker, LiveAsker, Memo, RecordedAsker
from pytest_grounded.harness.judging import JudgingOptions
from pytest_grounded.harness.probing import LeakOptions
from pytest_grounded.model.case import Case
from pytest_grounded.plugin import options
from pytest_grounded.plugin.containing import Containing
from pytest_grounded.plugin.options import system_name
from pytest_grounded.systems.calling import Caller, answer_function
from pytest_grounded.systems.naming import SystemKind, SystemName, import_system, parse_system_name
from pytest_grounded.systems.prose import in_prose
from pytest_grounded.systems.recorded import Recording
from pytest_grounded.systems.restarting import fresh_maker

if TYPE_CHECKING:
    from pytest_grounded.harness.tracing import Tracing
    from pytest_grounded.judges.ruling import Jury

__all__ = ["GroundedSession", "close_session", "session_of"]


class GroundedSession:
    """Everything that outlives one case."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.root = config.rootpath
        self.cases_roots = options.cases_roots(config)
        self.judging = JudgingOptions(
            reason_codes=options.reason_codes(config),
            link_hosts=options.link_hosts(config),
            root=config.rootpath,
            today=options.today(),
            jury=_jury(config),
        )
        self._files: dict[Path, LoadedFile] = {}
        self._ids = TakenIds()
        self._recordings: dict[Path, Recording] = {}
        self._references: dict[Path, object] = {}
        self._memos: dict[int, tuple[object, Memo]] = {}

    @cached_property
    def caller(self) -> Caller:
        """Calls live systems, with the session's time limit."""
        return Caller(timeout=options.timeout(self.config), passing=(pytest.skip.Exception, pytest.exit.Exception))

    @cached_property
    def compares_traces(self) -> bool:
        """Whether cases have their traces compared at all."""
        return options.snapshot_mode(self.config) != "off"

    @cached_property
    def leak_options(self) -> LeakOptions:
        """How much is asked beside the question of a restricted case."""
        return LeakOptions(probes=options.probes(self.config))

    @cached_property
    def runs(self) -> int:
        """How often every case is asked at least."""
        return options.runs(self.config)

    @cached_property
    def tracing(self) -> Tracing:
        """Where the run keeps its traces, and what it does with them."""
        from pytest_grounded.plugin.traces import make_tracing

        return make_tracing(self.config)

    def close(self) -> None:
        """Close the caller, if one was used."""
        if "caller" in self.__dict__:
            self.caller.close()

    def load(self, path: Path, *, named: bool = False) -> LoadedFile:
        """Load a case file once; an id that another file of its suite has is an error of the later file."""
        path = path.resolve()
        loaded = self._files.get(path)
        if loaded is None:
            loaded = load_case_file(path, root=self.root, cases_roots=self.cases_roots, named=named)
            if problems := self._ids.take(loaded.cases):
                raise CaseError(problems)
            self._files[path] = loaded
        return loaded

    @property
    def any_serial(self) -> bool:
        """Whether a case of the loaded files is never asked beside another one."""
        return any(case.serial for loaded in self._files.values() for case in loaded.cases)

    def all_cases(self) -> tuple[Case, ...]:
        """Every case below the folders of cases, in order of path and place."""
        files = discover(self.cases_roots)
        return tuple(case for path in files for case in self.load(path).cases)

    def default_system(self) -> object:
        """The system that the option or the ini setting names."""
        try:
            return self.resolve(system_name(self.config) or "reference")
        except SystemContractError as error:
            message = str(error)
        # Outside the except clause: pytest shows a chain of exceptions as two reports of one mistake.
        pytest.fail(message, pytrace=False)

    def resolve(self, name: str) -> object:
        """A system by its name; recorded and reference ones are looked up per suite when a case asks."""
        parsed = parse_system_name(name)
        if parsed.kind is SystemKind.PYTHON:
            system = import_system(parsed.target, rootdir=self.root)
            answer_function(system)
            return in_prose(system) if parsed.prose else system
        return parsed

    def asker(self, system: object, case: Case) -> Asker:
        """The way to ask this case, given what the fixture `grounded_system` holds."""
        if isinstance(system, str):
            system = self.resolve(system)
        if isinstance(system, Recording):
            return RecordedAsker(system)
        if isinstance(system, SystemName):
            folder = (self.root / case.place.file).parent
            if system.kind is SystemKind.RECORDED:
                return RecordedAsker(self._recording(folder, system.target), prose=system.prose)
            system = self._reference(folder)
        answer_function(system)
        return LiveAsker(system, self.caller, fresh=fresh_maker(system), memo=self._memo(system))

    def _memo(self, system: object) -> Memo:
        """What is kept of a system's replies; the system is kept beside it, so that its number stays its own."""
        return self._memos.setdefault(id(system), (system, Memo()))[1]

    def _recording(self, folder: Path, target: str) -> Recording:
        beside, at_root = folder / target, self.root / target
        path = beside if beside.is_file() else at_root
        if not path.is_file():
            message = (
                f"grounded_system recorded:{target}: there is no such file beside the cases or in {self.root} "
                '(one JSON object a line: {"case": "<case id>", "response": {"decision": ...}})'
            )
            raise SystemContractError(message)
        recording = self._recordings.get(path)
        if recording is None:
            shown = path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else target
            recording = self._recordings[path] = Recording.load(path, name=shown)
        return recording

    def _reference(self, folder: Path) -> object:
        system = self._references.get(folder)
        if system is None:
            from pytest_grounded.systems.reference import restartable_reference

            system = self._references[folder] = restartable_reference(folder, root=self.root)
        return system


_CONTAINING = "grounded-containing"
_session_key = pytest.StashKey[GroundedSession]()


def session_of(config: pytest.Config) -> GroundedSession:
    """The session's own, made when first asked for."""
    found = config.stash.get(_session_key, None)
    if found is None:
        found = config.stash[_session_key] = GroundedSession(config)
        if not config.pluginmanager.hasplugin(_CONTAINING):
            config.pluginmanager.register(Containing(config), _CONTAINING)
    return found


def close_session(config: pytest.Config) -> None:
    """Close it, if there is one."""
    found = config.stash.get(_session_key, None)
    if found is not None:
        found.close()


def _jury(config: pytest.Config) -> Jury | None:
    path = options.judge_path(config)
    if path is None:
        return None
    from pytest_grounded.systems.judges import load_jury

    return load_jury(path)
