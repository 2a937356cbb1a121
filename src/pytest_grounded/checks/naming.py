"""Which names a text speaks of, and whether some other text knows them.

A capital letter alone makes no name: "the Company" and "Annex B" name nobody, nor do months, and nouns in German.
"""

from __future__ import annotations

import re
import unicodedata

from pytest_grounded.checks.passages import root, word_roots
from pytest_grounded.text.entities import names
from pytest_grounded.text.folding import fold
from pytest_grounded.text.quantities import QuantityKind, find_quantities
from pytest_grounded.text.remembering import remembered

__all__ = ["knows_name", "names_in"]

_DETERMINERS = (
    "the a an this that these those our your their its his her my each every any no all some such said "
    "le la les un une des du ce cette ces el los las una unos il lo gli i uno de het een o os as um uma"
)
_AFTER_DETERMINER = re.compile(rf"\b(?:{'|'.join(_DETERMINERS.split())})\s+$", re.IGNORECASE)
_PARTS = (
    "annex appendix article chapter clause exhibit figure form grade item level line note page paragraph part phase "
    "row rule schedule section stage step table tier zone monday tuesday wednesday thursday friday saturday sunday"
)
_OF_A_DOCUMENT = re.compile(rf"(?:{'|'.join(_PARTS.split())})s?\b", re.IGNORECASE)
_GENERIC = frozenset("pdf faq url id ok tv pc fyi am pm ceo cfo hr it".split())  # noqa: SIM905 - a list of words
_SAME_START = 5
_LABEL_WORD = re.compile(r"[^\W\d]+\W{0,3}$")


@remembered(2_048)
def names_in(text: str) -> tuple[str, ...]:
    """The names in a text, as written.

    >>> names_in("In Paris the Company books via HR and Acme Travel (see Table 2, Annex B) since March 2024.")
    ('Paris', 'Acme Travel')
    """
    plain = _without_quantities(text)
    return tuple(name for name in names(plain) if _names_somebody(plain, name))


def knows_name(name: str, text: str) -> bool:
    """Whether a text has a name: as written, by all its words in some form, or by what its letters stand for.

    >>> knows_name("Libyan Army", "the army of Libya"), knows_name("ECB", "the European Central Bank")
    (True, True)
    >>> knows_name("European Union", "rules of the EU"), knows_name("García López", "Dr. Garcia-Lopez")
    (True, True)
    >>> knows_name("New York City", "in New York"), knows_name("New York City", "in a city")
    (True, False)
    """
    folded, words, initials, acronyms = _known(text)
    plain = _OF_COUNTRY.sub("", _bare(name))
    if plain in folded:
        return True
    parts = word_roots(plain)
    if parts and all(part in words or part in _SAY_WHAT or _has_form_of(part, words) for part in parts):
        return not set(parts) <= _SAY_WHAT or set(parts) <= words
    if name.isupper() and plain.isalpha():
        return plain in initials
    return len(parts) > 1 and "".join(part[0] for part in plain.split() if part not in _SMALL) in acronyms


def _without_quantities(text: str) -> str:
    """A text with blanks for its dates, numbers and labels, the word of a label ("Table 2") included."""
    kept: list[str] = []
    at = 0
    for quantity in find_quantities(text, labels=True):
        before = text[at : quantity.start]
        kept.append(_LABEL_WORD.sub(" ", before) if quantity.kind is QuantityKind.LABEL else before)
        at = quantity.end
    return " ".join((*kept, text[at:]))


def _names_somebody(text: str, name: str) -> bool:
    if _OF_A_DOCUMENT.match(name) or name.casefold() in _GENERIC:
        return False
    if any(character.isspace() for character in name) or name[1:] != name[1:].lower():
        return True
    at = text.find(name)
    return _AFTER_DETERMINER.search(text[max(0, at - _NEAR) : at]) is None


_NEAR = 20


_THINGS = "city county state inc ltd llc plc corp company group ag gmbh university"
_SAY_WHAT = frozenset(map(root, _THINGS.split()))
"""Words that say what sort of thing a name names; a source may leave them out."""
_OF_COUNTRY = re.compile(r"^(?:united states(?: of america)?|u\.?s\.?|united kingdom|u\.?k\.?) (?=\w{3})")
"""A country before the name of something of it: the United States Supreme Court is the Supreme Court there."""
_SMALL = frozenset("of the and for de la du des der und y e".split())  # noqa: SIM905 - a list of words


@remembered(256)
def _known(text: str) -> tuple[str, frozenset[str], str, frozenset[str]]:
    """A text without accents, its words, their first letters, and its words in capitals."""
    folded = _bare(text)
    written = re.findall(r"[^\W\d_]+", folded)
    acronyms = frozenset(match.replace(".", "").casefold() for match in _ACRONYM.findall(text))
    return folded, frozenset(word_roots(folded)), "".join(word[0] for word in written), acronyms


_ACRONYM = re.compile(r"\b(?:[A-Z]{2,6}|(?:[A-Z]\.){2,6})(?![\w])")


def _bare(text: str) -> str:
    """A folded text without accents and hyphens: García-López and Garcia Lopez are one name."""
    folded = fold(text)
    if not folded.isascii():
        decomposed = unicodedata.normalize("NFD", folded)
        folded = unicodedata.normalize("NFC", "".join(one for one in decomposed if not unicodedata.combining(one)))
    return folded.replace("-", " ")


def _has_form_of(part: str, words: frozenset[str]) -> bool:
    """Whether a word with the same beginning is among some: Libya for Libyan."""
    return len(part) >= _SAME_START and any(word.startswith(part[:_SAME_START]) for word in words)
