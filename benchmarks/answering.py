"""Measures what the reference pipeline answers, refuses and gets wrong on three public sets of questions.

    python benchmarks/answering.py [squad2] [conditionalqa] [ramdocs]

`benchmarks/data/<set>/SOURCE.md` says where each set comes from and what it may be used for. Nothing is fitted here:
the pipeline runs with its default settings, and an answer is right where its text holds a reference answer of the set.
A run of all three takes less than a minute. `benchmarks/README.md` keeps the first table and the present one.
"""

from __future__ import annotations

import html
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from pytest_grounded.model.evidence import ANONYMOUS, Chunk, Corpus
from pytest_grounded.model.request import Request
from pytest_grounded.model.response import Response
from pytest_grounded.pipeline.reference import ReferencePipeline
from pytest_grounded.pipeline.settings import PipelineSettings

DATA = Path(__file__).parent / "data"
DAY = date(2024, 1, 1)
FIRST_ANSWERED = {"paragraph": (178, 101), "article": (227, 164)}
"""What the first table answered of the answerable and of the unanswerable half of squad2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question that was asked: its kind by the set, what became of it, its score, the evidence it needed.

    Questions of one `group` share their text, so that a split never parts them.
    """

    name: str
    group: str
    kind: str
    outcome: str
    response: Response
    needed: frozenset[str] = frozenset()

    @property
    def answered(self) -> bool:
        return self.response.decision.answers

    @property
    def right(self) -> bool:
        """Whether what was shown answers the question, as far as the set can tell."""
        return self.outcome in {"answered right", "answered from needed evidence"}

    @property
    def score(self) -> float:
        return -1.0 if self.response.confidence is None else self.response.confidence


def lines(path: str) -> list[Any]:
    with (DATA / path).open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def ask(pipeline: ReferencePipeline, question: str, corpus: Corpus) -> Response:
    return pipeline.answer(Request(question=question, requester=ANONYMOUS, as_of=DAY, corpus=corpus))


def refused(response: Response) -> str:
    return f"{response.decision.value} {response.reason_code}"


def holds(response: Response, answers: Iterable[str]) -> bool:
    said = folded(" ".join(claim.text for claim in response.claims))
    return any(folded(answer) in said for answer in answers if folded(answer))


def folded(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def squad2(pipeline: ReferencePipeline, *, of: str) -> Iterator[Asked]:
    """Each question of its own paragraph, as its label means it, or of the whole article."""
    chunks = {
        one["paragraph_id"]: Chunk(id=one["paragraph_id"], text=one["text"], readers=("*",))
        for one in lines("squad2/paragraphs.jsonl")
    }
    article = Corpus(name="article", chunks=chunks.values())
    alone = {name: Corpus(name=name, chunks=[chunk]) for name, chunk in chunks.items()}
    for one in lines("squad2/questions.jsonl"):
        paragraph = one["paragraph_id"]
        response = ask(pipeline, one["question"], article if of == "article" else alone[paragraph])
        outcome = refused(response)
        if response.decision.answers and one["kind"] == "answerable":
            outcome = "answered right" if holds(response, one["answers"]) else "answered wrong"
        elif response.decision.answers:
            tempting = holds(response, one["plausible_but_wrong"])
            outcome = "answered, with the tempting wrong span" if tempting else "answered, with something else"
        needed = frozenset({paragraph}) if one["kind"] == "answerable" else frozenset[str]()
        yield _asked(one, group=paragraph, outcome=outcome, response=response, needed=needed)


def _asked(one: Mapping[str, Any], **known: Any) -> Asked:
    return Asked(**{"name": one["id"], "kind": one.get("kind"), **known})


def conditionalqa(pipeline: ReferencePipeline) -> Iterator[Asked]:
    """Each question with its scenario, over the elements of its page. Yes and no are beyond a system that quotes."""
    pages: dict[str, list[Chunk]] = {}
    by_html: dict[tuple[str, str], str] = {}
    for one in lines("conditionalqa/chunks.jsonl"):
        text = html.unescape(re.sub(r"<[^<>]*>", " ", one["html"])).strip()
        chunk = Chunk(id=one["chunk_id"], text=text, document=one["url"], readers=("*",))
        pages.setdefault(one["url"], []).append(chunk)
        by_html[one["url"], one["html"]] = chunk.id
    corpora = {url: Corpus(name=url, chunks=chunks) for url, chunks in pages.items()}
    for one in lines("conditionalqa/questions.jsonl"):
        url = one["url"]
        if url not in corpora:
            continue
        response = ask(pipeline, f"{one['scenario']} {one['question']}", corpora[url])
        needed = frozenset(by_html[url, found] for found in one["evidence"] if (url, found) in by_html)
        spans = [answer["text"] for answer in one["answers"] if answer["text"] not in {"yes", "no"}]
        outcome = refused(response)
        if response.decision.answers and one["kind"] == "unanswerable":
            outcome = "answered, nothing answers it"
        elif response.decision.answers and spans and holds(response, spans):
            outcome = "answered right"
        elif response.decision.answers:
            quoted = not needed.isdisjoint(response.cited)
            outcome = "answered from needed evidence" if quoted else "answered from other text"
        yield _asked(one, group=url, outcome=outcome, response=response, needed=needed)


def ramdocs(pipeline: ReferencePipeline) -> Iterator[Asked]:
    """Each question over its own documents, of which some were made to contradict the others."""
    for one in lines("ramdocs/cases.jsonl"):
        chunks = [Chunk(id=f"d{n}", text=doc["text"], readers=("*",)) for n, doc in enumerate(one["documents"])]
        response = ask(pipeline, one["question"], Corpus(name=one["id"], chunks=chunks))
        kind = "contradicted" if one["wrong_answers"] else "several answers" if len(one["gold_answers"]) > 1 else "one"
        needed = frozenset(f"d{n}" for n, doc in enumerate(one["documents"]) if doc["type"] == "correct")
        outcome = _ramdocs_outcome(response, one)
        yield _asked(one, group=one["id"], kind=kind, outcome=outcome, response=response, needed=needed)


def _ramdocs_outcome(response: Response, case: Mapping[str, Any]) -> str:
    if response.conflicts:
        return "conflict disclosed"
    if not response.decision.answers:
        return refused(response)
    right, wrong = holds(response, case["gold_answers"]), holds(response, case["wrong_answers"])
    if right and wrong:
        return "answered with both, undisclosed"
    return "answered right" if right else "answered with the planted wrong one" if wrong else "answered wrong"


def table(name: str, asked: Sequence[Asked]) -> Iterator[str]:
    kinds = sorted({one.kind for one in asked})
    counts = Counter((one.kind, one.outcome) for one in asked)
    yield f"### {name}"
    yield ""
    yield "| | " + " | ".join(f"{kind} ({sum(one.kind == kind for one in asked)})" for kind in kinds) + " |"
    yield "| --- |" + " ---: |" * len(kinds)
    for outcome in sorted({one.outcome for one in asked}):
        yield f"| {outcome} | " + " | ".join(str(counts[kind, outcome] or ".") for kind in kinds) + " |"
    yield ""
    yield from recalls([one for one in asked if one.needed])


def recalls(asked: Sequence[Asked]) -> Iterator[str]:
    """The mean share of the needed chunks that each stage still had."""
    stages: dict[str, Callable[[Response], Iterable[str]]] = {
        "candidates": lambda response: (one.chunk for one in response.internal.candidates or ()),
        "selected": lambda response: (one.chunk for one in response.internal.candidates or () if one.kept),
        "supplied": lambda response: response.internal.evidence or (),
        "cited": lambda response: response.cited,
    }
    if not asked:
        return
    shares = {
        name: sum(len(one.needed & set(ids(one.response))) / len(one.needed) for one in asked) / len(asked)
        for name, ids in stages.items()
    }
    yield "Evidence recall: " + ", ".join(f"{name} {share:.2f}" for name, share in shares.items()) + "."
    yield ""


def separation(asked: Sequence[Asked], first: tuple[int, int]) -> Iterator[str]:
    """How well the score tells the halves apart, and what it would answer at the first table's coverage."""
    scores = {half: [one.score for one in asked if one.kind == half] for half in ("answerable", "unanswerable")}
    right, wrong = scores["answerable"], scores["unanswerable"]
    if max(right + wrong) < 0:
        return
    area = auroc(right, wrong)
    low = area - 1.96 * hanley(area, len(right), len(wrong))
    yield f"Score: area {area:.3f}, lower 95 % bound {low:.3f} (Hanley and McNeil 1982)."
    answered, mistaken = first
    bar = sorted(right, reverse=True)[answered - 1]
    now = sum(score >= bar for score in wrong)
    yield (
        f"At the first table's coverage ({answered} of {len(right)} answerable ones, score >= {bar:.3f}): "
        f"{now} of {len(wrong)} unanswerable ones answered, where the first answered {mistaken}."
    )
    yield ""


def auroc(right: Sequence[float], wrong: Sequence[float]) -> float:
    won = sum((one > other) + 0.5 * (one == other) for one in right for other in wrong)
    return won / (len(right) * len(wrong))


def hanley(area: float, positives: int, negatives: int) -> float:
    """Standard error of an area under the curve."""
    q1, q2 = area / (2 - area), 2 * area * area / (1 + area)
    spread = area * (1 - area) + (positives - 1) * (q1 - area**2) + (negatives - 1) * (q2 - area**2)
    return float((spread / (positives * negatives)) ** 0.5)


SETS: Mapping[str, Sequence[tuple[str, Callable[[ReferencePipeline], Iterator[Asked]]]]] = {
    "squad2": (
        ("squad2, each question of its own paragraph", partial(squad2, of="paragraph")),
        ("squad2, each question of its whole article", partial(squad2, of="article")),
    ),
    "conditionalqa": (("conditionalqa", conditionalqa),),
    "ramdocs": (("ramdocs", ramdocs),),
}


def main(names: Sequence[str]) -> None:
    pipeline = ReferencePipeline(settings=PipelineSettings())
    for name in names or tuple(SETS):
        for title, run in SETS[name]:
            asked = list(run(pipeline))
            for line in table(title, asked):
                print(line)
            if name == "squad2":
                setting = "article" if title.endswith("article") else "paragraph"
                for line in separation(asked, FIRST_ANSWERED[setting]):
                    print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
