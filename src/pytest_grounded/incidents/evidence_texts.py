"""Evidence that a record writes out where others name ids: an entry becomes its id, its text a chunk of the record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_grounded.corpus.wording import shown
from pytest_grounded.errors import GroundedError
from pytest_grounded.incidents.plain_chunks import read_chunks
from pytest_grounded.incidents.pointing import first_at

__all__ = ["EvidenceTexts"]


class EvidenceTexts:
    """The chunks of a record, to which those are added whose text stands where evidence is named.

    >>> told = EvidenceTexts([{"id": "c1", "text": "It is $150."}], {})
    >>> told.ids([{"id": "c2", "text": "It is $180."}, {"id": "c1", "score": 0.9}, "It is $150."])
    ['c2', 'c1', 'c1']
    >>> [chunk["id"] for chunk in told.chunks]
    ['c1', 'c2']
    """

    def __init__(self, chunks: list[dict[str, Any]], mapping: Mapping[str, str]) -> None:
        self.chunks = chunks
        self._mapping = mapping

    def ids(self, evidence: Any) -> Any:
        """The ids of evidence; what is no list of texts and objects is left as it is.

        An object with a text is the chunk of its id, or of that text. A text is one that is written as a sentence.
        Raises GroundedError where a chunk of the same id has another text.
        """
        if not isinstance(evidence, list):
            return evidence
        return [self._id(one) if isinstance(one, Mapping) or _is_sentence(one) else one for one in evidence]

    def within(self, reply: Mapping[str, Any]) -> Mapping[str, Any]:
        """A reply, or what was observed beside one, with ids for what it says of its evidence."""
        cleaned = dict(reply)
        if "evidence" in reply:
            cleaned["evidence"] = self.ids(reply["evidence"])
        if isinstance(reply.get("internal"), Mapping):
            cleaned["internal"] = self.within(reply["internal"])
        return cleaned

    def _id(self, written: Mapping[str, Any] | str) -> Any:
        read, _ = read_chunks([written], self._mapping)
        own = None if isinstance(written, str) else first_at(written, _IDS)[1]
        if not read:
            return own if isinstance(own, str) else written
        chunk, known = read[0], {one["id"]: one for one in self.chunks}
        same = known.get(chunk["id"])
        if same is not None and same["text"] == chunk["text"]:
            return chunk["id"]
        if own == chunk["id"]:
            if same is not None:
                raise GroundedError(f"two chunks of the record have the id {shown(own)}, with different texts")
        else:
            alike = next((one["id"] for one in self.chunks if one["text"] == chunk["text"]), None)
            if alike is not None:
                return alike
            place = len(self.chunks) + 1
            name = chunk["id"] if "document" in chunk else f"chunk-{place}"
            chunk["id"] = f"{name}-{place}" if name in known else name
        self.chunks.append(chunk)
        return chunk["id"]


_IDS = ("id", "chunk_id", "chunkId", "_id", "uuid", "chunk")


def _is_sentence(entry: Any) -> bool:
    """Whether a text is more than one word, as no id is."""
    return isinstance(entry, str) and len(entry.split()) > 1
