"""Entities: the names and codes of a text that its source must know.

Found by form. A capital letter alone makes no entity: the word that opens a sentence, a heading in title case, a
German noun, a shouted warning are none. Numbers, amounts and dates are values and not looked for here; neither are
the labels of tables, sections and grades.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pytest_grounded.text.remembering import remembered
from pytest_grounded.text.scripts import guess_language, primary_subtag
from pytest_grounded.text.sentences import split_sentences
from pytest_grounded.text.wordlists import listed
from pytest_grounded.text.words import STOP_WORDS

__all__ = ["Entity", "codes", "entities", "find_entities", "names"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A name or code as written, and where; `kind` is "name" or "code"."""

    text: str
    start: int
    end: int
    kind: str


def entities(text: str, *, lang: str | None = None) -> tuple[str, ...]:
    """Names and codes in order, as written, without repeats.

    >>> entities("In Lisbon the Travel Desk files form QX-441 under PEP 484.")
    ('Lisbon', 'Travel Desk', 'QX-441', 'PEP 484')
    """
    return _texts(find_entities(text, lang=lang))


def names(text: str, *, lang: str | None = None) -> tuple[str, ...]:
    """Names in order, as written, without repeats: capitalised runs inside a sentence, and acronyms.

    The first word of a sentence counts only as part of a longer run or where the text has it inside a sentence too;
    months and the pronoun I never do. Without a mixture of capitals and small letters there are none, and in German
    (where every noun has one) only acronyms and words with a capital inside.

    >>> names("Contractors may not fly from IEH to New York. Ask Ms Ho.")
    ('IEH', 'New York', 'Ms Ho')
    >>> names("IMPORTANT NOTICE"), names("Der Antrag liegt bei der HR in Bonn.", lang="de")
    ((), ('HR',))
    """
    return _texts(found for found in find_entities(text, lang=lang) if found.kind == "name")


def codes(text: str) -> tuple[str, ...]:
    """Codes in order, as written, without repeats: letters with digits, addresses, paths and identifiers.

    A quantity with its unit, an ordinal, a decade and a section number are none.

    >>> codes("Mail a.b@c.org about QX-441 (10am, 180km, 2nd) on 203.0.113.10.")
    ('a.b@c.org', 'QX-441', '203.0.113.10')
    >>> codes("See https://x.org/a, grounded_cases and ISO 9001; not and/or, 24/7, section 3.2.")
    ('https://x.org/a', 'grounded_cases', 'ISO 9001')
    """
    return _texts(_codes(text))


@remembered(1_024)
def find_entities(text: str, *, lang: str | None = None) -> tuple[Entity, ...]:
    """Names and codes with their places, in order; a name does not overlap a code."""
    found = list(_codes(text))
    starts = [code.start for code in found]
    for name in _names(text, lang):
        before = bisect_right(starts, name.start) - 1
        is_free = before < 0 or found[before].end <= name.start
        if is_free and (before + 1 == len(starts) or starts[before + 1] >= name.end):
            found.append(name)
    return tuple(sorted(found, key=lambda entity: entity.start))


def _texts(found: Iterable[Entity]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entity.text for entity in found))


# --- codes -------------------------------------------------------------------------------------------------------

_FILE_KINDS = (
    "html?|pdf|docx?|xlsx?|pptx?|csv|tsv|jsonl?|ya?ml|toml|txt|md|rst"
    "|py|js|ts|sh|exe|zip|gz|png|jpe?g|svg|xml|log|ini|cfg"
)
_DOMAINS = "com|org|net|io|gov|edu|info|dev|example|test|de|eu|uk|fr|es|it|nl|ch|at|cn|jp|ru|pl|br|in|ai|app|co"
_CODE = re.compile(
    r"(?P<url>(?:https?|ftp)://[^\s<>\"'\u3000-\u303f\uff00-\uffef]{2,500}+)"
    r"|(?P<email>(?<![\w.+\-])[A-Za-z0-9_.+\-]{1,64}+@[A-Za-z0-9\-]{1,63}(?:\.[A-Za-z0-9\-]{1,63}){1,6})"
    r"|(?P<assignment>(?<!\w)[A-Z][A-Z0-9_]{2,40}+=[^\s,;]{1,200}+)"
    r"|(?P<path>(?<![\w/.<])[~.]{0,2}/[\w.\-]{1,60}+(?:/[\w.\-]{1,60}+){1,12}+/?)"
    r"|(?P<option>(?<![\w\-])--[a-z][a-z0-9\-]{1,40}+)"
    r"|(?P<standard>(?<![\w\-])(?P<body>[A-Z]{2,6})[ \u00a0](?=\d{2})\d{2,6}(?:[.:\-]\d{1,5}){0,3}(?![\w%]))"
    r"|(?P<token>(?<![\w.@/])[A-Za-z0-9]++(?:[\-_.#/][A-Za-z0-9]++)*+(?!\w))"
)
_NO_STANDARD = listed(
    """
    AED AUD BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR JPY KES KRW MXN MYR NGN NOK NZD PEN PHP
    PKR PLN QAR RMB RON RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR US UK EU AM PM AD BC CE CET CEST GMT UTC EST PST
    ET PT EDT PDT CDT MST CST MESZ MEZ JST IST BST EET
    FY MAX MIN NO NOT ALL PER AND OR THE FOR TO IN OF ON AT BY UP KM KG GB MB KB TB PAGE TABLE STEP PHASE GRADE
    LEVEL PART ITEM NOTE DAY DAYS ONLY OVER UNDER ABOUT FROM WITH MUST MAY JAN FEB MAR APR JUN JUL AUG SEP OCT NOV
    DEC JUNE JULY MARCH APRIL
    """
)
"""Capitals that stand before a number without making a code of it: currencies, units, clocks, shouted words."""
_QUANTITY = re.compile(
    r"\d[\d.,]*-?[A-Za-z]{1,4}(?:/[A-Za-z]{1,5})?|\d[\d.,/]*(?:st|nd|rd|th|s|er|e|te|ten)?(?:-[a-z]+)*|\d[\d.,]*/[a-z]+"
    r"|\d{4}-\d{2}.*|[1-9]x\d+"
)
_AROUND_NUMBER = re.compile(
    r"[qQ][1-4]|[hH][12]|(?:mid|pre|post|early|late|sub|top|non|under|over|plus|minus|and|to|per|approx|circa|ca|q[1-4]|h[12]|fy|cy)[-.]?\d[\d.\-]*",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+")
_ADDRESS = re.compile(rf"[A-Za-z0-9][A-Za-z0-9_\-]*(?:\.[A-Za-z0-9\-]+)*\.(?:{_FILE_KINDS}|{_DOMAINS})")
_IP = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")


def _codes(text: str) -> Iterator[Entity]:
    for match in _CODE.finditer(text):
        written = (
            match[0].rstrip(".,;:!?)]")
            if match["url"]
            else match[0].rstrip(".")
            if match["path"] or match["assignment"]
            else match[0]
        )
        if match["standard"] and match["body"] in _NO_STANDARD:
            continue
        if match["token"] and not _is_code(written):
            continue
        yield Entity(text=written, start=match.start(), end=match.start() + len(written), kind="code")


def _is_code(token: str) -> bool:
    if token.isalpha() or token.isdecimal():
        return False
    if _IDENTIFIER.fullmatch(token) or _IP.fullmatch(token) or (_ADDRESS.fullmatch(token) and token.count("/") == 0):
        return True
    if not any(map(str.isdigit, token)) or not any(map(str.isalpha, token)):
        return False
    return not (_QUANTITY.fullmatch(token) or _AROUND_NUMBER.fullmatch(token))


# --- names -------------------------------------------------------------------------------------------------------

_NOUNS_ARE_CAPITALISED = frozenset({"de", "lb", "gsw", "nds"})
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*(?:-[^\W\d_]+)*")
_OPENS = re.compile(r"[:;\u2014\u2013(\[{\"\u201c\u201e\u00ab\u2018*#|\u2022>/=.!?]\s*\Z")
_LOOK_BACK = 4
_WITHIN_NAME = re.compile(r"[ \u00a0]|[ ]?&[ ]?|\.[ ]")
_LINKS = listed("of the de la le du des del della di da dos das van von der den y e zu")
_MONTHS = listed(
    """
    january february march april may june july august september october november december jan feb mar apr jun jul
    aug sep sept oct nov dec januar februar märz mai juni juli oktober dezember
    """
)
_COMMON_CAPITALS = frozenset(
    {
        "I",
        "OK",
        "AM",
        "PM",
        "A.M",
        "P.M",
        "NB",
        "PS",
        "FAQ",
        "TBD",
        "TBA",
        "N/A",
        "ID",
        "vs",
        "Mr",
        "Mrs",
        "Ms",
        "Dr",
        "Prof",
        "St",
    }
)
_FEWEST_TITLED = 4
_LONGEST_ACRONYM = 6
_ROMAN = re.compile("[IVXLC]+")


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a sentence; `opens` it or something in it, as after a colon."""

    text: str
    start: int
    end: int
    opens: bool

    @property
    def is_capitalised(self) -> bool:
        return self.text[0].isupper()

    @property
    def is_acronym(self) -> bool:
        return len(self.text) > 1 and self.text.isupper() and self.text.isalpha()

    @property
    def has_inner_capital(self) -> bool:
        return any(map(str.isupper, self.text[1:])) and any(map(str.islower, self.text))


def _names(text: str, lang: str | None) -> list[Entity]:
    if text.islower() or not any(map(str.islower, text)):
        return []
    only_acronyms = (primary_subtag(lang) or guess_language(text)) in _NOUNS_ARE_CAPITALISED
    runs = [run for words in _sentences(text) for run in _runs(words, text, only_acronyms=only_acronyms)]
    inside = {word.text for run in runs for word in run if not word.opens}
    return [_name(text, kept[0].start, kept[-1].end) for run in runs if (kept := _without_opener(run, inside))]


def _name(text: str, start: int, end: int) -> Entity:
    written = text[start:end].removesuffix("'s").removesuffix("\u2019s")
    return Entity(text=written, start=start, end=start + len(written), kind="name")


def _sentences(text: str) -> Iterator[list[_Word]]:
    """The words of each sentence that can be in a name; headings and shouted sentences have none."""
    start = 0
    for sentence in split_sentences(text):
        found = list(_WORD.finditer(sentence))
        if found and not _is_title([match[0] for match in found], is_stopped=sentence.rstrip()[-1:] in {".", "!", "?"}):
            first = found[0].start()
            yield [
                _Word(match[0], start + match.start(), start + match.end(), _opens(sentence, match.start(), first))
                for match in found
                if match[0] in _LINKS or (not match[0].islower() and any(map(str.isupper, match[0])))
            ]
        start += len(sentence)


def _opens(sentence: str, start: int, first: int) -> bool:
    return start == first or _OPENS.search(sentence, max(0, start - _LOOK_BACK), start) is not None


def _is_title(words: list[str], *, is_stopped: bool) -> bool:
    """Whether capitals say nothing here: a heading in title case, which has no full stop, or shouting."""
    if len(words) > 1 and all(map(str.isupper, words)):
        return True
    if is_stopped:
        return False
    content = 0
    for word in words:
        if word.casefold() not in STOP_WORDS:
            if not word[0].isupper():
                return False
            content += 1
    return content >= _FEWEST_TITLED


def _runs(words: list[_Word], text: str, *, only_acronyms: bool) -> Iterator[list[_Word]]:
    """Runs of words that are written as names, linked by "of" and the like."""
    run: list[_Word] = []
    links: list[_Word] = []
    for word in words:
        adjoins = bool(run) and _WITHIN_NAME.fullmatch(text, (links or run)[-1].end, word.start) is not None
        if _is_written_as_name(word, only_acronyms=only_acronyms):
            if adjoins and not (word.opens and not links and text[word.start - 2 : word.start] != ". "):
                run += [*links, word]
            else:
                if run:
                    yield run
                run = [word]
            links = []
        elif adjoins and word.text in _LINKS and (links or word.text != "the"):
            links.append(word)
        else:
            if run:
                yield run
            run, links = [], []
    if run:
        yield run


def _is_written_as_name(word: _Word, *, only_acronyms: bool) -> bool:
    if word.text.casefold() in _MONTHS or word.text[:2] in {"I'", "I\u2019"}:
        return False
    if word.is_acronym:
        is_name = (
            len(word.text) <= _LONGEST_ACRONYM and word.text not in _NO_STANDARD and not _ROMAN.fullmatch(word.text)
        )
        return is_name and word.text.casefold() not in _NO_NAMES
    return word.has_inner_capital or (word.is_capitalised and not only_acronyms)


_NO_NAMES = STOP_WORDS | listed(
    """
    must shall may should can cannot not never always only required recommended optional important note warning
    caution attention please yes no new free mandatory prohibited forbidden all any each every none urgent draft
    final confidential
    """
)


def _without_opener(run: list[_Word], inside: set[str]) -> list[_Word]:
    """A run without the word that only opens a sentence, and without what is a name in a longer run alone."""
    if run[0].opens and run[0].text not in inside and not (run[0].is_acronym or run[0].has_inner_capital):
        run = run[1:]
    while run and run[0].text in _LINKS:
        run = run[1:]
    if len(run) == 1 and (
        run[0].text in _COMMON_CAPITALS or len(run[0].text) == 1 or run[0].text.casefold() in STOP_WORDS
    ):
        return []
    return run
