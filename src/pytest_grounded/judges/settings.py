"""Which judge, as settings say it: in a suite's `reference.yaml`, or in a file of its own."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from enum import StrEnum
from importlib import import_module
from numbers import Real
from pathlib import Path
from typing import Annotated, Self, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pytest_grounded.chat import ChatSettings
from pytest_grounded.errors import JudgeError
from pytest_grounded.model.support import JudgeFailedError, ScoringJudge, SupportJudge, SupportVerdict

__all__ = ["SCORE_IS", "JudgeKind", "JudgeSettings", "make_judge"]

_Said = TypeVar("_Said")
_VERDICTS: tuple[SupportVerdict, ...] = get_args(SupportVerdict)


class JudgeKind(StrEnum):
    """What kinds of judges there are."""

    RULES = "rules"
    OVERLAP = "overlap"
    ONNX = "onnx"
    OPENAI = "openai"
    PYTHON = "python"


class JudgeSettings(BaseModel):
    """One judge. A file of its own may also name its measurement and where its verdicts are kept.

    >>> make_judge(JudgeSettings.model_validate({"kind": "overlap", "threshold": "0.7"})).name
    'overlap-0.7'
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: JudgeKind = Field(description="rules, overlap, onnx, openai or python.")
    path: str | None = Field(
        default=None, description="onnx: the folder of the model; python: module:attribute, a judge or what makes one."
    )
    threshold: Annotated[float | None, Field(ge=0, le=1)] = Field(
        default=None, description="overlap: least share of the claim's words (0.8); onnx: least probability (0.5)."
    )
    max_tokens: Annotated[int, Field(ge=8)] = Field(default=512, description="onnx: most tokens of a text pair.")
    labels: Mapping[str, Annotated[int, Field(ge=0)]] = Field(
        default_factory=dict, description="onnx: places of the classes support, contradict, neutral in the output."
    )
    endpoint: ChatSettings | None = Field(default=None, description="openai: where the model is and how it decodes.")
    measured: str | None = Field(
        default=None, description="The judge.json that `pytest-grounded judge` wrote for this judge in this version."
    )
    verdicts: str | None = Field(
        default=None, description="A file of kept verdicts; with it a judged run can be repeated byte for byte."
    )

    @model_validator(mode="after")
    def _has_what_its_kind_needs(self) -> Self:
        needs = {JudgeKind.ONNX: "path", JudgeKind.PYTHON: "path", JudgeKind.OPENAI: "endpoint"}.get(self.kind)
        if needs and getattr(self, needs) is None:
            raise ValueError(f"a judge of the kind {self.kind.value} needs {needs!r}")
        unknown = sorted(self.labels.keys() - {"support", "contradict", "neutral"})
        if unknown:
            raise ValueError(f"labels name support, contradict or neutral, found {unknown}")
        return self


def make_judge(settings: JudgeSettings, *, folder: Path | None = None) -> SupportJudge:
    """The judge that settings name; paths are relative to `folder`. Raises JudgeError where it cannot be had."""
    match settings.kind:
        case JudgeKind.RULES:
            from pytest_grounded.judges.rules import RulesJudge

            return RulesJudge()
        case JudgeKind.OVERLAP:
            from pytest_grounded.judges.rules import OverlapJudge

            return OverlapJudge() if settings.threshold is None else OverlapJudge(settings.threshold)
        case JudgeKind.ONNX:
            from pytest_grounded.judges.onnx import OnnxJudge

            return OnnxJudge(
                (folder or Path()) / (settings.path or ""),
                threshold=0.5 if settings.threshold is None else settings.threshold,
                max_tokens=settings.max_tokens,
                labels=settings.labels,
            )
        case JudgeKind.OPENAI:
            from pytest_grounded.judges.openai_compatible import OpenAICompatibleJudge

            assert settings.endpoint is not None
            return OpenAICompatibleJudge(settings.endpoint)
        case JudgeKind.PYTHON:
            return _imported(settings.path or "")


def _imported(name: str) -> SupportJudge:
    """A judge, or a class or function without arguments that makes one."""
    module, colon, attribute = name.partition(":")
    if not colon or not module or not attribute:
        raise JudgeError(f"judge {name!r}: needs module:attribute")
    try:
        found = getattr(import_module(module), attribute)
    except ImportError as error:
        raise JudgeError(f"judge {name!r}: {module!r} cannot be imported: {error}") from None
    except AttributeError:
        raise JudgeError(f"judge {name!r}: {module!r} has no {attribute!r}") from None
    judge = found() if isinstance(found, type) or not hasattr(found, "judge") else found
    if not isinstance(judge, SupportJudge):
        raise JudgeError(f"judge {name!r}: is none (needs name, version and judge(claim, evidence))")
    return _GuardedScores(judge) if isinstance(judge, ScoringJudge) else _Guarded(judge)


class _Guarded:
    """Somebody's own judge: whatever goes wrong in it is a judge that gave no verdict, not the end of a run.

    Neither the message nor the traceback of its error is kept: both may hold what was judged.
    """

    def __init__(self, judge: SupportJudge) -> None:
        self._judge = judge
        self.name, self.version = judge.name, judge.version

    def judge(self, claim: str, evidence: Sequence[str]) -> SupportVerdict:
        """Its verdict."""
        said: object = _tried(lambda: self._judge.judge(claim, evidence))
        for verdict in _VERDICTS:
            if said == verdict:
                return verdict
        if isinstance(said, Coroutine):
            said.close()
        raise JudgeFailedError("no_verdict")


class _GuardedScores(_Guarded):
    """The same of a judge that cuts a score."""

    def __init__(self, judge: ScoringJudge) -> None:
        super().__init__(judge)
        self._scoring = judge
        threshold: object = judge.threshold
        if not _is_number(threshold):
            what = "its threshold has to be a number from 0 to 1"
            raise JudgeError(f"judge {self.name!r}: {what}, found {threshold!r}")
        self.threshold = judge.threshold

    def score(self, claim: str, evidence: Sequence[str]) -> float | None:
        """Its score; one that is no number is a mistake in the judge, and named by what it is."""
        score = _tried(lambda: self._scoring.score(claim, evidence))
        if score is None:
            return None
        if not _is_number(score):
            if isinstance(score, Coroutine):
                score.close()
            raise JudgeFailedError(f"{SCORE_IS}{type(score).__name__}")
        if not 0 <= score <= 1:
            raise JudgeFailedError("no_score")
        return score


SCORE_IS = "score_is_"
"""How the kind of a failure begins where a score is no number; what it is follows."""


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _tried(asked: Callable[[], _Said]) -> _Said:
    try:
        return asked()
    except JudgeFailedError:
        raise
    except Exception as error:  # noqa: BLE001 - other people's code
        raise JudgeFailedError(f"raised_{type(error).__name__}") from None
