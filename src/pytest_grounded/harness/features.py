"""What is compared of a reply that is worded anew each time: closed fields as they are, texts by what they tell.

An unstable system says the same thing in several ways. Its decision, codes and cited ids are still one of few values;
of its texts the wording counts as one value among others, and the figures and names in them as sets.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from pytest_grounded.harness.observation import Observed
from pytest_grounded.text.entities import entities

__all__ = ["features", "side_by_side"]

_TEXTS = ("text", "claims", "stream", "missing", "followups")
_FIGURE = re.compile(r"\d(?:[\d.,'\u2019]*\d)?")


def features(observed: Observed) -> dict[str, Hashable]:
    """One value per field and feature, for one run.

    >>> from pytest_grounded.harness.observation import observe
    >>> from pytest_grounded.model.outcome import Outcome
    >>> from pytest_grounded.model.response import Response
    >>> found = features(observe(Outcome(response=Response(decision="abstain", text="Neither 41,750 nor  more."))))
    >>> found["text"], found["text (figures)"]
    ('neither 41,750 nor more.', ('41,750',))
    """
    value = observed.value
    closed = {key: _canonical(item) for key, item in value.items() if key not in _TEXTS}
    told = {key: value[key] for key in _TEXTS if value.get(key)}
    words = "\n".join(_texts(told))
    return {
        **closed,
        "claims (cited)": tuple(_cited(value.get("claims") or ())),
        "claims (number)": len(value.get("claims") or ()),
        "text": " ".join(str(value.get("text") or "").casefold().split()),
        "text (figures)": tuple(sorted(set(_FIGURE.findall(words)))),
        "text (names)": tuple(sorted(set(entities(words)))),
    }


def side_by_side(*sides: Sequence[Observed]) -> tuple[dict[str, list[Hashable]], ...]:
    """For each side every feature that any side has, with its value in each run; None where a run has it not."""
    found = [[features(run) for run in side] for side in sides]
    names = dict.fromkeys(name for side in found for run in side for name in run)
    return tuple({name: [run.get(name) for run in side] for name in names} for side in found)


def _canonical(item: Any) -> str:
    return json.dumps(item, sort_keys=True, ensure_ascii=False, default=str)


def _cited(claims: Sequence[Any]) -> Iterator[str]:
    """Ids of cited chunks in order."""
    for claim in claims:
        for citation in claim.get("citations") or () if isinstance(claim, Mapping) else ():
            yield str(citation.get("chunk"))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if key not in ("chunk", "version"):
                yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
