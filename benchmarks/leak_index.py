"""Measures the leak index: bytes on disk, build time, and what looking a response up costs at 1,000 and 100,000 chunks.

    python benchmarks/leak_index.py [chunks ...]

Chunks are made-up words in the proportions of a real vocabulary; 49 of 50 are restricted, in seven classes of readers.
The aim: at most 60 MiB at 100,000 chunks, a raw look-up there at most 8 times that at 1,000, and four workers that
share the file in less than twice the memory of one and four interpreters that hold the same modules and no index. A
run of both sizes takes about two minutes.
"""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

from pytest_grounded.detection import Detector
from pytest_grounded.detection.skeleton import skeleton
from pytest_grounded.detection.store import index_path, open_index
from pytest_grounded.model.evidence import Chunk, Corpus, Requester

WORDS, WORDS_PER_CHUNK, ROUNDS = 30_000, 62, 200
REQUESTER = Requester(id="visitor", groups=("visitors",))
DAY = date(2026, 1, 1)
WORKER = """
import sys
from pathlib import Path
if len(sys.argv) > 1:
    from pytest_grounded.detection import store
if len(sys.argv) > 2:
    path = Path(sys.argv[2])
    index = store._mapped(path, store._lanes(store._key(path.parent)))
    for table in (index.grams, index.facts.table, index.names.table):
        for part in (table.offsets, table.rests, table.values):
            sum(part[::512])
print("ready", flush=True)
sys.stdin.readline()
"""


def made_up(chunks: int) -> Corpus:
    """A corpus of chunks of about 430 bytes."""
    source = random.Random(1)
    syllables = [a + b for a in "bcdfghklmnprstvw" for b in "aeiou"]
    vocabulary = ["".join(source.choices(syllables, k=source.randint(1, 4))) for _ in range(WORDS)]
    weights = list(itertools.accumulate(1 / rank for rank in range(1, WORDS + 1)))

    def chunk(number: int) -> Chunk:
        words = source.choices(vocabulary, cum_weights=weights, k=WORDS_PER_CHUNK)
        words[7], words[20] = words[7].title(), str(source.randint(1000, 99999))
        readers = ("*",) if number % 50 == 0 else (f"group-{number % 7}",)
        return Chunk(
            id=f"doc-{number // 5}#{number}", document=f"doc-{number // 5}", text=" ".join(words), readers=readers
        )

    return Corpus(name="made-up", chunks=map(chunk, range(chunks)))


def milliseconds(work: Callable[[], object]) -> float:
    """CPU time of one call, the best of three rounds."""
    rounds = []
    for _ in range(3):
        start = time.process_time()
        for _ in range(ROUNDS):
            work()
        rounds.append((time.process_time() - start) / ROUNDS * 1000)
    return min(rounds)


def proportional_memory(*arguments: str, workers: int = 1) -> float:
    """MiB that workers share out among themselves (PSS), 0 where the system does not say."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(workers)
    ]
    total = 0
    for process in processes:
        assert process.stdout is not None
        process.stdout.readline()
    for process in processes:
        rollup = Path(f"/proc/{process.pid}/smaps_rollup")
        if rollup.exists():
            total += sum(int(line.split()[1]) for line in rollup.read_text().splitlines() if line.startswith("Pss:"))
    for process in processes:
        process.communicate("\n")
    return total / 1024


def measure(chunks: int, directory: Path) -> tuple[float, float]:
    """Print the figures of one size; gives the cost of a raw look-up and of a whole scan."""
    corpus = made_up(chunks)
    start = time.process_time()
    index = open_index(corpus, directory)
    built = time.process_time() - start
    path = index_path(corpus, directory)
    size = path.stat().st_size / 2**20
    print(f"{chunks:>7} chunks: built in {built:.1f} s CPU, {size:.1f} MiB, {len(index.grams)} runs")

    public = " ".join(chunk.text for chunk in corpus if "*" in chunk.readers)[:1200]
    data, hidden = skeleton(public), index.hidden_from(REQUESTER)
    detector = Detector(corpus.view(REQUESTER, DAY))
    counter = itertools.count()
    raw = milliseconds(lambda: index.gram_places(data, hidden))
    views = milliseconds(lambda: detector.scan({"text": f"{public} {next(counter)}"}))
    print(f"        1.2 kB response: {raw:.2f} ms raw, {views:.2f} ms with all views, facts and names")

    one, four = (proportional_memory("with", str(path), workers=count) for count in (1, 4))
    without, bare = proportional_memory("without"), proportional_memory()
    if bare:
        print(f"        memory: {one:.0f} MiB one worker, {four:.0f} MiB four; without an index {without:.0f} MiB")
        print(
            f"        (a bare interpreter {bare:.0f} MiB); four are to take less than {2 * one + 4 * without:.0f} MiB"
        )
    return raw, views


def main() -> None:
    sizes = [int(argument) for argument in sys.argv[1:]] or [1_000, 100_000]
    with tempfile.TemporaryDirectory() as directory:
        figures = [measure(size, Path(directory)) for size in sizes]
    for name, costs in zip(("raw", "all views"), zip(*figures, strict=True), strict=True):
        print(f"{name}: {costs[-1] / costs[0]:.2f} x from {sizes[0]} to {sizes[-1]} chunks")


if __name__ == "__main__":
    main()
