"""What is odd about a corpus that loads: chunks that can never answer, labels that are missing, rules that contradict.

A warning is no error: the corpus is used as it stands. Messages name chunks by id and never show their texts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import date

from pytest_grounded.corpus.conflicts import standing_conflicts
from pytest_grounded.corpus.copies import readable_copies
from pytest_grounded.corpus.loading import LoadedCorpus
from pytest_grounded.corpus.wording import did_you_mean, few, named, shown
from pytest_grounded.errors import Problem
from pytest_grounded.model.case import ExpectedSide
from pytest_grounded.model.evidence import EVERYONE, Chunk, Corpus, CorpusView, Requester, Window
from pytest_grounded.model.vocabulary import Status

__all__ = ["lint_corpus", "warnings_of"]

Warned = tuple[str | None, str, str]
"""Id of the chunk a warning is about (None: the corpus), the end of its code, and what is odd."""


def lint_corpus(loaded: LoadedCorpus) -> list[Problem]:
    """Every warning about a corpus, with file and line, in the order of its chunks."""
    warned = list(warnings_of(loaded.corpus))
    warned += _unlabelled([chunk_id for chunk_id in loaded.corpus.ids if chunk_id in loaded.unlabelled])
    order = {chunk_id: place for place, chunk_id in enumerate(loaded.corpus.ids)}
    warned.sort(key=lambda one: -1 if one[0] is None else order[one[0]])
    return [_problem(loaded, *one) for one in warned]


def warnings_of(corpus: Corpus) -> Iterator[Warned]:
    """What is odd about a corpus, whoever reads it and however it is written down.

    >>> [what for _, _, what in warnings_of(Corpus(name="c", chunks=[Chunk(id="c1", text="", readers=("*",))]))]
    ['has an empty text: nothing can be quoted from it']
    """
    if not len(corpus):
        yield None, "empty_corpus", "holds no chunk: every question is unanswerable"
    everything = _as_all_read_it(corpus)
    for chunk in corpus:
        yield from ((chunk.id, code, message) for code, message in _chunk_warnings(chunk, corpus))
    yield from _never_in_force(everything, corpus)
    yield from _circles(corpus)
    yield from _conflicts(everything, corpus)
    yield from _overlaps(everything, corpus)
    yield from _copies(corpus)


def _unlabelled(ids: list[str]) -> Iterator[Warned]:
    if ids:
        message = f"has no readers, and the corpus no default_readers: nobody may read it{_so_are(ids[1:])}"
        yield ids[0], "unlabelled", message


def _problem(loaded: LoadedCorpus, chunk_id: str | None, code: str, message: str) -> Problem:
    file, line = (loaded.file, None) if chunk_id is None else loaded.place(chunk_id)
    subject = f"corpus {shown(loaded.corpus.name)}" if chunk_id is None else f"chunk {named(chunk_id)}"
    return Problem(message=f"{subject} {message}", code=f"lint.{code}", file=file, line=line)


def _as_all_read_it(corpus: Corpus) -> CorpusView:
    """The corpus on its own day as seen by one who may read all of it and to whom all of it applies.

    Tenants are left out: two tenants' texts are told apart where they are compared.
    """
    open_to_all = (chunk.model_copy(update={"readers": (EVERYONE,), "tenant": None}) for chunk in corpus)
    opened = Corpus(name=corpus.name, chunks=open_to_all)
    return opened.view(Requester(), corpus.as_of or date.max)


def _chunk_warnings(chunk: Chunk, corpus: Corpus) -> Iterator[tuple[str, str]]:
    if not chunk.text.strip():
        yield "empty_text", "has an empty text: nothing can be quoted from it"
    start, end = chunk.effective_from, chunk.effective_to
    if start is not None and end is not None and end < start:
        yield "ends_before_start", f"ends on {end}, before its start on {start}: it is never in force"
    if chunk.id in chunk.supersedes:
        yield "circular_supersedes", "supersedes itself"
    for replaced in chunk.supersedes:
        if replaced not in corpus:
            hint = did_you_mean(replaced, [other for other in corpus.ids if other != chunk.id])
            yield "dangling_supersedes", f"supersedes {named(replaced)}, which is not in the corpus{hint}"


def _never_in_force(everything: CorpusView, corpus: Corpus) -> Iterator[Warned]:
    """Chunks that no day finds in force, for each reason one warning at the first of them."""
    reasons: dict[str, list[str]] = defaultdict(list)
    for chunk in corpus:
        reason = _why_never(chunk, everything)
        if reason is not None:
            reasons[reason].append(chunk.id)
    for reason, ids in reasons.items():
        yield ids[0], "never_in_force", f"{reason}{_so_are(ids[1:])}"


def _why_never(chunk: Chunk, everything: CorpusView) -> str | None:
    """Why a chunk's window is empty, where its own dates do not say so already.

    To be replaced by a chunk without a start is the ordinary way of a corpus without dates, and nothing odd.
    """
    opened = everything.corpus[chunk.id]
    if not everything.window(opened).never or chunk.effective_to is not None:
        return None
    if chunk.status is Status.WITHDRAWN:
        return "is withdrawn without effective_to: it was never in force"
    successors = everything.successors(opened)
    if not successors:
        return "is superseded and nothing in the corpus replaces it: it is in force on no day"
    if any(other.effective_from is None for other in successors):
        return None
    return "is replaced from a day that lies before its own start: it is never in force"


def _so_are(ids: list[str]) -> str:
    """Others of which the same is to be said."""
    return f" (so {'is' if len(ids) == 1 else 'are'} {few(ids)})" if ids else ""


def _circles(corpus: Corpus) -> Iterator[Warned]:
    """Chunks that replace each other in a circle, each circle once, at its first chunk in corpus order."""
    settled: set[str] = set()
    for chunk in corpus:
        path: dict[str, None] = {}
        pending = [(chunk.id, iter(_replaced(chunk, corpus)))] if chunk.id not in settled else []
        path.update(dict.fromkeys([chunk.id] if pending else []))
        while pending:
            name, rest = pending[-1]
            following = next(rest, None)
            if following is None:
                settled.add(name)
                path.pop(name)
                pending.pop()
            elif following in path:
                circle = list(path)[list(path).index(following) :]
                yield circle[0], "circular_supersedes", f"is replaced in a circle: {_round(circle)}"
            elif following not in settled:
                path[following] = None
                pending.append((following, iter(_replaced(corpus[following], corpus))))


def _round(circle: list[str]) -> str:
    shortened = circle if len(circle) <= _LONGEST_ROUND else [*circle[: _LONGEST_ROUND - 1], f"{len(circle)} in all"]
    return " -> ".join([*shortened, circle[0]])


_LONGEST_ROUND = 8


def _replaced(chunk: Chunk, corpus: Corpus) -> Iterable[str]:
    return (replaced for replaced in chunk.supersedes if replaced in corpus and replaced != chunk.id)


def _conflicts(everything: CorpusView, corpus: Corpus) -> Iterator[Warned]:
    place = {chunk_id: index for index, chunk_id in enumerate(corpus.ids)}
    for key, sides in standing_conflicts(everything).items():
        if not _one_tenant_sees_two(sides, corpus):
            continue
        first, *others = sorted({chunk_id for side in sides for chunk_id in side.chunks}, key=place.__getitem__)
        against = f"with {few(others)}" if others else "with itself"
        message = f"disagrees {against} on the fact {shown(key)} at the same rank, both in force"
        yield first, "standing_conflict", message


def _one_tenant_sees_two(sides: tuple[ExpectedSide, ...], corpus: Corpus) -> bool:
    tenants = [{corpus[chunk_id].tenant for chunk_id in side.chunks} for side in sides]
    return any(_meet(left, right) for place, left in enumerate(tenants) for right in tenants[:place])


def _meet(left: set[str | None], right: set[str | None]) -> bool:
    return None in left or None in right or not left.isdisjoint(right)


def _overlaps(everything: CorpusView, corpus: Corpus) -> Iterator[Warned]:
    """Two versions of one document that state the same fact or stand at the same place, and hold at the same time."""
    groups: dict[tuple[str, str], list[Chunk]] = defaultdict(list)
    for chunk in everything.present:
        if chunk.document is not None and chunk.version is not None:
            for topic in (*(f"fact {fact.key}" for fact in chunk.facts), chunk.locator and f"locator {chunk.locator}"):
                if topic:
                    groups[chunk.document, topic].append(chunk)
    seen: set[frozenset[str]] = set()
    for group in groups.values():
        for left, right in _neighbours(group, everything.window):
            pair = frozenset((left.id, right.id))
            if pair not in seen and _meet({corpus[left.id].tenant}, {corpus[right.id].tenant}):
                seen.add(pair)
                message = f"(version {shown(left.version)}) and {named(right.id)} (version {shown(right.version)})"
                yield left.id, "overlapping_dates", f"{message} of one document are in force at the same time"


def _neighbours(group: list[Chunk], window: Callable[[Chunk], Window]) -> Iterator[tuple[Chunk, Chunk]]:
    """Pairs of different versions whose windows overlap; looking at neighbours by start finds one for each chunk."""
    windows = [(window(chunk), chunk) for chunk in group]
    held = sorted(
        (
            (one.start or date.min, one.end or date.max, place, chunk)
            for place, (one, chunk) in enumerate(windows)
            if not one.never
        )
    )
    last: tuple[date, Chunk] | None = None
    for start, end, _, chunk in held:
        if last is not None and start <= last[0] and last[1].version != chunk.version:
            yield last[1], chunk
        if last is None or end >= last[0]:
            last = (end, chunk)


def _copies(corpus: Corpus) -> Iterator[Warned]:
    """Chunks that not everyone may read whose text stands in one with other readers."""
    for copy in readable_copies(corpus):
        what = "a text" if copy.whole else "a sentence"
        yield copy.chunk, "readable_copy", f"has {what} that stands in {named(copy.other)} too, for other readers"
