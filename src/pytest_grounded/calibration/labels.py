"""Claims that people labelled: which evidence was cited, what each rater said, and what was settled between them.

A label file is what a judge is measured against, so nothing in it is guessed: an unknown word, a disagreement that
was settled against both raters, an id that stands twice are errors with their line. A disagreement that nobody
settled has no label; it is counted and left out.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_grounded.calibration.inputs import CalibrationError
from pytest_grounded.calibration.json_lines import LineReader, decoded, numbered, shortened, shown
from pytest_grounded.errors import Problem
from pytest_grounded.text.polarity import exceptions, negations
from pytest_grounded.text.quantities import find_quantities

__all__ = ["SLICES", "LabelledClaim", "LabelledSet", "label_words", "read_claims", "require_labels"]

SUPPORTED: frozenset[str] = frozenset(
    {"supported", "support", "supports", "fully attributable", "attributable", "entailed", "entailment", "yes"}
    | {"true", "1"}
)
UNSUPPORTED: frozenset[str] = frozenset(
    {"unsupported", "not supported", "partially supported", "not fully attributable", "not attributable", "generic"}
    | {"contradicted", "contradiction", "contradict", "refuted", "neutral", "not entailed", "no", "false", "0"}
)
SLICES = ("numbers", "negation", "conditions", "joint_support")
"""What is looked for in every item; a file may name more of its own under `slices`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledClaim:
    """One claim, the texts it cites, and what people said: `truth` is 1, 0, or None where nothing is settled."""

    id: str
    claim: str
    evidence: tuple[str, ...]
    raters: tuple[tuple[str, int], ...] = ()
    adjudicated: int | None = None
    truth: int | None = None
    slices: tuple[str, ...] = ()

    @property
    def is_disputed(self) -> bool:
        """Whether its raters differ."""
        return len({label for _, label in self.raters}) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSet:
    """Claims in the order of their ids, whatever order the file had, and the lines they stood on."""

    claims: tuple[LabelledClaim, ...]
    name: str = "labels"
    lines: Mapping[str, int] = field(default_factory=dict, compare=False)

    @property
    def digest(self) -> str:
        """SHA-256 of what is read of the claims."""
        rows = [
            [one.id, one.claim, list(one.evidence), [list(pair) for pair in one.raters], one.truth, list(one.slices)]
            for one in self.claims
        ]
        text = json.dumps(rows, ensure_ascii=False)
        return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"

    @property
    def settled(self) -> tuple[LabelledClaim, ...]:
        """Those with a label."""
        return tuple(one for one in self.claims if one.truth is not None)


def label_words(word: str) -> int | None:
    """1 for a word that means supported, 0 for one that means not (in part is not), None for any other.

    >>> [label_words(word) for word in ("SUPPORTED", "partially_supported", "Fully attributable", "perhaps")]
    [1, 0, 1, None]
    """
    plain = re.sub(r"[\s_-]+", " ", word).strip().lower()
    return 1 if plain in SUPPORTED else 0 if plain in UNSUPPORTED else None


def read_claims(
    raw_lines: Iterable[bytes], *, name: str = "labels", words: Mapping[str, int] | None = None
) -> LabelledSet:
    """Read claims from lines of JSON; raises `CalibrationError` with every fault that makes a line unreadable.

    Keys: `id`, `claim`, `evidence` (a text, or a list of the cited texts), and, where people labelled it, `label`, or
    `labels` (an object of raters and their words) with `adjudicated`; `slices` names further slices. With `gold` (as
    in WiCE) the list holds the sentences of one text, and the positions of those that support the claim. `words` are
    label words beside those known. Other keys are passed over.

    >>> line = b'{"id": "a", "claim": "It is $5.", "evidence": "It costs $5.", "labels": {"x": "yes", "y": "no"}}'
    >>> found = read_claims([line])
    >>> found.claims[0].truth, found.claims[0].is_disputed, found.claims[0].slices
    (None, True, ('numbers',))
    """
    known = {word.strip().lower(): label for word, label in (words or {}).items()}
    problems: list[Problem] = []
    claims: dict[str, LabelledClaim] = {}
    lines: dict[str, int] = {}
    for number, line in numbered(raw_lines):
        reader = _Reader(name=name, line=number, words=known)
        claim = reader.claim(line)
        if claim is not None and claim.id in lines:
            reader.add(
                "",
                f"stands twice, first in line {lines[claim.id]} (keep one: counted twice it makes every "
                "interval too narrow)",
            )
        problems.extend(reader.problems)
        if claim is not None and not reader.problems:
            claims[claim.id], lines[claim.id] = claim, number
    if not claims and not problems:
        problems.append(Problem(message="holds no claims (needs one JSON object on each line)", file=name, code=_CODE))
    if problems:
        raise CalibrationError(shortened(problems, name))
    return LabelledSet(claims=tuple(claims[one] for one in sorted(claims)), name=name, lines=lines)


_CODE = "judge.labels"


def require_labels(found: LabelledSet) -> None:
    """Raise where a judge cannot be measured on these claims: no labels, or one of the two only.

    >>> require_labels(read_claims([b'{"id": "a", "claim": "It is 5.", "evidence": "5", "label": "supported"}']))
    Traceback (most recent call last):
    ...
    pytest_grounded.calibration.inputs.CalibrationError: labels: all 1 labelled claims are supported (needs ...
    """
    counts = Counter(one.truth for one in found.settled)
    if not counts:
        disputed = sum(one.is_disputed for one in found.claims)
        why = (
            f"none of {len(found.claims)} claims has a settled label"
            if disputed
            else f"none of {len(found.claims)} claims has a label"
        )
        needs = "needs `adjudicated` where raters differ" if disputed else "needs `label`, or `labels` by rater"
        raise CalibrationError(Problem(message=f"{why} ({needs})", file=found.name, code=_CODE))
    if len(counts) == 1:
        which, other = ("supported", "unsupported") if counts[1] else ("unsupported", "supported")
        total = sum(counts.values())
        message = (
            f"all {total} labelled claims are {which} (needs {other} ones too: a judge that says {which} of "
            "everything would look perfect)"
        )
        raise CalibrationError(Problem(message=message, file=found.name, code=_CODE))


@dataclass(slots=True)
class _Reader(LineReader):
    """Reads one line."""

    code = _CODE
    words: Mapping[str, int]

    def claim(self, line: bytes) -> LabelledClaim | None:
        value = self._object(line)
        if value is None:
            return None
        self.id = self._text(value, "id", "the id of the claim") or None
        claim = self._text(value, "claim", "the sentence that was judged")
        evidence, sentences = self._evidence(value)
        raters = tuple(sorted(self._raters(value)))
        adjudicated = self._label(value, "adjudicated")
        if self.problems or self.id is None:
            return None
        return LabelledClaim(
            id=self.id,
            claim=claim,
            evidence=evidence,
            raters=raters,
            adjudicated=adjudicated,
            truth=self._truth(value, raters, adjudicated),
            slices=tuple(dict.fromkeys((*_found_slices(claim, sentences), *self._slices(value)))),
        )

    def _object(self, line: bytes) -> Mapping[str, Any] | None:
        try:
            return decoded(line)
        except ValueError as error:
            self.add("", str(error))
            return None

    def _text(self, value: Mapping[str, Any], key: str, what: str) -> str:
        found = value.get(key)
        if isinstance(found, str) and found.strip():
            return found
        if key not in value:
            self.add(key, f"is missing (needs {what})")
        else:
            self.add(key, f"is {shown(found)} (needs {what}, as text)")
        return ""

    def _evidence(self, value: Mapping[str, Any]) -> tuple[tuple[str, ...], int]:
        """The cited texts, and how many of them are needed together."""
        found = value.get("evidence")
        texts = [found] if isinstance(found, str) else found
        if not isinstance(texts, list) or not texts or not all(isinstance(one, str) for one in texts):
            what = "is missing" if "evidence" not in value else f"is {shown(found)}"
            self.add("evidence", f"{what} (needs a text, or a list of the texts that the claim cites)")
            return (), 0
        gold = value.get("gold")
        if gold is None:
            return tuple(texts), len(texts)
        if not isinstance(gold, list) or not all(type(place) is int and 0 <= place < len(texts) for place in gold):
            self.add("gold", f"is {shown(gold)} (needs positions in `evidence`, from 0 to {len(texts) - 1})")
            return (), 0
        return ("\n".join(texts),), len(gold)

    def _raters(self, value: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
        found = value.get("labels")
        if found is None:
            return
        if not isinstance(found, dict) or not found:
            self.add("labels", f"is {shown(found)} (needs an object of raters and their words)")
            return
        if value.get("label") is not None:
            self.add("label", "stands beside `labels` (give one of them; what was settled is `adjudicated`)")
        for rater in found:
            label = self._label(found, rater, at=f"labels.{rater}")
            if label is not None:
                yield rater, label

    def _label(self, value: Mapping[str, Any], key: str, *, at: str = "") -> int | None:
        found = value.get(key)
        if found is None:
            return None
        word = str(int(found)) if isinstance(found, bool) or found in (0, 1) else found
        label = None
        if isinstance(word, str):
            label = self.words.get(word.strip().lower())
            label = label_words(word) if label is None else label
        if label is None:
            self.add(
                at or key,
                f"is {shown(found)} (needs supported or unsupported; another word: --label WORD=supported)",
            )
        return label

    def _truth(
        self, value: Mapping[str, Any], raters: tuple[tuple[str, int], ...], adjudicated: int | None
    ) -> int | None:
        if not raters:
            plain = self._label(value, "label")
            return plain if adjudicated is None else adjudicated
        said = {label for _, label in raters}
        if adjudicated is not None and adjudicated not in said:
            both = "the one rater" if len(raters) == 1 else "every rater"
            self.add("adjudicated", f"is against {both} (it settles a disagreement; correct their labels instead)")
        if adjudicated is not None:
            return adjudicated
        return said.pop() if len(said) == 1 else None

    def _slices(self, value: Mapping[str, Any]) -> tuple[str, ...]:
        found = value.get("slices")
        if found is None:
            return ()
        if isinstance(found, list) and all(isinstance(one, str) and one.strip() for one in found):
            return tuple(found)
        self.add("slices", f"is {shown(found)} (needs a list of names)")
        return ()


_CONDITION = re.compile(r"\b(?:if|when|whenever|until|as long as|in case|subject to)\b", re.IGNORECASE)


def _found_slices(claim: str, needed: int) -> Iterator[str]:
    if find_quantities(claim):
        yield "numbers"
    if negations(claim):
        yield "negation"
    if exceptions(claim) or _CONDITION.search(claim):
        yield "conditions"
    if needed > 1:
        yield "joint_support"
