"""A regression harness for grounded answers: what people import from it, and nothing that has to be loaded for it.

The names are looked up when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_grounded.errors import CaseError, CorpusError, GroundedError, SystemContractError
    from pytest_grounded.harness.judging import judge
    from pytest_grounded.harness.results import CaseResult
    from pytest_grounded.model.case import Case
    from pytest_grounded.model.evidence import Chunk, Corpus, Requester
    from pytest_grounded.model.finding import Finding
    from pytest_grounded.model.request import GroundedSystem, Request, Turn
    from pytest_grounded.model.response import Citation, Claim, Response
    from pytest_grounded.model.vocabulary import CaseKind, Decision, ReasonCode
    from pytest_grounded.pipeline.reference import ReferencePipeline
    from pytest_grounded.pipeline.settings import PipelineSettings
    from pytest_grounded.plugin.handle import GroundedCase
    from pytest_grounded.systems.reading import read_reply
    from pytest_grounded.systems.restarting import Restartable

__all__ = [
    "Case",
    "CaseError",
    "CaseKind",
    "CaseResult",
    "Chunk",
    "Citation",
    "Claim",
    "Corpus",
    "CorpusError",
    "Decision",
    "Finding",
    "GroundedCase",
    "GroundedError",
    "GroundedSystem",
    "PipelineSettings",
    "ReasonCode",
    "ReferencePipeline",
    "Request",
    "Requester",
    "Response",
    "Restartable",
    "SystemContractError",
    "Turn",
    "judge",
    "read_reply",
]

_HOMES = {
    "errors": ("CaseError", "CorpusError", "GroundedError", "SystemContractError"),
    "harness.judging": ("judge",),
    "harness.results": ("CaseResult",),
    "model.case": ("Case",),
    "model.evidence": ("Chunk", "Corpus", "Requester"),
    "model.finding": ("Finding",),
    "model.request": ("GroundedSystem", "Request", "Turn"),
    "model.response": ("Citation", "Claim", "Response"),
    "model.vocabulary": ("CaseKind", "Decision", "ReasonCode"),
    "pipeline.reference": ("ReferencePipeline",),
    "pipeline.settings": ("PipelineSettings",),
    "plugin.handle": ("GroundedCase",),
    "systems.reading": ("read_reply",),
    "systems.restarting": ("Restartable",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *__all__]
