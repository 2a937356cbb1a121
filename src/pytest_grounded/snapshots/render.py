"""A comparison as people read it: what flipped, where it began, what followed; plain lines, the same every time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from pytest_grounded.snapshots.classify import Change, Comparison
from pytest_grounded.snapshots.schema import DRIFTING, SEVERITY, ChangeClass, JsonValue, Trace
from pytest_grounded.snapshots.wording import prose
from pytest_grounded.snapshots.writer import compact
from pytest_grounded.text.scripts import UNSPACED

__all__ = ["comparison_lines", "raw_view"]

_MOST_CHANGES = 20
_LONGEST_VALUE = 120
_ARROW = " -> "


def comparison_lines(comparison: Comparison, *, details: bool = False) -> list[str]:
    r"""The lines of a comparison: stale header, flipped decision, what else the run was done with, then stage by stage.

    Without `details` the changes behind the first divergence that only drift are counted, not shown, and long groups
    are cut. No line holds a control character.

    >>> from pytest_grounded.snapshots.classify import compare
    >>> old, new = ({"decision": "answer", "text": [f"It is {days} days."]} for days in (30, 60))
    >>> print("\n".join(comparison_lines(compare(old, new))))
    fact_wording: text
    first divergence: generate
      fact_wording  text
        - It is [-30-] days.
        + It is {+60+} days.
    """
    lines = [*_stale(comparison), *_headline(comparison), *(f"note: {_plain(note)}" for note in comparison.notes)]
    told = [change for change in comparison.changes if not _is_flip(change)]
    first = [change for change in told if change.stage == comparison.first_divergence]
    later = [change for change in told if change.stage != comparison.first_divergence]
    if comparison.first_divergence is not None:
        lines.append(f"first divergence: {_plain(comparison.first_divergence)}")
    flips = [change for change in comparison.changes if _is_flip(change)]
    lines += _group(first, shown=first if details else _distinct(first, but=flips)[:_MOST_CHANGES])
    if later:
        lines.append("later stages, often its effects")
        steady = [change for change in later if change.kind not in DRIFTING]
        lines += _group(later, shown=later if details else _distinct(steady, but=[*flips, *first])[:_MOST_CHANGES])
    if comparison.max_drift and (details or comparison.near_limit):
        lines.append(drift_line(comparison))
    return lines


def drift_line(comparison: Comparison) -> str:
    """How far numbers moved within the tolerance."""
    close = ", close to its limit" if comparison.near_limit else ""
    return (
        f"numbers moved by at most {comparison.max_drift:.4g}, within the tolerance of {comparison.tolerance:g}{close}"
    )


def raw_view(old: Trace, new: Trace) -> list[str]:
    """Every difference of two traces as deepdiff reports it, also in what the schema does not know.

    For people who ask for it: it takes milliseconds, and is never used to decide or to hide anything.
    """
    from deepdiff import DeepDiff

    before, after = _keyed(old, new)
    difference = DeepDiff(
        before,
        after,
        ignore_private_variables=False,  # else keys that begin with __ are passed over
        threshold_to_diff_deeper=0,  # else objects with few common keys become one change of the whole
        verbose_level=2,  # else added and removed values are not told
        view="tree",
    )
    return sorted(
        _plain(f"{str(level.path()).removeprefix('root')} {kind}: {_any(level.t1)}{_ARROW}{_any(level.t2)}")
        for kind, levels in difference.items()
        for level in levels
    )


_NAMING = (("claim", "chunk"), ("chunk",), ("name", "attempt"), ("claim", "evidence"), ("marker",), ("key",))


def _keyed(old: JsonValue, new: JsonValue) -> tuple[JsonValue, JsonValue]:
    """Both values with lists of named objects as objects by name, so that one element less does not shift the rest.

    Where the elements that both have stand in another order, a key `(order)` says so.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        pairs = {key: _keyed(old.get(key), new.get(key)) for key in (*old, *new)}
        return {key: pairs[key][0] for key in old}, {key: pairs[key][1] for key in new}
    if not isinstance(old, list) or not isinstance(new, list):
        return old, new
    names = _names(old, new)
    if names is None:
        return old, new
    left: dict[str, JsonValue] = dict(zip(names[0], old, strict=True))
    right: dict[str, JsonValue] = dict(zip(names[1], new, strict=True))
    common = left.keys() & right.keys()
    orders: list[JsonValue] = [[name for name in given if name in common] for given in names]
    if orders[0] != orders[1]:
        left["(order)"], right["(order)"] = orders
    return _keyed(left, right)


def _names(old: list[JsonValue], new: list[JsonValue]) -> tuple[list[str], list[str]] | None:
    """The names of the elements of two lists; None where some have none, or one stands twice."""
    records = [element for element in (*old, *new) if isinstance(element, dict)]
    keys = next((keys for keys in _NAMING if all(keys[0] in record for record in records)), None)
    if keys is None or len(records) < len(old) + len(new):
        return None
    names = ["/".join(str(record[key]) for key in keys if key in record) for record in records]
    before, after = names[: len(old)], names[len(old) :]
    is_unique = len(set(before)) == len(before) and len(set(after)) == len(after)
    return (before, after) if is_unique else None


def _any(value: object) -> str:
    return "(none)" if str(value) == "not present" else _clip(repr(value))


# Heads


def _stale(comparison: Comparison) -> list[str]:
    if not comparison.stale:
        return []
    names = ", ".join(_plain(change.path) for change in comparison.stale[:_MOST_CHANGES])
    more = len(comparison.stale) - _MOST_CHANGES
    return [f"stale baseline, changed since it was approved: {names}" + (f" and {more} more" if more > 0 else "")]


def _headline(comparison: Comparison) -> list[str]:
    if not comparison.changes:
        return []
    old, new = comparison.decisions
    lines = []
    if comparison.flip is not None:
        lines.append(f"decision: {old or 'none'}{_ARROW}{new or 'none'} ({comparison.flip})")
    headline = comparison.headline
    if headline is not None and (comparison.flip is None or headline is not ChangeClass.DECISION):
        paths = ", ".join(_plain(change.path) for change in comparison.by_class[headline][:_MOST_CHANGES])
        lines.append(f"{headline}: {paths}")
    return lines


# Changes


def _group(changes: Sequence[Change], *, shown: Sequence[Change]) -> list[str]:
    """The lines of the changes that are shown, and the count of the others by class."""
    told = _told_once(sorted(shown, key=_severity))
    lines = [f"  {line}" for change in told for line in _change_lines(change)]
    left = Counter(change.kind for change in changes) - Counter(change.kind for change in shown)
    if left:
        lines.append("  and " + ", ".join(f"{left[kind]} {kind}" for kind in SEVERITY if left[kind]))
    return lines


def _told_once(changes: Sequence[Change]) -> Iterator[Change]:
    """The changes, the same change of the same words in several places as one: a claim often is the text once more."""
    places: dict[tuple[str, str, str], list[Change]] = {}
    for change in changes:
        is_prose = _is_prose(change.old) and _is_prose(change.new)
        words = (_words(change.old), _words(change.new)) if is_prose else (change.path, "")
        key = (change.kind, *words)
        places.setdefault(key, []).append(change)
    for same in places.values():
        yield replace(same[0], path=", ".join(change.path for change in same)) if len(same) > 1 else same[0]


def _words(value: JsonValue) -> str:
    """Prose as one text, whether it is kept as a text or by its sentences."""
    return compact([value] if isinstance(value, str) else value)


def _severity(change: Change) -> int:
    return SEVERITY.index(change.kind)


def _distinct(changes: Sequence[Change], *, but: Sequence[Change]) -> list[Change]:
    """The changes, most severe first, without steps and pieces of a stream that repeat what another part says already."""
    seen = {_echo(change) for change in but}
    found = []
    for change in sorted(changes, key=lambda change: (change.path.startswith(_REPEATING), _severity(change))):
        if not change.path.startswith(_REPEATING) or _echo(change) not in seen:
            found.append(change)
        seen.add(_echo(change))
    return sorted(found, key=_severity)


def _echo(change: Change) -> tuple[str, str, str]:
    """What two reports of one thing have in common: the element or key, and both values."""
    path = _REPEATED.sub("", change.path)
    return path[path.rfind("[") :] if "[" in path else path, compact(change.old), compact(change.new)


_REPEATING = ("steps[", "stream[")
_REPEATED = re.compile(r"\A(?:steps|stream)\[[^\]]*\]\.")


def _is_flip(change: Change) -> bool:
    """Whether it is the decision itself, which stands in the headline."""
    return change.path == "decision"


def _change_lines(change: Change) -> Iterator[str]:
    path = _plain(change.path)
    if change.kind is ChangeClass.ORDER:
        yield f"{change.kind}  {path}: {_value(change.old)}{_ARROW}{_value(change.new)}"
    elif _is_prose(change.old) and _is_prose(change.new):
        yield f"{change.kind}  {path}"
        yield from (f"  {line}" for line in _sentence_lines(change.old, change.new))
    elif isinstance(change.old, dict) and change.new is None:
        yield f"{change.kind}  - {path}{_record(change.old)}"
    elif isinstance(change.new, dict) and change.old is None:
        yield f"{change.kind}  + {path}{_record(change.new)}"
    else:
        yield f"{change.kind}  {path}: {_value(change.old)}{_ARROW}{_value(change.new)}"


def _is_prose(value: JsonValue) -> bool:
    if isinstance(value, str):
        return " " in value
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _record(value: Mapping[str, JsonValue]) -> str:
    """An element of a list in words, behind its path: `  kept true  score 0.91`."""
    shown = (f"  {_plain(key)} {_value(item)}" for key, item in value.items() if key not in _IN_PATH)
    return _clip("".join(shown))


_IN_PATH = frozenset(("chunk", "claim", "name", "attempt", "key"))


def _value(value: JsonValue) -> str:
    return "none" if value is None else _clip(compact(value))


def _clip(text: str) -> str:
    return text if len(text) <= _LONGEST_VALUE else text[:_LONGEST_VALUE] + " ..."


def _plain(text: str) -> str:
    """A text on one line with unseen characters as escapes."""
    return compact(text)[1:-1].replace('\\"', '"').replace("\\\\", "\\")


# Sentences and words


_WORD = re.compile(rf"[{UNSPACED}]|\w+|\s+|[^\w\s]")
_MOST_PAIRS = 250_000


def _sentence_lines(old: JsonValue, new: JsonValue) -> Iterator[str]:
    """The changed sentences, a replaced one with its changed words marked."""
    before, after = _sentences(old), _sentences(new)
    for was, now in _replaced(before, after):
        pairs = min(len(was), len(now)) if len(was) == len(now) else 0
        for left, right in zip(was[:pairs], now[:pairs], strict=True):
            yield from _word_lines(left, right)
        yield from (f"- {_clip_sentence(sentence)}" for sentence in was[pairs:])
        yield from (f"+ {_clip_sentence(sentence)}" for sentence in now[pairs:])


def _sentences(value: JsonValue) -> list[str]:
    return [str(part) for part in value] if isinstance(value, list) else [prose(value)]


_LEAST_COMMON = 0.4
"""Share of the words that two sentences have in common from which marking the others helps."""


def _word_lines(old: str, new: str) -> Iterator[str]:
    """A replaced sentence with its changed words marked; one that is another sentence as it is."""
    before, after = _WORD.findall(old.strip()), _WORD.findall(new.strip())
    opcodes = list(_opcodes(before, after))
    common = sum(map(_is_word, (word for tag, was, _ in opcodes if tag == "equal" for word in was)))
    if common < _LEAST_COMMON * max(sum(map(_is_word, before)), sum(map(_is_word, after))):
        yield from (f"{sign} {_clip_sentence(sentence)}" for sign, sentence in (("-", old), ("+", new)))
        return
    left: list[str] = []
    right: list[str] = []
    for tag, was, now in opcodes:
        same = tag == "equal"
        left.append("".join(was) if same or not was else f"[-{''.join(was)}-]")
        right.append("".join(now) if same or not now else f"{{+{''.join(now)}+}}")
    yield f"- {_clip_sentence(''.join(left))}"
    yield f"+ {_clip_sentence(''.join(right))}"


def _is_word(token: str) -> bool:
    return token.isalnum()


_LONGEST_SENTENCE = 600


def _clip_sentence(sentence: str) -> str:
    plain = _plain(sentence.strip())
    return plain if len(plain) <= _LONGEST_SENTENCE else plain[:_LONGEST_SENTENCE] + " ..."


def _replaced(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    return ((was, now) for tag, was, now in _opcodes(before, after) if tag != "equal")


def _opcodes(before: Sequence[str], after: Sequence[str]) -> Iterable[tuple[str, Sequence[str], Sequence[str]]]:
    """How to turn one sequence into the other; too many pairs to compare become one replacement of all between."""
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    middle_before, middle_after = before[head : len(before) - tail], after[head : len(after) - tail]
    if head:
        yield "equal", before[:head], after[:head]
    if len(middle_before) * len(middle_after) > _MOST_PAIRS:
        yield "replace", middle_before, middle_after
    else:
        matcher = SequenceMatcher(None, middle_before, middle_after, autojunk=False)
        for tag, a, b, c, d in matcher.get_opcodes():
            yield tag, middle_before[a:b], middle_after[c:d]
    if tail:
        yield "equal", before[len(before) - tail :], after[len(after) - tail :]


def _common(before: Sequence[str], after: Sequence[str]) -> int:
    """How many elements both begin with."""
    count = 0
    for left, right in zip(before, after, strict=False):
        if left != right:
            break
        count += 1
    return count
