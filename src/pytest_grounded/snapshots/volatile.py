"""What differs between two runs that did the same: clocks, costs, machines, request ids, absolute paths.

It is dropped or replaced by name and shape, in those parts of a trace whose keys this package does not define. Words
shown to the requester are left alone, except that a request id in them is renamed like the id itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum, auto
from functools import lru_cache
from pathlib import PurePath

from pytest_grounded.snapshots.schema import JsonValue

__all__ = ["drop_volatile", "is_volatile", "rename_request_ids"]

_MACHINE = frozenset(
    """elapsed etag host host_name hostname latencies latency millis ms node_name nonce ns pid ppid process_id
    system_fingerprint thread_name timestamp timestamps timing timings ts ttfb ttft uptime us usage user_agent worker
    worker_id xdist_worker""".split()  # noqa: SIM905 - a list of words, not of literals
)
_MACHINE_ENDS = ("_ms", "_us", "_ns", "_msec", "_millis", "_nanos", "_timestamp", "_latency", "_elapsed", "_usage")
# Names that are a fact as often as a measurement: dropped only where the value is a number or a reading of a clock.
_MEASURED = frozenset(
    """api_cost cost cost_cents cost_usd created date duration ended expires finished llm_cost now received runtime sent
    seconds served started time token_count tokens took total_cost total_cost_usd updated""".split()  # noqa: SIM905
)
_MEASURED_ENDS = ("_at", "_seconds", "_secs", "_sec", "_tokens")
_BREAKDOWNS = frozenset(("cost", "costs", "tokens"))
# A whole number under these may be said to the requester (a stay of 3 days); a fraction or an epoch is a measurement.
_SPANS = ("_time", "_date", "_duration")
_EPOCH = 1_000_000_000
_SETTING = re.compile(r"(?:max|min|top)_|.*_(?:limit|budget|floor|cap)\Z")
_CLOCK = re.compile(
    r"\d{4}-\d\d-\d\d[T ](?!00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:?\d\d)?\Z)"
    r"\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?\Z"
    r"|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (?:GMT|[+-]\d{4})\Z"
)
_REQUEST_ID = re.compile(
    r"(?:x_)?(?:\w+_)?(?:call|chat|completion|conversation|correlation|event|execution|generation|interaction|"
    r"invocation|job|message|msg|operation|prediction|req|request|response|run|session|span|task|thread|ticket|trace|"
    r"transaction|turn)_(?:id|uuid|guid|number)\Z|traceparent\Z|ticket\Z|uuid\Z|guid\Z"
)
_OPAQUE = re.compile(
    r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\Z|[0-9a-fA-F]{16,64}\Z|[a-z]{2,10}-(?=\w*\d)\w{16,64}\Z"
)
_FOUND_IN_TEXT = 6
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,16}\b")
_PLACE = re.compile(
    r"(?<![\w.:/\\-])(?:/(?:Users|home|mnt|opt|private|root|srv|tmp|usr|var|work|workspace|builds|github)/|[A-Za-z]:\\)"
    r"[^\s\"'<>|:,;()\[\]{}]+"
)
_TIME = "[time]"


@lru_cache(maxsize=4096)
def _snake(name: str) -> str:
    return _CAMEL.sub("_", name).replace("-", "_").lower()


def is_volatile(name: str, value: object) -> bool:
    """Whether a key holds a measurement of the run rather than a result.

    A setting such as `max_tokens` is none, and neither is a text under a name that may be a fact.

    >>> is_volatile("latencyMs", 412), is_volatile("max_tokens", 500)
    (True, False)
    >>> is_volatile("cost", 0.002), is_volatile("cost", "$180 per night")
    (True, False)
    """
    named = _named(name)
    if named is _Named.A_FACT:
        return False
    if named is _Named.A_MEASUREMENT:
        return True
    if isinstance(value, str):
        return named is not _Named.A_BREAKDOWN and _CLOCK.match(value) is not None
    if not isinstance(value, int | float):
        return isinstance(value, dict) and _snake(name) in _BREAKDOWNS
    if named is _Named.A_SPAN:
        return isinstance(value, float) or value >= _EPOCH
    return named is _Named.MEASURED


class _Named(Enum):
    """What the name of a key says about its value."""

    A_FACT = auto()
    A_MEASUREMENT = auto()
    MEASURED = auto()
    """A measurement where it is a number or a reading of a clock."""
    A_SPAN = auto()
    """The same, but a whole number may be said to the requester."""
    A_BREAKDOWN = auto()
    """A measurement where it is an object."""


@lru_cache(maxsize=4096)
def _named(name: str) -> _Named:
    name = _snake(name)
    if _SETTING.match(name):
        return _Named.A_FACT
    if name in _MACHINE or name.endswith(_MACHINE_ENDS):
        return _Named.A_MEASUREMENT
    if name in _MEASURED or name.endswith(_MEASURED_ENDS):
        return _Named.MEASURED
    if name.endswith(_SPANS):
        return _Named.A_SPAN
    return _Named.A_BREAKDOWN if name in _BREAKDOWNS else _Named.A_FACT


def drop_volatile(value: JsonValue, root: PurePath | None = None) -> JsonValue:
    """The value without volatile keys; readings of a clock, addresses in memory and places on a disk lose what varies.

    Paths below `root` are made relative to it, other paths of a machine are cut to their last part.

    >>> drop_volatile({"latency_ms": 412, "note": "2025-03-01T10:00:00Z", "effective": "2025-03-01"})
    {'note': '[time]', 'effective': '2025-03-01'}
    >>> drop_volatile(["/home/ann/cases/a.yaml", "/tmp/x7/index.db", "/policies/travel"], PurePath("/home/ann"))
    ['cases/a.yaml', '.../index.db', '/policies/travel']
    """
    return _steady(value, None if root is None else root.as_posix().rstrip("/") + "/")


def _steady(value: JsonValue, root: str | None) -> JsonValue:
    if isinstance(value, str):
        return _steady_text(value, root)
    if isinstance(value, dict):
        return {key: _steady(item, root) for key, item in value.items() if not is_volatile(key, item)}
    if isinstance(value, list):
        return [_steady(item, root) for item in value]
    return value


def _steady_text(text: str, root: str | None) -> str:
    def shorten(match: re.Match[str]) -> str:
        place = match.group().replace("\\", "/")
        if root and place.startswith(root):
            return place.removeprefix(root)
        return ".../" + place.rstrip("/").rpartition("/")[2]

    if "/" in text or "\\" in text:
        text = _PLACE.sub(shorten, text)
    if "0x" in text:
        text = _ADDRESS.sub("0x...", text)
    return _TIME if _CLOCK.match(text) else text


def rename_request_ids(
    value: JsonValue, unknown: tuple[JsonValue, ...], *, keep: Callable[[str], bool] = lambda _: False
) -> JsonValue:
    """The value with the ids of requests, spans, tickets ... named r1, r2 ... in order of first appearance.

    Ids are looked for by key in the parts in `unknown` only, and replaced wherever they stand, also inside a sentence
    where they are long enough to be nothing else. `keep` tells which values are no such ids, such as those of chunks.

    >>> other = {"ticket_id": "TCK-8213", "request_id": "7f3a"}
    >>> rename_request_ids({"text": "We opened TCK-8213.", "other": other}, (other,))
    {'text': 'We opened r1.', 'other': {'ticket_id': 'r1', 'request_id': 'r2'}}
    """
    given_ids: list[str] = []
    for part in unknown:
        _gather_request_ids(part, given_ids)
    found = [given for given in dict.fromkeys(given_ids) if not keep(given)]
    if not found:
        return value
    names = {given: f"r{place}" for place, given in enumerate(found, start=1)}
    long = [given for given in names if len(given) >= _FOUND_IN_TEXT and any(c.isdigit() for c in given)]
    long.sort(key=len, reverse=True)
    inside = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, long))})(?![\w-])") if long else None
    return _renamed(value, names, inside)


def _gather_request_ids(value: JsonValue, found: list[str]) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, dict | list):
                _gather_request_ids(item, found)
            elif _names_request(key, item):
                found.append(str(item))
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, dict | list):
                _gather_request_ids(item, found)


def _names_request(key: str, value: JsonValue) -> bool:
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        return False
    return _is_request_name(key) or (key == "id" and isinstance(value, str) and _OPAQUE.match(value) is not None)


@lru_cache(maxsize=4096)
def _is_request_name(key: str) -> bool:
    return _REQUEST_ID.match(_snake(key)) is not None


def _renamed(value: JsonValue, names: dict[str, str], inside: re.Pattern[str] | None) -> JsonValue:
    if isinstance(value, str):
        return value if inside is None else inside.sub(lambda match: names[match.group()], value)
    if isinstance(value, list):
        return [_renamed(item, names, inside) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: names[str(item)] if _names_request(key, item) and str(item) in names else _renamed(item, names, inside)
        for key, item in value.items()
    }
