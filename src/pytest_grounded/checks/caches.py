"""Whether a cached answer was shown to somebody, or at a time, it was not made for.

What the system reports in `internal.cache` is read, and what its steps say of a cache.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from pytest_grounded.checks.base import Judged, not_run, report
from pytest_grounded.checks.number_states import NumberFate, number_states
from pytest_grounded.checks.quote_states import QuoteFate, quote_states
from pytest_grounded.checks.states import cited_chunks
from pytest_grounded.checks.traces import steps_of
from pytest_grounded.checks.wording import listing, named, quoted
from pytest_grounded.model.finding import Observation

__all__ = ["check_caches"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """What is known of the cached answer that was used, and where that is said."""

    path: str
    values: Mapping[str, Any]

    def get(self, *keys: str) -> Any:
        """The first of some keys that is there."""
        return next((self.values[key] for key in keys if self.values.get(key) is not None), None)


def check_caches(judged: Judged) -> Iterator[Observation]:
    """Compare the key of the used entry with the request, and what it cites with what holds today."""
    if judged.response is None:
        return
    entries = tuple(_entries(judged))
    if not entries:
        if judged.internal.cache is None:
            yield not_run("cache.stale", "whether a cache was used was not observed")
            yield not_run("cache.cross_user", "whether a cache was used was not observed")
        return
    for entry in entries:
        yield from _stale(judged, entry)
        yield from _cross_user(judged, entry)


def _entries(judged: Judged) -> Iterator[_Entry]:
    """The cache entry that was used, as `internal.cache` and the steps report it."""
    cache = judged.internal.cache
    if cache is not None and _is_hit(cache.get("hit")):
        yield _Entry(path="internal.cache", values=cache)
    for step in steps_of(judged) or ():
        for key in ("cache", "cache_hit", "from_cache", "cached", "served_from"):
            said = step.raw.get(key)
            if isinstance(said, Mapping):
                if _is_hit(said.get("hit")):
                    yield _Entry(path=f"{step.path}.{key}", values=said)
            elif _is_hit(said):
                yield _Entry(path=step.path, values=step.raw)
                break


def _is_hit(said: object) -> bool:
    return said is True or (isinstance(said, str) and said.casefold() in {"hit", "true", "yes", "stale", "cache"})


def _stale(judged: Judged, entry: _Entry) -> Iterator[Observation]:
    reasons = [*_outdated(judged, entry), *_no_longer_true(judged)]
    if reasons:
        yield report("cache.stale", f"a cached answer was shown {listing(reasons)}", field=entry.path)


def _no_longer_true(judged: Judged) -> Iterator[str]:
    """What shows that the sources say something else by now."""
    gone = [chunk_id for chunk_id in cited_chunks(judged) if _is_gone(judged, chunk_id)]
    if gone:
        yield f"that cites {named(judged.view, gone)}, not in force or not there any more"
    changed = [quote.quote for quote in quote_states(judged) if quote.fate in _ALTERED]
    changed += [number.quantity.raw for number in number_states(judged) if number.fate is NumberFate.UNSUPPORTED]
    if changed:
        yield f"that says {listing(map(quoted, changed[:3]))}, which its sources do not say any more"


_ALTERED = frozenset({QuoteFate.NOWHERE, QuoteFate.BAD_ELISION, QuoteFate.ELSEWHERE})


def _outdated(judged: Judged, entry: _Entry) -> Iterator[str]:
    corpus, case = judged.view.corpus, judged.case
    cached_corpus = entry.get("corpus", "corpus_digest", "corpus_revision", "revision", "cached_corpus")
    known = {
        corpus.digest,
        judged.view.present.digest,
        judged.view.readable_corpus.digest,
        corpus.revision,
        corpus.name,
    }
    if isinstance(cached_corpus, str) and cached_corpus not in known:
        yield f"of corpus {quoted(cached_corpus)}, asked of {corpus.revision or corpus.digest[:19]}"
    for key in ("as_of", "cached_as_of"):
        day = _day(entry.values.get(key))
        if day is not None and day != case.as_of:
            yield f"for {day.isoformat()}, asked on {case.as_of.isoformat()}"
    made = _day(entry.get("cached_at", "created_at", "cached_on", "stored_at"))
    later = [] if made is None else [chunk for chunk in cited_chunks(judged) if _began_after(judged, chunk, made)]
    if made is not None and later:
        yield f"of {made.isoformat()}, before {named(judged.view, later)} replaced what it was made from"
    verifier, current = entry.get("verifier", "verifier_version"), (judged.internal.versions or {}).get("verifier")
    if verifier is not None and current is not None and str(verifier) != str(current):
        yield f"of verifier {quoted(str(verifier))}, now {quoted(str(current))}"
    for key, then in entry.values.items():
        what = _CACHED.sub("_", str(key)).strip("_")
        now = entry.values.get(what)
        if what != key and now is not None and then is not None and str(now) != str(then):
            yield f"of {what} {quoted(str(then))}, now {quoted(str(now))}"


_CACHED = re.compile(r"(?:^|_)cached?(?:_|$)")
"""What an entry says of its own making: `cached_index_version` beside `index_version`."""


def _began_after(judged: Judged, chunk_id: str, day: date) -> bool:
    """Whether what holds now for a cited chunk's document began after the answer was cached."""
    chunk = judged.view.readable.get(chunk_id)
    if chunk is None:
        return False
    later = (*judged.view.successors(chunk), chunk)
    return any(
        start is not None and day < start <= judged.view.as_of
        for other in later
        for start in (other.effective_from, other.ingested_at)
    )


def _is_gone(judged: Judged, chunk_id: str) -> bool:
    view = judged.view
    return chunk_id not in view.present or (view.is_readable(chunk_id) and not view.in_force(chunk_id))


def _day(value: object) -> date | None:
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(value[:10]) if isinstance(value, str) else None
    except ValueError:
        return None


def _cross_user(judged: Judged, entry: _Entry) -> Iterator[Observation]:
    owner, tenant = entry.get(*_OWNERS), entry.get(*_TENANTS)
    is_other_tenant = tenant is not None and str(tenant) != judged.case.requester.tenant
    if is_other_tenant or (owner is not None and not _is_same(judged, owner)):
        # Whose it was may say who is allowed to ask; that it was not this requester is enough.
        yield report("cache.cross_user", "the cached answer of another requester was shown", field=entry.path)


_OWNERS = (
    *("requester", "requester_id", "cache_owner", "owner", "cached_for", "cache_user", "cached_by", "cached_requester"),
    *("cached_user", "user", "user_id"),
)
_TENANTS = ("tenant", "tenant_id", "cache_tenant", "cached_tenant")


def _is_same(judged: Judged, owner: Any) -> bool:
    """Whether a cache key names this requester: by id, or by all that decides what they may read."""
    requester = judged.case.requester
    if not isinstance(owner, Mapping):
        return str(owner) == requester.id
    if "groups" in owner or "tenant" in owner:
        groups = owner.get("groups") or ()
        listed = {groups} if isinstance(groups, str) else set(groups)
        return owner.get("tenant") == requester.tenant and listed == set(requester.groups)
    return owner.get("id") == requester.id
