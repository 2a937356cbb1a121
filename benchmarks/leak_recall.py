"""Measures the leak detector on real text: what it finds of hidden passages, and how often it cries wolf.

    python benchmarks/leak_recall.py [--passages 150] [--examples]

Every third document of the public sets (handbook pages, PEPs, ConditionalQA's pages, SQuAD articles, RAMDocs) is
restricted, every third readable, the rest stands in neither. Recall: made-up and real hidden sentences inside readable
prose, in every disguise of `tests/detection/disguises.py`, in part, and cut over fields. Alarms: readable passages of
about 400 bytes as they stand and in every disguise; and, for comparison, passages that stand in neither corpus, which
often repeat what many documents say. The aim is a recall of 1.00 on every listed disguise, and alarms on at most 0.5 %
of the readable passages. It takes about a minute.
"""

from __future__ import annotations

import argparse
import html
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from pytest_grounded.detection import Detector, HitKind  # noqa: E402
from pytest_grounded.detection.skeleton import skeleton  # noqa: E402
from pytest_grounded.model.evidence import Chunk, Corpus, Requester  # noqa: E402
from pytest_grounded.text.sentences import split_sentences  # noqa: E402
from tests.detection.disguises import DISGUISES, hidden_in, made_up_sentence  # noqa: E402

DATA = HERE / "data"
REQUESTER = Requester(id="visitor", groups=("visitors",))
DAY = date(2026, 1, 1)
PASSAGE, RUN = 400, 24
SIDES = ("restricted", "readable", "neither")
ENTITY = re.compile(r"<[^>]+>")


def documents() -> Iterator[tuple[str, str, str]]:
    """Set, document and text of everything there is, each document in pieces of a few paragraphs."""
    pages = HERE.parent / "tests" / "data" / "handbook18f" / "page_versions.jsonl"
    for line in _lines(pages):
        if line["status"] == "current":
            yield from (("handbook18f", line["page"], text) for text in line["text"].split("\n\n"))
    for line in _lines(DATA / "peps" / "chunks.jsonl"):
        yield from (("peps", f"pep-{line['pep']}", text) for text in line["text"].split("\n\n"))
    for line in _lines(DATA / "conditionalqa" / "chunks.jsonl"):
        yield "conditionalqa", line["url"], html.unescape(ENTITY.sub("", line["html"]))
    for line in _lines(DATA / "squad2" / "paragraphs.jsonl"):
        yield "squad2", line["paragraph_id"], line["text"]
    for number, line in enumerate(_lines(DATA / "ramdocs" / "cases.jsonl")):
        yield from (("ramdocs", f"case-{number}", one["text"]) for one in line["documents"])


def _lines(path: Path) -> Iterator[Any]:
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def parted() -> dict[str, list[str]]:
    """The texts of each side; documents are dealt out in their order, shuffled."""
    by_document: dict[tuple[str, str], list[str]] = {}
    for name, document, text in documents():
        if len(text.strip()) > 60:
            by_document.setdefault((name, document), []).append(text.strip())
    names = sorted(by_document)
    random.Random(7).shuffle(names)
    texts: dict[str, list[str]] = {side: [] for side in SIDES}
    for place, name in enumerate(names):
        texts[SIDES[place % len(SIDES)]] += by_document[name]
    return texts


def passages(texts: Sequence[str], most: int) -> list[str]:
    """Passages of about 400 bytes, drawn from the texts."""
    drawn = random.Random(11).sample(range(len(texts)), min(most, len(texts)))
    return ["\n".join(texts[place : place + 4])[:PASSAGE] for place in drawn]


def real_sentences(texts: Mapping[str, Sequence[str]]) -> list[str]:
    """Sentences of restricted documents, but for those that readable ones say in nearly the same words."""
    readable = b"\0".join(map(skeleton, texts["readable"]))
    known = {readable[n : n + RUN] for n in range(len(readable) - RUN)}
    sentences = [
        sentence.strip()
        for text in texts["restricted"]
        for sentence in split_sentences(text)
        if PASSAGE // 6 < len(sentence) < PASSAGE and sentence.isascii() and sentence.isprintable()
    ]
    kept = []
    for sentence in sentences:
        data = skeleton(sentence)
        runs = [data[n : n + RUN] for n in range(len(data) - RUN)]
        if sum(run not in known for run in runs) * 2 > len(runs):
            kept.append(sentence)
    print(f"{len(sentences) - len(kept)} of {len(sentences)} restricted sentences are said in readable ones as well")
    return kept


def found(detector: Detector, content: object) -> set[HitKind]:
    return {hit.kind for hit in detector.scan(content)}


def share(flags: Sequence[bool]) -> str:
    return f"{sum(flags) / len(flags):.3f} ({sum(flags)} of {len(flags)})"


def recall(detector: Detector, hidden: Sequence[str], prose: Sequence[str], kind: str) -> dict[str, str]:
    """How many of the hidden sentences are found as text, by how they are shown."""
    shown: dict[str, Callable[[str, str], object]] = {
        **{name: _in_prose(disguise) for name, disguise in DISGUISES.items()},
        "nine words of it": _in_prose(lambda text: " ".join(text.split()[2:11])),
        "six words of it": _in_prose(lambda text: " ".join(text.split()[3:9])),
        **{f"cut over {count} claims": _cut(count) for count in (4, 6, 10)},
        "streamed by four letters": lambda text, _: {"stream": [text[n : n + 4] for n in range(0, len(text), 4)]},
    }
    rates = {}
    for name, show in shown.items():
        flags = [
            HitKind.TEXT in found(detector, show(text, before)) for text, before in zip(hidden, prose, strict=True)
        ]
        rates[name] = share(flags)
    whole = [name for name, rate in rates.items() if rate.startswith("1.000")]
    print(f"{kind}: {len(whole)} of {len(rates)} ways to show {len(hidden)} sentences are found each time; the others:")
    others = Counter(rate for rate in rates.values() if not rate.startswith("1.000"))
    for rate, count in others.most_common():
        names = [name for name in rates if rates[name] == rate]
        print(f"    {rate}: {', '.join(names) if count < 5 else f'{count} of them'}")
    return rates


def _in_prose(disguise: Callable[[str], str]) -> Callable[[str, str], object]:
    return lambda text, before: {"text": hidden_in(before, disguise(text))}


def _cut(count: int) -> Callable[[str, str], object]:
    def shown(text: str, _: str) -> object:
        words = text.split()
        cut = [words[len(words) * n // count : len(words) * (n + 1) // count] for n in range(count)]
        return {"claims": [{"text": " ".join(part), "citations": [{"quote": "as said before"}]} for part in cut]}

    return shown


def alarms(detector: Detector, texts: Sequence[str], kind: str, *, disguised: bool, show: bool) -> None:
    """How many passages alarm, by what is found."""
    ways = DISGUISES if disguised else {"verbatim": str}
    counts: Counter[HitKind] = Counter()
    flags = []
    for place, text in enumerate(texts):
        for name, disguise in ways.items():
            hits = detector.scan({"text": disguise(text)})
            flags.append(bool(hits))
            counts.update({hit.kind for hit in hits})
            if hits and show:
                print("   ", place, name, {(hit.kind.value, hit.view, hit.length) for hit in hits}, repr(text[:120]))
    named = ", ".join(f"{kind.value} {count}" for kind, count in counts.most_common())
    print(f"{kind}: {share(flags)} alarm{f': {named}' if named else ''}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=150)
    parser.add_argument("--examples", action="store_true", help="print what alarmed on readable passages")
    options = parser.parse_args()
    texts = parted()
    secrets = [made_up_sentence(seed) for seed in range(options.passages)]
    chunks = [
        *(Chunk(id=f"hidden-{n}", text=text, readers=("board",)) for n, text in enumerate(texts["restricted"])),
        *(Chunk(id=f"secret-{n}", text=text, readers=("board",)) for n, text in enumerate(secrets)),
        *(Chunk(id=f"page-{n}", text=text, readers=("*",)) for n, text in enumerate(texts["readable"])),
    ]
    detector = Detector(Corpus(name="real", chunks=chunks).view(REQUESTER, DAY))
    print(", ".join(f"{len(texts[side])} passages {side}" for side in SIDES))
    prose = [one for one in passages(texts["readable"], 10 * options.passages) if len(one) > PASSAGE // 2]
    drawn = random.Random(13).sample(real_sentences(texts), options.passages)
    recall(detector, secrets, prose[: len(secrets)], "made-up sentences")
    recall(detector, drawn, prose[: len(drawn)], "real sentences")
    readable = passages(texts["readable"], 10 * options.passages)
    alarms(detector, readable, "readable passages", disguised=False, show=options.examples)
    alarms(
        detector,
        readable[:40],
        f"readable passages in {len(DISGUISES)} disguises",
        disguised=True,
        show=options.examples,
    )
    alarms(
        detector,
        passages(texts["neither"], 2 * options.passages),
        "passages of neither side",
        disguised=False,
        show=False,
    )


if __name__ == "__main__":
    main()
