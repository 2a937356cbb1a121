"""The walk over two traces along the schema: every difference once, with its place, stage and class."""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeGuard, assert_never

from pytest_grounded.snapshots.canonical import DIGITS
from pytest_grounded.snapshots.schema import (
    FIELDS,
    ChangeClass,
    JsonValue,
    Leaf,
    Listing,
    Named,
    Node,
    Open,
    Prose,
    Record,
    Score,
    Table,
    Trace,
)
from pytest_grounded.snapshots.wording import only_renamed, only_reworded, prose

__all__ = ["DEFAULT_TOLERANCE", "Change", "Walk"]

DEFAULT_TOLERANCE: Final = 0.001
"""How far a number may be from the stored one."""

_SMALLEST_TOLERANCE = 10.0**-DIGITS
_BINARY_SLACK = 1e-9
"""0.8104 - 0.81 is a little more than 0.0004 in binary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference. `masked` is the path without ids, `stage` where in the pipeline the changed part comes from."""

    path: str
    old: JsonValue
    new: JsonValue
    kind: ChangeClass
    stage: str = ""
    masked: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _At:
    """A place in the traces: as people read it, without ids, and as keys into the new trace."""

    path: str
    masked: str
    where: tuple[str | int, ...]
    stage: str
    visible: bool

    def key(self, name: str, node: Node | None = None) -> _At:
        return replace(
            self,
            path=f"{self.path}.{name}",
            masked=f"{self.masked}.{name}",
            where=(*self.where, name),
            stage=(node.stage if node else "") or self.stage,
        )

    def item(self, label: str, place: int, stage: str = "") -> _At:
        return replace(
            self,
            path=f"{self.path}[{label}]",
            masked=f"{self.masked}[*]",
            where=(*self.where, place),
            stage=stage or self.stage,
        )


_OTHER = Open(kind=ChangeClass.FACT_WORDING, prose=True)


class Walk:
    """Walks two traces once; what it found is in `changes`, `notes`, `max_drift` and `drifted`."""

    def __init__(self, old: Trace, new: Trace, *, tolerance: float = DEFAULT_TOLERANCE) -> None:
        if not tolerance > _SMALLEST_TOLERANCE:
            raise ValueError(
                f"tolerance has to be above {_SMALLEST_TOLERANCE}, the step of rounding, not {tolerance!r}"
            )
        self.changes: list[Change] = []
        self._renamed: list[str] = []
        self._twice: dict[str, dict[str, None]] = {}
        self.max_drift = 0.0
        self.drifted: list[tuple[tuple[str | int, ...], JsonValue]] = []
        self._old, self._new, self._tolerance = old, new, tolerance
        self._supported = all(old.get(key) == new.get(key) for key in ("claims", "citations"))
        self._claim_numbers: dict[int, int] | None = None
        self._versions: Sequence[Change] = ()
        self._has_opened = bool(old.get("evidence")) and bool(new.get("evidence"))
        self._kept_twice = _kept(old) & _kept(new)

    @property
    def notes(self) -> list[str]:
        """What was compared in a way that a reader should know of."""
        twice = [
            f"{path}: {', '.join(names)} {'stands' if len(names) == 1 else 'stand'} more than once; "
            f"{'its' if len(names) == 1 else 'their'} entries were compared in order"
            for path, names in self._twice.items()
        ]
        return [*self._renamed, *twice]

    def run(self) -> Walk:
        """Walk every field in the order of the schema, then those that the schema does not know."""
        self._field("versions")
        self._versions, self.changes = self.changes, []
        for key in FIELDS:
            if key == "versions":
                self.changes += self._versions
            else:
                self._field(key)
        for key in sorted((self._old.keys() | self._new.keys()) - FIELDS.keys()):
            at = _At(path=key, masked=key, where=(key,), stage="", visible=True)
            self._open(_OTHER, at, self._old.get(key), self._new.get(key), name=key)
        return self

    def _field(self, key: str) -> None:
        field = FIELDS[key]
        old, new = self._old.get(key), self._new.get(key)
        if _equal(old, new):
            return
        stage = (self._has_opened and field.opened) or field.node.stage or field.stage
        at = _At(path=key, masked=key, where=(key,), stage=stage, visible=field.visible)
        if not field.visible:
            old, new = _unnumbered(old), _unnumbered(new)
        self._node(field.node, at, old, new)

    def _node(self, node: Node, at: _At, old: JsonValue, new: JsonValue) -> None:
        if _equal(old, new):
            return
        match node:
            case Leaf():
                self._told(at, old, new, node.kind)
            case Score():
                self._score(at, old, new)
            case Prose():
                self._prose(at, old, new)
            case Named():
                renamed = isinstance(old, str) and isinstance(new, str) and only_renamed(old, new)
                self._found(at, old, new, ChangeClass.WORDING if renamed else node.kind)
            case Open():
                self._open(node, at, old, new, name="")
            case Record():
                self._record(node, at, old, new)
            case Table():
                self._table(node, at, old, new)
            case Listing():
                self._listing(node, at, old, new)
            case _:
                assert_never(node)

    def _found(self, at: _At, old: JsonValue, new: JsonValue, kind: ChangeClass) -> None:
        if kind is not ChangeClass.STALE_BASELINE and _marks(new, visible=at.visible) - _marks(old, visible=at.visible):
            kind = ChangeClass.LEAK
        if kind in _OBSERVED and not at.visible and self._repeats_a_version(at, old, new):
            return
        self.changes.append(Change(path=at.path, old=old, new=new, kind=kind, stage=at.stage, masked=at.masked))

    def _repeats_a_version(self, at: _At, old: JsonValue, new: JsonValue) -> bool:
        """Whether a step only says again what changed below `versions`: the name of a part, or a bound.

        A case changes by what a setting does to it. A bound may be computed from a setting, so its value need not be
        found there; it is noted. A decision may be set in the very words of a setting, and is told all the same.
        """
        if not self._versions or (old, new) == (self._old.get("decision"), self._new.get("decision")):
            return False
        if isinstance(old, str) and isinstance(new, str):
            return any((change.old, change.new) == (old, new) for change in self._versions)
        is_bound = _is_number(old) and _is_number(new) and _BOUND.search(str(at.where[-1])) is not None
        if is_bound:
            self._renamed.append(f"{at.path}: {json.dumps(old)} -> {json.dumps(new)}")
        return is_bound

    def _score(self, at: _At, old: JsonValue, new: JsonValue) -> None:
        if not _is_number(old) or not _is_number(new):
            self._found(at, old, new, ChangeClass.SCORE_DRIFT)
            return
        drift = abs(new - old)
        if drift > self._tolerance + _BINARY_SLACK:
            self._found(at, old, new, ChangeClass.SCORE_DRIFT)
        else:
            self._drifted(at, old, drift)

    def _prose(self, at: _At, old: JsonValue, new: JsonValue) -> None:
        before, after = prose(old), prose(new)
        if before == after:
            return
        reworded = only_reworded(before, after, supported=self._supported)
        self._found(at, old, new, ChangeClass.WORDING if reworded else ChangeClass.FACT_WORDING)

    def _record(self, node: Record, at: _At, old: JsonValue, new: JsonValue) -> None:
        before, after = _object(old), _object(new)
        for key, inner in node.fields.items():
            self._node(inner, at.key(key, inner), before.get(key), after.get(key))
        for key in sorted((before.keys() | after.keys()) - node.fields.keys()):
            self._open(_OTHER, at.key(key), before.get(key), after.get(key), name=key)

    def _table(self, node: Table, at: _At, old: JsonValue, new: JsonValue) -> None:
        before, after = _object(old), _object(new)
        for key in sorted(before.keys() & after.keys()):
            if before[key] != after[key]:
                place = replace(at, path=f"{at.path}[{key}]", masked=f"{at.masked}[*]", where=(*at.where, key))
                self._found(place, before[key], after[key], node.value.kind)

    # Lists

    def _listing(self, node: Listing, at: _At, old: JsonValue, new: JsonValue) -> None:
        before, after = _elements(old), _elements(new)
        if not before and not after:
            # Nothing was observed on one side, and on the other it is known that there was nothing.
            self._found(at, old, new, _member(node, None))
            return
        joined = [self._with_its_claim(citation) for citation in before] if at.path == "citations" else before
        match = _match(self._labels(node, at, joined), self._labels(node, at, after))
        if node.pairs:
            match = match.with_edits(_groups(node, joined), _groups(node, after))
        if at.path == "claims":
            self._claim_numbers = {was + 1: now + 1 for was, now in match.compared}
        for was, now in match.compared:
            self._node(node.element, self._item(node, at, after[now], now), joined[was], after[now])
        for was in match.gone:
            self._found(self._item(node, at, before[was], was), before[was], None, _member(node, before[was]))
        for now in match.come:
            self._found(self._item(node, at, after[now], now), None, after[now], _member(node, after[now]))
        if node.order is not None and match.reordered:
            names = {was: _name(node, before[was], was) for was, _ in match.matched}
            old_order: JsonValue = [names[was] for was, _ in match.matched]
            new_order: JsonValue = [names[was] for was, _ in sorted(match.matched, key=_now)]
            self._found(at, old_order, new_order, node.order)

    def _item(self, node: Listing, at: _At, element: JsonValue, place: int) -> _At:
        """The place of an element. A step is a stage of its own; a chunk that selection kept both times was lost later."""
        stage = ""
        if at.path == "steps":
            stage = _step_name(element)
        elif at.path == "evidence" and isinstance(element, str) and element in self._kept_twice:
            stage = "resolve" if self._has_opened else "gate"
        return at.item(_name(node, element, place), place, stage)

    def _with_its_claim(self, citation: JsonValue) -> JsonValue:
        """An old citation under the number its claim has now; where the claim is gone it matches none."""
        number = citation.get("claim") if isinstance(citation, dict) else None
        if self._claim_numbers is None or not isinstance(citation, dict) or not isinstance(number, int):
            return citation
        return citation | {"claim": self._claim_numbers.get(number, f"{number} (gone)")}

    def _labels(self, node: Listing, at: _At, elements: Sequence[JsonValue]) -> list[_Label]:
        """What tells the elements apart; an identity that stands more than once is counted."""
        seen: Counter[str] = Counter()
        labels: list[_Label] = []
        for place, element in enumerate(elements):
            identity = _identity(node, element)
            seen[identity] += 1
            labels.append((identity, seen[identity]))
            if seen[identity] > 1 and node.identity and _ANY_ALIAS not in identity:
                name = _name(node, element, place)
                self._twice.setdefault(at.path, {})[name] = None
        return labels

    # Objects of unknown shape

    def _open(self, node: Open, at: _At, old: JsonValue, new: JsonValue, *, name: str, of_chunk: bool = False) -> None:
        if _equal(old, new):
            return
        if isinstance(old, dict) and isinstance(new, dict):
            of_chunk = of_chunk or "chunk" in old or "chunk" in new
            for key in sorted(old.keys() | new.keys()):
                inner = name if _SCORE.search(name) else key
                self._open(node, at.key(key), old.get(key), new.get(key), name=inner, of_chunk=of_chunk)
        elif isinstance(old, list) and isinstance(new, list):
            self._open_list(node, at, old, new, name=name)
        elif _is_measured(node, name, old, new):
            self._score(at, old, new)
        elif node.prose and isinstance(old, str) and isinstance(new, str):
            self._prose(at, old, new)
        else:
            self._told(at, old, new, _open_kind(node, name, old, new, of_chunk=of_chunk))

    def _open_list(self, node: Open, at: _At, old: list[JsonValue], new: list[JsonValue], *, name: str) -> None:
        """A list of numbers is compared place by place, any other like the lists of the schema."""
        if len(old) == len(new) and all(map(_is_number, (*old, *new))):
            for place, (before, after) in enumerate(zip(old, new, strict=True)):
                self._open(node, at.item(str(place + 1), place), before, after, name=name)
        else:
            self._listing(_listing_for(node, old, new), at, old, new)

    def _told(self, at: _At, old: JsonValue, new: JsonValue, kind: ChangeClass) -> None:
        """A reason or an outcome in words: a score in it may drift like one that stands alone.

        Where the settings changed, the bound in it did so too, and whether that kept or dropped anything is told by
        what was kept.
        """
        pairs = _decimals(old, new) if kind in _WORDED else None
        if pairs is None:
            self._found(at, old, new, kind)
            return
        drifts = [abs(right - left) for left, right in pairs]
        steady = [drift for drift in drifts if drift <= self._tolerance + _BINARY_SLACK]
        if len(steady) == len(drifts):
            self._drifted(at, old, max(drifts, default=0.0))
        elif not _COMPARES.search(str(old)):
            self._found(at, old, new, kind)
        elif not self._versions or (len(drifts) > 1 and not steady):
            self._found(at, old, new, ChangeClass.SCORE_DRIFT)

    def _drifted(self, at: _At, stored: JsonValue, drift: float) -> None:
        self.max_drift = max(self.max_drift, drift)
        if not isinstance(stored, str) or _ANY_ALIAS not in stored:
            self.drifted.append((at.where, stored))


_OBSERVED = frozenset((ChangeClass.DROP_REASON, ChangeClass.STEP, ChangeClass.CLAIM))
_WORDED = frozenset((ChangeClass.DROP_REASON, ChangeClass.STEP))
_COMPARES = re.compile(
    r"\b(?:above|at least|at most|below|bound|ceiling|confidence|coverage|cut-?off|distance|floor|maximum|minimum|"
    r"needed|overlap|relevance|scored?|scores|share|similarity|sufficiency|threshold|weight)\b|[<>≤≥]",
    re.IGNORECASE,
)
"""A reason with such a word compares numbers; a decimal in any other one may be a version or a section."""
_DECIMAL = re.compile(r"-?\d+\.\d+")


def _decimals(old: JsonValue, new: JsonValue) -> list[tuple[float, float]] | None:
    """The decimals in two otherwise equal texts, paired; None where more differs."""
    if not isinstance(old, str) or not isinstance(new, str) or _DECIMAL.sub("#", old) != _DECIMAL.sub("#", new):
        return None
    found = zip(_DECIMAL.findall(old), _DECIMAL.findall(new), strict=True)
    return [(float(left), float(right)) for left, right in found]


_SCORE = re.compile(
    r"(?:^|_)(?:confidence|coverage|distance|logprob|margin|overlap|prob|probability|relevance|scores?|similarity|"
    r"sufficiency|weight)$",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"(?:^|_)(?:bound|ceiling|cutoff|floor|limit|max|maximum|min|minimum|needed|required|threshold)(?:$|_)",
    re.IGNORECASE,
)


def _is_measured(node: Open, name: str, old: JsonValue, new: JsonValue) -> bool:
    """Whether a leaf is a computed number. In what is shown only a name can tell, elsewhere a fraction does."""
    if node.kind not in {ChangeClass.STEP, ChangeClass.FACT_WORDING} or not (_is_number(old) and _is_number(new)):
        return False
    if _SCORE.search(name):
        return True
    return not node.prose and (isinstance(old, float) or isinstance(new, float)) and not _BOUND.search(name)


def _open_kind(node: Open, name: str, old: JsonValue, new: JsonValue, *, of_chunk: bool) -> ChangeClass:
    """A step that lists chunks says of each whether it was kept and why not, like the list of candidates."""
    if node.kind is ChangeClass.STEP and of_chunk:
        if name == "kept" and isinstance(new if old is None else old, bool):
            return ChangeClass.EVIDENCE
        if name in {"reason", "reasons", "rule"}:
            return ChangeClass.DROP_REASON
    return node.kind


_Label = tuple[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Match:
    """Which elements of two lists belong together, as places in the old and the new one."""

    matched: tuple[tuple[int, int], ...]
    gone: tuple[int, ...]
    come: tuple[int, ...]
    paired: tuple[tuple[int, int], ...] = ()

    def with_edits(self, before: Sequence[str], after: Sequence[str]) -> _Match:
        """Those left over paired in order, within their group: an edited element is then an edit."""
        left: dict[str, deque[int]] = {}
        for now in self.come:
            left.setdefault(after[now], deque()).append(now)
        paired = [(was, left[before[was]].popleft()) for was in self.gone if left.get(before[was])]
        edited, made = {was for was, _ in paired}, {now for _, now in paired}
        return replace(
            self,
            paired=tuple(paired),
            gone=tuple(was for was in self.gone if was not in edited),
            come=tuple(now for now in self.come if now not in made),
        )

    @property
    def compared(self) -> list[tuple[int, int]]:
        """The pairs to be compared, in the order of the old list."""
        return sorted((*self.matched, *self.paired))

    @property
    def reordered(self) -> bool:
        """Whether the elements that both lists have stand in another order."""
        places = [now for _, now in self.matched]
        return places != sorted(places)


def _match(old: Sequence[_Label], new: Sequence[_Label]) -> _Match:
    """Match by label."""
    places, known = {label: place for place, label in enumerate(new)}, frozenset(old)
    return _Match(
        matched=tuple((place, places[label]) for place, label in enumerate(old) if label in places),
        gone=tuple(place for place, label in enumerate(old) if label not in places),
        come=tuple(place for place, label in enumerate(new) if label not in known),
    )


def _groups(node: Listing, elements: Sequence[JsonValue]) -> list[str]:
    """The group within which an element may be an edit of another; all are one group where the schema names none."""
    return [str(element.get(node.within)) if node.within and isinstance(element, dict) else "" for element in elements]


_IDENTITIES = ("chunk", "id", "name", "key", "claim")


def _listing_for(node: Open, old: Sequence[JsonValue], new: Sequence[JsonValue]) -> Listing:
    """How to match the elements of a list this schema does not know: by an id that all of them have, else by value."""
    elements = (*old, *new)
    objects = [element for element in elements if isinstance(element, dict)]
    order = node.kind if node.kind is ChangeClass.STALE_BASELINE else ChangeClass.ORDER
    by = next((key for key in _IDENTITIES if all(key in element for element in objects)), None)
    if by is None or len(objects) < len(elements):
        return Listing(element=node, member=node.kind, pairs=bool(objects) or node.prose, order=order)
    is_selection = node.kind is ChangeClass.STEP and by == "chunk"
    return Listing(element=node, member=_selected if is_selection else node.kind, identity=(by,), order=order)


def _selected(element: JsonValue) -> ChangeClass:
    """A chunk that came into or left a step's list is evidence where it was kept, like a candidate."""
    kept = element.get("kept") if isinstance(element, dict) else None
    if kept is None:
        return ChangeClass.STEP
    return ChangeClass.EVIDENCE if kept else ChangeClass.DROP_REASON


def _member(node: Listing, element: JsonValue) -> ChangeClass:
    return node.member if isinstance(node.member, ChangeClass) else node.member(element)


def _identity(node: Listing, element: JsonValue) -> str:
    if not node.identity or not isinstance(element, dict):
        return json.dumps(element, ensure_ascii=False, sort_keys=True)
    values = [element.get(key) for key in node.identity]
    if node.identity == ("text",):
        values = [prose(values[0])]
    return json.dumps(values, ensure_ascii=False)


def _name(node: Listing, element: JsonValue, place: int) -> str:
    """What people call an element: its id, its place where it has none."""
    if not isinstance(element, dict):
        return str(place + 1) if node.pairs else str(element)
    ids = (element.get(key) for key in node.identity if key != "text")
    shown = ("+".join(map(str, value)) if isinstance(value, list) else str(value) for value in ids if value is not None)
    return "/".join(shown) or str(place + 1)


def _now(match: tuple[int, int]) -> int:
    return match[1]


def _kept(trace: Trace) -> frozenset[str]:
    """The candidates that selection kept, as far as they were observed."""
    found = (one for one in _elements(trace.get("candidates")) if isinstance(one, dict) and one.get("kept") is True)
    return frozenset(chunk for one in found if isinstance(chunk := one.get("chunk"), str))


def _step_name(element: JsonValue) -> str:
    name = element.get("name") if isinstance(element, dict) else None
    return name if isinstance(name, str) else ""


def _object(value: JsonValue) -> dict[str, JsonValue]:
    return value if isinstance(value, dict) else {}


def _elements(value: JsonValue) -> list[JsonValue]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _is_number(value: JsonValue) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _equal(old: JsonValue, new: JsonValue) -> bool:
    return old == new and isinstance(old, bool) is isinstance(new, bool)


_REDACTED = re.compile(r"\[redacted \d+ characters?\]")
_ALIAS = re.compile(r"\brestricted-\d+\b")


def _marks(value: JsonValue, *, visible: bool) -> Counter[str]:
    """The marks that stand for what the requester may not read. An alias among the unseen candidates is no leak."""
    texts = list(_texts(value))
    marks: Counter[str] = Counter()
    for text in texts:
        marks["redacted"] += len(_REDACTED.findall(text))
        if visible:
            marks.update(_ALIAS.findall(text))
    return marks


_ANY_ALIAS = "restricted-*"


def _unnumbered(value: JsonValue) -> JsonValue:
    """What was observed, with unreadable chunks told apart by order alone.

    Their number is a rank among all such chunks of the corpus: one more of them anywhere changes it, and nothing else.
    """
    if isinstance(value, str):
        return _ALIAS.sub(_ANY_ALIAS, value) if "restricted-" in value else value
    if isinstance(value, list):
        return [_unnumbered(item) for item in value]
    if isinstance(value, dict):
        return {str(_unnumbered(key)): _unnumbered(item) for key, item in value.items()}
    return value


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _texts(item)
