"""What all checks cost for a response, beside what pytest spends on an empty test.

    python benchmarks/checks.py [--corpora N]

A thousand responses of about 2 kB, each over 20 chunks of evidence: the claims are sentences of the chunks with their
quotes and markers; in a third of the responses one number is changed, in a third one claim has a word less, so that the
slow ways of the checks are walked too. The chunks are paragraphs of the handbook and of ConditionalQA's pages. Checks
remember what they computed, so three figures are told apart: `cold`, the first response over its chunks, which reads
them; `warm`, a response over chunks that were read for another, every claim of it new; `again`, a response that was
judged before. No sentence is drawn twice, and one word of each is unlike in every corpus, so that nothing is remembered
from another corpus. Sentences that quote themselves are cheap, so the warm ones are judged in other words too
(`reworded`: a word left out, three put before). `one corpus` is a thousand responses over the same 20 chunks, their
sentences drawn anew for each, as a suite over a handbook has them. `--claims` judges single answers of so many claims.
An empty test is the slope between 200 and 2,000 of them, of CPU time in a process of its own. Takes a minute.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

from false_alarms import conditionalqa, handbook

from pytest_grounded.checks.base import Judged
from pytest_grounded.checks.registry import DEFAULT_CHECKS
from pytest_grounded.model.case import Case
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.finding import Finding
from pytest_grounded.model.outcome import Outcome
from pytest_grounded.model.response import Response
from pytest_grounded.testing.builders import make_case, make_chunk
from pytest_grounded.text.quotes import too_short
from pytest_grounded.text.sentences import split_sentences

CORPORA, RESPONSES, CHUNKS, SIZE = 333, 3, 20, 2_000


def paragraphs() -> list[str]:
    """Real paragraphs of 200 to 1,500 characters."""
    texts = (part.strip() for text in (*handbook(), *conditionalqa()) for part in text.split("\n\n"))
    return [text for text in dict.fromkeys(texts) if 200 <= len(text) <= 1_500]


def corpora(source: random.Random, count: int) -> Iterator[tuple[Case, list[dict[str, Any]]]]:
    """A case for each set of chunks, with the responses over them."""
    texts = paragraphs()
    for number in range(count):
        drawn = source.sample(texts, CHUNKS)
        chunks = [make_chunk(f"p{number}-{place}", _own(text, number), lang="en") for place, text in enumerate(drawn)]
        case = make_case(corpus=chunks, question="What do the pages say about this?")
        pool = [(chunk, sentence) for chunk in chunks for sentence in _sentences(chunk)]
        source.shuffle(pool)
        yield case, list(responses(case, pool))


def _own(text: str, number: int) -> str:
    """The text with a word of every sentence as no other corpus has it."""
    mark = "".join("bcdfghjklmnpqrstvwxz"[number // 20**place % 20] for place in range(3))
    return "".join(re.sub(r"\b[a-z]{5,}\b", rf"\g<0>{mark}", part, count=1) for part in split_sentences(text))


def responses(case: Case, pool: list[tuple[Chunk, str]]) -> Iterator[dict[str, Any]]:
    """Answers of the sentences, as many as there are enough sentences for; some with a fault."""
    for number in range(RESPONSES):
        drawn: list[tuple[Chunk, str]] = []
        while pool and sum(len(sentence) for _, sentence in drawn) < SIZE:
            drawn.append(pool.pop())
        if drawn:
            yield answer(case, drawn, fault=number % 3)


def answer(case: Case, drawn: list[tuple[Chunk, str]], *, fault: int = 0) -> dict[str, Any]:
    """An answer whose claims are the sentences, the first with a fault."""
    claims: list[dict[str, Any]] = []
    text = ""
    for place, (chunk, sentence) in enumerate(drawn):
        said = sentence if place else _with_fault(sentence, fault)
        marker = f"[{place + 1}]"
        claims.append({"text": said, "citations": [{"chunk": chunk.id, "quote": sentence, "marker": marker}]})
        text += f"{said} {marker} "
    evidence = list(case.view.readable)
    return {"decision": "answer", "text": text, "claims": claims, "internal": {"evidence": evidence}}


def reworded(reply: dict[str, Any]) -> dict[str, Any]:
    """The same answer with every claim in other words than its quote."""
    claims = [{**claim, "text": _in_other_words(claim["text"])} for claim in reply["claims"]]
    text = " ".join(f"{claim['text']} {claim['citations'][0]['marker']}" for claim in claims)
    return {**reply, "claims": claims, "text": text}


def _in_other_words(sentence: str) -> str:
    words = sentence.split()
    kept = words[: len(words) // 3] + words[len(words) // 3 + 1 :]
    return f"The pages say {' '.join(kept)}"


def one_corpus(source: random.Random, count: int) -> Iterator[tuple[Case, dict[str, Any]]]:
    """Answers over one set of chunks, their sentences drawn anew for each."""
    case, _ = next(corpora(source, 1))
    pool = [(chunk, sentence) for chunk in case.view.readable.values() for sentence in _sentences(chunk)]
    share = SIZE / statistics.fmean(len(sentence) for _, sentence in pool)
    for number in range(count):
        yield case, answer(case, source.sample(pool, min(len(pool), round(share))), fault=number % 3)


def many_claims(count: int) -> tuple[Case, dict[str, Any]]:
    """One answer of many claims over as many chunks as they need."""
    chunks: list[Chunk] = []
    pool: list[tuple[Chunk, str]] = []
    for number, text in enumerate(cycle(paragraphs())):
        if len(pool) >= count:
            break
        chunks.append(make_chunk(f"p{number}", _own(text, number), lang="en"))
        pool += [(chunks[-1], sentence) for sentence in _sentences(chunks[-1])]
    case = make_case(corpus=chunks, question="What do the pages say about this?")
    return case, answer(case, pool[:count])


def _sentences(chunk: Chunk) -> list[str]:
    parts = (part.strip() for part in split_sentences(chunk.text))
    return [part for part in parts if any(map(str.isalpha, part)) and not too_short(part, chunk.text)]


def _with_fault(sentence: str, kind: int) -> str:
    match kind:
        case 0:
            return sentence
        case 1:
            return re.sub(r"\d+", "417", sentence, count=1)
        case _:
            words = sentence.split(" ")
            return " ".join(words[: len(words) // 2] + words[len(words) // 2 + 1 :])


def spent(case: Case, reply: dict[str, Any]) -> tuple[float, list[Finding]]:
    """Seconds of CPU of one pass of all checks, and what they found."""
    outcome = Outcome(response=Response.model_validate(reply))
    judged = Judged(case=case, outcome=outcome, view=case.view)
    started = time.process_time()
    found = [item for check in DEFAULT_CHECKS for item in check(judged) if isinstance(item, Finding)]
    return time.process_time() - started, found


def empty_test() -> float:
    """Seconds of CPU of an empty test: the slope between few and many."""
    costs = {}
    with tempfile.TemporaryDirectory() as folder:
        for count in (200, 2_000):
            path = Path(folder) / f"test_{count}.py"
            path.write_text("".join(f"def test_{number}(): pass\n" for number in range(count)))
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", path.name]
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            costs[count] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (costs[2_000] - costs[200]) / 1_800


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=int, default=CORPORA)
    parser.add_argument("--claims", type=int, nargs="*", default=[], help="judge one answer of so many claims")
    options = parser.parse_args()
    if options.claims:
        for count in options.claims:
            seconds, _ = spent(*many_claims(count))
            print(f"{count:6} claims  {seconds:7.2f} s of CPU   {seconds / count * 1000:.2f} ms a claim")
        return
    cold, warm, again, other, sizes = [], [], [], [], []
    names: Counter[str] = Counter()
    for case, replies in corpora(random.Random(7), options.corpora):
        for number, reply in enumerate(replies):
            seconds, found = spent(case, reply)
            (warm if number else cold).append(seconds)
            again.append(spent(case, reply)[0])
            sizes.append(len(reply["text"]))
            names.update({one.check for one in found})
        other += [spent(case, reworded(reply))[0] for reply in replies[1:]]
    steady = [spent(case, reply)[0] for case, reply in one_corpus(random.Random(9), options.corpora * RESPONSES)]
    bare = empty_test()
    print(f"{len(sizes)} responses of {statistics.fmean(sizes):.0f} characters over {CHUNKS} chunks")
    print(f"an empty test            {bare * 1000:6.3f} ms of CPU")
    for name, seconds in (
        ("cold, median", statistics.median(cold)),
        ("warm, median", statistics.median(warm)),
        ("warm, mean", statistics.fmean(warm)),
        ("warm, reworded, median", statistics.median(other)),
        ("again, median", statistics.median(again)),
        ("one corpus, median", statistics.median(steady)),
        ("one corpus, mean", statistics.fmean(steady)),
    ):
        print(f"{name:24} {seconds * 1000:6.3f} ms of CPU   {seconds / bare:.2f} of an empty test")
    print("found in", ", ".join(f"{name} {count}" for name, count in names.most_common()))


if __name__ == "__main__":
    main()
