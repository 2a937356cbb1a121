"""Replaces in every text of an incident what must not be committed, the same thing by the same stand-in everywhere.

Where the incident holds restricted text, all its words, figures, names, ids and dates are replaced but those that stand
in what the requester may read: a paraphrase is as restricted as the words. Words that carry no content (articles,
negations, units) stay, so that the sentences keep their shape. Otherwise only what is personal or secret is replaced.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any

from pytest_grounded.detection.skeleton import plain
from pytest_grounded.incidents.standins.encoded import encoded_parts
from pytest_grounded.incidents.standins.figures import Figures
from pytest_grounded.incidents.standins.made_up import MadeUp
from pytest_grounded.incidents.standins.personal import Found
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.text.entities import find_entities
from pytest_grounded.text.polarity import PolarityProfile, polarity_profile
from pytest_grounded.text.quantities import Quantity, QuantityKind, find_quantities
from pytest_grounded.text.values import contains_value
from pytest_grounded.text.wordlists import listed
from pytest_grounded.text.words import STOP_WORDS, stem

__all__ = ["Disguise", "StandIn"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIn:
    """Something that was replaced: what kind of thing, the original, what stands for it, how often."""

    kind: str
    original: str
    stand_in: str
    count: int


Piece = tuple[int, int, str, str]
"""Where a part of a text begins and ends, what kind it is, and what stands for it."""

_PLACE = re.compile(r"[0-9]{1,2}")
_CLOSED = frozenset(
    {
        "decision", "reason_code", "reason", "status", "delivery", "operation", "role", "variant", "unit", "hit",
        "effective_from", "effective_to", "ingested_at", "lang", "kind",
    }
)  # fmt: skip
"""Fields whose values are words of the contract, not of a source."""

_LOGS = frozenset({"steps", "cache", "usage", "versions", "timings"})
"""Fields of `internal` in which a system says what it did, in words of its own."""

_RUN = 4
"""So many words in a row that stand in readable text are readable."""


class Disguise:
    """One disguise of one incident; asked in the same order it gives the same stand-ins.

    `restricted` are chunks of which nothing may be left, `readable` those the reply rests on that the requester may
    read, `kept` texts that a person wants to keep. No word of `taken` texts stands for anything: what is there already,
    other stand-ins among it, is not spoken of anew.

    >>> memo = Chunk(id="memo-7", text="The closing bonus is 41,750 dollars.", readers=("board",))
    >>> disguise = Disguise(restricted=[memo])
    >>> said = disguise.text("The closing bonus is 41,750 dollars [memo-7].")
    >>> said.startswith("The ") and said.endswith("].") and " is " in said and " dollars" in said
    True
    >>> [word for word in ("closing", "bonus", "41,750", "memo") if word in said]
    []
    """

    def __init__(
        self,
        *,
        personal: Iterable[Found] = (),
        restricted: Sequence[Chunk] = (),
        readable: Sequence[Chunk] = (),
        kept: Iterable[str] = (),
        taken: Iterable[str] = (),
        as_of: date | None = None,
    ) -> None:
        kept = tuple(text for text in kept if text.strip())
        said = (text for chunk in (*restricted, *readable) for text in _said_by(chunk))
        self.made = MadeUp(word for text in (*said, *kept, *taken) for word in _words(text))
        self.is_whole = bool(restricted)
        self._figures = Figures(self.made, kept_years=frozenset({as_of.year} if as_of else ()))
        self._readable = "\n".join(text for chunk in readable for text in _said_by(chunk))
        self._codes = frozenset(one.text for one in find_entities(self._readable) if one.kind == "code")
        self._runs = frozenset(run for text in (self._readable, *kept) for run in _runs(text))
        hidden = [text for chunk in restricted for text in _said_by(chunk)]
        self._hidden = frozenset(word for text in hidden for word in (*_words(text), *_DIGITS.findall(text)))
        self._known = frozenset(_words(self._readable)) - self._hidden
        self._kept = frozenset(text.casefold() for text in kept)
        self._words: dict[str, str] = {}
        self._exact: dict[str, tuple[str, str]] = {}
        self._counts: Counter[tuple[str, str, str]] = Counter()
        for one in personal:
            self._make_up_person(one)
        self._protected = frozenset((*(name for chunk in readable for name in _names_of(chunk)), *kept))
        names = [name for chunk in restricted for name in _names_of(chunk) if name not in self._protected]
        self._ids = {name: self._id(name) for name in dict.fromkeys(names)}
        self._named = _pattern((*self._protected, *self._ids, *self._exact))

    @property
    def stand_ins(self) -> tuple[StandIn, ...]:
        """Everything that was replaced so far, by kind, in order of first use."""
        kinds = {kind: place for place, kind in enumerate(dict.fromkeys(kind for kind, _, _ in self._counts))}
        found = sorted(self._counts.items(), key=lambda one: kinds[one[0][0]])
        return tuple(StandIn(kind=k, original=was, stand_in=now, count=count) for (k, was, now), count in found)

    def text(self, text: str) -> str:
        """The text with everything replaced that has to be, also where it stands in an encoding."""
        if not self.is_whole:
            return self._rendered(text, is_whole=False)
        kept: list[str] = []
        place = 0
        for part in encoded_parts(text, self._is_hidden):
            if part.start >= place:
                kept += [self._rendered(text[place : part.start]), part.encode(self._rendered(part.text))]
                place = part.end
        return "".join((*kept, self._rendered(text[place:])))

    def personal_text(self, text: str) -> str:
        """The text with only what is personal or secret replaced."""
        return self._rendered(text, is_whole=False)

    def texts(self, texts: Sequence[str]) -> list[str]:
        """Pieces of one text, which may be cut anywhere, replaced as a whole and cut again."""
        whole = "".join(texts)
        ends = [*accumulate(map(len, texts))]
        cuts: list[int] = []
        made, place = "", 0
        for start, end, _, stand_in in (*self._pieces(whole), (len(whole), len(whole), "", "")):
            before = len(made)
            cuts += [before + at - place for at in ends[len(cuts) :] if at <= start]
            made += whole[place:start]
            cuts += [
                len(made) + round((at - start) / (end - start) * len(stand_in)) for at in ends[len(cuts) :] if at < end
            ]
            made, place = made + stand_in, end
        self._rendered(whole)
        return [made[start:end] for start, end in pairwise((0, *cuts))]

    def _rendered(self, text: str, *, is_whole: bool | None = None) -> str:
        kept: list[str] = []
        place = 0
        for start, end, kind, made in self._pieces(text, is_whole=self.is_whole if is_whole is None else is_whole):
            if kind and text[start:end] != made:
                self._counts[kind, text[start:end], made] += 1
            kept += [text[place:start], made]
            place = end
        return "".join((*kept, text[place:]))

    def _is_hidden(self, text: str) -> bool:
        """Whether a text has several words of what is restricted that nothing readable has."""
        found = {word for word in _words(text) if word in self._hidden and not _is_function_word(word)}
        return len(found) >= _SEVERAL

    def value(self, value: Any, *, name: str = "", is_log: bool = False) -> Any:
        """The JSON value with every text in it replaced; words of the contract stay, and keys that are no ids."""
        is_log = is_log or name in _LOGS
        if isinstance(value, str):
            if name == "marker" and _PLACE.fullmatch(value):
                return value  # the text has it in brackets, where no figure is looked for
            if name in _CLOSED or (is_log and not self._touches(value)):
                return self.personal_text(value)
            return self.text(value)
        if isinstance(value, Mapping):
            return {self._key(str(key)): self.value(item, name=str(key), is_log=is_log) for key, item in value.items()}
        if isinstance(value, list | tuple):
            if name == "stream" and self.is_whole:
                return self._stream(value)
            return [self.value(item, name=name, is_log=is_log) for item in value]
        if self.is_whole and isinstance(value, int | float) and not isinstance(value, bool):
            made = self._figures.number(value)
            return value if made is None else made
        return value

    def _touches(self, text: str) -> bool:
        """Whether a word of a log has anything of what is restricted: most are names of stages and outcomes."""
        if self._named is not None and self._named.search(text):
            return True
        return any(word in self._hidden and word not in self._known for word in (*_words(text), *_DIGITS.findall(text)))

    def _key(self, key: str) -> str:
        """A key of a JSON object, which may be an id."""
        return self._ids.get(key) or self._exact.get(key, ("", key))[1]

    def _stream(self, pieces: Sequence[Any]) -> list[Any]:
        """Pieces in the order shown: words may begin in one and end in another."""
        texts = [str(piece.get("text", "")) if isinstance(piece, Mapping) else str(piece) for piece in pieces]
        made = self.texts(texts)
        return [
            {**self.value({key: item for key, item in piece.items() if key != "text"}), "text": text}
            if isinstance(piece, Mapping)
            else text
            for piece, text in zip(pieces, made, strict=True)
        ]

    def chunk(self, chunk: Chunk, *, is_restricted: bool) -> Chunk:
        """A chunk in other words; who may read it stays, and of a readable one all that is not personal."""
        told = self.text if is_restricted else self.personal_text
        texts = {name: told(getattr(chunk, name)) for name in _TEXTS if getattr(chunk, name) is not None}
        facts = [{"key": told(fact.key), "value": told(fact.value)} for fact in chunk.facts]
        update = {**texts, "facts": facts, "supersedes": [told(one) for one in chunk.supersedes]}
        return Chunk.model_validate({**chunk.model_dump(exclude_defaults=True), "readers": chunk.readers, **update})

    # --- the pieces of a text

    def _pieces(self, text: str, *, is_whole: bool = True) -> list[Piece]:
        """What is kept or replaced, in order; of two that overlap the one found first holds."""
        taken: list[Piece] = []
        ways = [self._named_pieces(text)]
        if is_whole:
            ways += [
                self._run_pieces(text),
                self._quantity_pieces(text),
                self._code_pieces(text),
                self._word_pieces(text),
                self._unseen_pieces(text),
            ]
        covered = bytearray(len(text))
        for way in ways:
            for piece in way:
                start, end = piece[:2]
                if start < end and not any(covered[start:end]):
                    covered[start:end] = b"\1" * (end - start)
                    taken.append(piece)
        return sorted(taken)

    def _named_pieces(self, text: str) -> Iterator[Piece]:
        """Ids and personal texts, and what is to be kept; of two that begin at one place the longer one holds."""
        for match in self._named.finditer(text) if self._named else ():
            written = match.group()
            kind, made = self._exact.get(written, ("id", self._ids.get(written, written)))
            is_kept = written in self._protected
            yield match.start(), match.end(), "" if is_kept else kind, written if is_kept else made

    def _run_pieces(self, text: str) -> Iterator[Piece]:
        """Runs of words that stand in readable text."""
        words = [*_TOKEN.finditer(text)]
        folded = [match.group().casefold() for match in words]
        for place in range(len(words) - _RUN + 1):
            if tuple(folded[place : place + _RUN]) in self._runs:
                for match in words[place : place + _RUN]:
                    yield match.start(), match.end(), "", match.group()

    def _quantity_pieces(self, text: str) -> Iterator[Piece]:
        for one in find_quantities(text):
            if one.kind in (QuantityKind.CODE, QuantityKind.LABEL) or one.incidental:
                continue
            if contains_value(self._readable, one.raw):
                yield one.start, one.end, "", one.raw
            else:
                kind = "date" if one.kind is QuantityKind.DATE else "figure"
                yield one.start, one.end, kind, self._figures.replaced(one)

    def _code_pieces(self, text: str) -> Iterator[Piece]:
        for one in find_entities(text):
            if one.kind == "code":
                is_known = one.text in self._codes or one.text.casefold() in self._kept
                yield one.start, one.end, "" if is_known else "code", one.text if is_known else self._id(one.text)

    def _word_pieces(self, text: str) -> Iterator[Piece]:
        for match in _WORD.finditer(text):
            word = match.group()
            if not self._is_kept(word):
                opens = match.start() == 0 or _OPENS.search(text, max(0, match.start() - _BEFORE), match.start())
                kind = "name" if word[0].isupper() and not opens else "word"
                yield match.start(), match.end(), kind, self._word(word, is_plain=kind == "word" and word.isascii())
        for match in _HAN.finditer(text):
            yield match.start(), match.end(), "word", self._word(match.group())

    def _unseen_pieces(self, text: str) -> Iterator[Piece]:
        """Invisible characters, which may part the letters of a word."""
        for match in _UNSEEN.finditer(text):
            yield match.start(), match.end(), "", ""

    # --- single stand-ins

    def _is_kept(self, word: str) -> bool:
        folded = _folded(word)
        return folded in self._known or folded in self._kept or _is_function_word(folded)

    def _word(self, word: str, *, is_plain: bool = False) -> str:
        folded = _folded(word)
        root = stem(folded)
        made = self._words.get(root)
        if made is None:
            if _HAN.fullmatch(word):
                made = self.made.character()
            elif word.isupper() and len(word) <= _LONGEST_ABBREVIATION:
                made = self.made.letters(len(word))
            else:
                made = self.made.ordinary_word(len(root)) if is_plain else self.made.word(len(root))
            self._words[root] = made
        made += "s" if root != folded else ""
        return made.upper() if word.isupper() and len(word) > 1 else made.capitalize() if word[0].isupper() else made

    def _id(self, written: str) -> str:
        """An id or a code: its words as words, its digits as digits, the signs between them as they are."""

        def part(match: re.Match[str]) -> str:
            found = match.group()
            return self._figures.digits(found) if found.isdigit() else self._word(found)

        return re.sub(r"[^\W\d_]+|\d+", part, written)

    def _make_up_person(self, one: Found) -> None:
        made = self._made_up_person(one)
        self._exact[one.text] = self._exact[one.text.casefold()] = (one.kind, made)
        parts = one.text.split()
        if one.kind == "name" and len(parts) > 1:
            given, family = made.split()
            for written, stands in ((parts[0], given), (parts[-1], family)):
                if len(written) > 2:  # noqa: PLR2004 - an initial
                    self._exact.setdefault(written, (one.kind, stands))

    def _made_up_person(self, one: Found) -> str:
        match one.kind:
            case "name":
                made = self.made.name()
                return made if " " in one.text else made.split()[-1]
            case "e-mail":
                return self.made.email()
            case "phone":
                country = _COUNTRY.match(one.text)
                rest = one.text[country.end() :] if country else one.text
                made = re.sub(r"\d+", lambda match: self.made.digits(match.group()), rest)
                return f"{_NO_COUNTRY}{made}" if country else made
            case "ip address":
                return f"192.0.2.{self.made.below(255)}"
            case "account" | "card" | "national id" | "birth date":
                return re.sub(r"\d+", lambda match: self.made.digits(match.group()), one.text)
            case kind:
                return self.made.made_up_name(kind.split()[0])


_SEVERAL = 3
_COUNTRY, _NO_COUNTRY = re.compile(r"\+\d{1,3}"), "+999"
_BEFORE = 8
_TEXTS = ("id", "text", "document", "version", "title", "locator", "url")
_LONGEST_ABBREVIATION = 5
_HAN = re.compile(
    r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff](?<![不没無无未非勿莫有的了是在和与或及其为被可以能应须必等每各由于从到至请])"
)
_LETTER = r"[^\W\d_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
_WORD = re.compile(rf"{_LETTER}(?:[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]?{_LETTER})*(?:['’]{_LETTER}+)?")
_TOKEN, _DIGITS = re.compile(r"\w+(?:[.,:/@#_-]\w+)*"), re.compile(r"\d{2,}")
_OPENS = re.compile(r"(?:[.!?:]\s|\n)\W*$")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")
_TALK = listed(
    """
    answer answers available based cannot check contact details document documents evidence find found help information
    know known list note page part please question reply rule rules said say says section see show shown sorry source
    sources state stated states summary summarise summarize table tell text yes
    january february march april june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
    """
)
"""Words of asking and answering, which tell nothing of what a document says."""

_NOTHING = PolarityProfile()


@lru_cache(maxsize=4096)
def _is_function_word(folded: str) -> bool:
    """Whether a word carries no content of its own: an article, a negation, a unit, a word of asking and answering."""
    if folded in STOP_WORDS or folded in _TALK or len(folded) == 1:
        return True
    return polarity_profile(folded, lang="en") != _NOTHING or _is_unit(folded)


def _is_unit(folded: str) -> bool:
    found: Sequence[Quantity] = find_quantities(f"7 {folded}")
    return len(found) == 1 and found[0].unit is not None and found[0].end == len(folded) + 2


def _folded(word: str) -> str:
    """A word in small letters, its lookalikes and invisible characters taken for what they look like."""
    return plain(word).casefold()


def _words(text: str) -> Iterator[str]:
    return (_folded(match.group()) for match in _WORD.finditer(text))


def _said_by(chunk: Chunk) -> Iterator[str]:
    """Every text of a chunk that a reader of it knows."""
    yield from (text for name in _TEXTS if (text := getattr(chunk, name)) is not None)
    yield from (text for fact in chunk.facts for text in (fact.key, fact.value))


def _names_of(chunk: Chunk) -> Iterator[str]:
    """What a chunk and its document are called."""
    yield from (name for name in (chunk.id, chunk.document) if name is not None)


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    words = [match.group().casefold() for match in _TOKEN.finditer(text)]
    return (tuple(words[place : place + _RUN]) for place in range(len(words) - _RUN + 1))


def _pattern(texts: Iterable[str]) -> re.Pattern[str] | None:
    """Any of the texts where no letter or digit goes on, the longest first."""
    wanted = sorted({text for text in texts if text.strip()}, key=lambda text: (-len(text), text))
    return re.compile("|".join(rf"(?<!\w){re.escape(text)}(?!\w)" for text in wanted)) if wanted else None
