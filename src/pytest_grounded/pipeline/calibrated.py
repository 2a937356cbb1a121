"""A threshold that was chosen on labelled rows, with what it was chosen for; of anything else it promises nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from pytest_grounded.calibration.drift import stored_point
from pytest_grounded.calibration.inputs import CalibrationError

__all__ = ["SCORE", "CalibratedThreshold", "read_calibrated"]

SCORE = "confidence"
"""The score that the gate compares, as the results file names it."""
_DECIDING = ("pipeline", "scorer", "generator", "judge", "verifier", "settings_digest")
"""The versions of a run on which its drafts and scores depend."""


class CalibratedThreshold(BaseModel):
    """Where to stop answering, by which method, on which rows, of which score, corpus and system."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    threshold: Annotated[float, Field(allow_inf_nan=False)] = Field(description="Answer iff the score reaches it.")
    method: str = Field(description="ltt, crc, empirical or cost.")
    guarantee: str = Field(description="What holds, of what.")
    operating_point: str = Field(description="What was seen at it.")
    rows: str = Field(description="Digest of the rows it was chosen on.")
    score_name: str | None = Field(default=None, description="The score of the rows.")
    corpus: str | None = Field(default=None, description="Digest of the corpus that the rows were labelled on.")
    versions: Mapping[str, str | None] = Field(
        default_factory=dict, description="What the drafts and scores of the rows came from."
    )

    def void(self, *, corpus: str | None, versions: Mapping[str, Any]) -> tuple[str, ...]:
        """Why it does not hold for this corpus and this system; empty where it does, as far as the rows say.

        >>> found = CalibratedThreshold(
        ...     threshold=0.5, method="ltt", guarantee="g", operating_point="p", rows="r", corpus="sha256:a"
        ... )
        >>> found.void(corpus="sha256:b", versions={})
        ('the corpus is sha256:b, and the rows were labelled on sha256:a',)
        """
        return tuple(self._reasons(corpus, versions))

    def _reasons(self, corpus: str | None, versions: Mapping[str, Any]) -> Iterator[str]:
        if self.score_name is not None and self.score_name != SCORE:
            yield f"the gate compares the score {SCORE!r}, and the rows have {self.score_name!r}"
        if self.corpus is not None and corpus is not None and corpus != self.corpus:
            yield f"the corpus is {corpus}, and the rows were labelled on {self.corpus}"
        for name in _DECIDING:
            if name in self.versions and versions.get(name) != self.versions[name]:
                yield f"{name} is {versions.get(name)!r}, and was {self.versions[name]!r}"


def read_calibrated(stored: Any, *, name: str = "calibration.json") -> CalibratedThreshold:
    """The threshold of a calibration as it was written; raises `CalibrationError` where it may not be used.

    Refused: what is no calibration, one that answers nothing, one that ended with 1 (infeasible, or its limit was
    missed on the test rows), and one on rows of several versions of the system.
    """
    point = stored_point(stored, name=name)
    if stored.get("exit_code") != 0:
        why = (stored.get("test") or {}).get("words") or stored.get("operating_point")
        raise CalibrationError(f"{name} did not end well: {why} (a threshold that missed its limit is none)")
    sample = stored.get("sample") or {}
    return CalibratedThreshold(
        threshold=point.threshold,
        method=str(stored.get("method")),
        guarantee=str(stored.get("guarantee")),
        operating_point=str(stored.get("operating_point")),
        rows=str(sample.get("digest")),
        score_name=point.score_name,
        corpus=point.corpus,
        versions=dict(_versions(sample.get("versions") or {}, name)),
    )


def _versions(stored: Mapping[str, Any], name: str) -> Iterator[tuple[str, str | None]]:
    for key in _DECIDING:
        values = stored.get(key)
        if not values:
            continue
        if len(values) > 1:
            raise CalibrationError(
                f"{name} was chosen on rows of several versions of {key}: {', '.join(map(repr, values))} (a threshold "
                "holds for one: calibrate each apart)"
            )
        yield key, values[0]
