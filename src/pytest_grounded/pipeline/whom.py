"""Whom a question asks about, and whether a passage speaks of somebody else.

What a rule gives an employee it does not give an intern. Groups of people that rules are written for are listed; a
passage that names none of them holds for everybody. A doer (the manager of an account) is not told by the doing
(managing an account). English only: other languages are left to the words alone.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pytest_grounded.pipeline.terms import root, word_set

__all__ = ["holds_for", "is_doer", "is_group", "names_doer", "names_group", "other_groups"]

# One member a line; words of one member stand for one another.
_GROUPS = """
employee employees staff worker workers personnel workforce
intern interns trainee trainees apprentice apprentices
contractor contractors freelancer freelancers consultant consultants subcontractor subcontractors
volunteer volunteers
executive executives
customer customers client clients buyer buyers
visitor visitors guest guests
passenger passengers
patient patients
member members
nonmember nonmembers non-member non-members
student students pupil pupils undergraduate undergraduates postgraduate postgraduates
teacher teachers lecturer lecturers professor professors
adult adults
pensioner pensioners senior seniors retiree retirees
tenant tenants lodger lodgers
landlord landlords landlady landladies
subscriber subscribers
supplier suppliers vendor vendors
"""
_EVERYBODY = re.compile(
    r"\b(?:anyone|anybody|everyone|everybody|people|persons?|whoever|all (?:who|those))\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@lru_cache(maxsize=1)
def _member_of() -> dict[str, frozenset[str]]:
    lines = (word_set(line) for line in _GROUPS.strip().splitlines())
    return {word: line for line in lines for word in line}


def is_group(word: str) -> bool:
    """Whether a word names a group of people that rules are written for.

    >>> is_group("interns"), is_group("intern's"), is_group("Badge")
    (True, True, False)
    """
    return _bare(word) in _member_of()


def _bare(word: str) -> str:
    """A word in lower case without a genitive's ending."""
    return word.casefold().replace("\u2019", "'").removesuffix("'s")


def names_group(group: str, text: str) -> bool:
    """Whether a text names a group, by any word for it.

    >>> names_group("staff", "An employee asks at the desk."), names_group("intern", "An employee asks at the desk.")
    (True, False)
    """
    return not _member_of()[_bare(group)].isdisjoint(_words(text))


def holds_for(group: str, text: str) -> bool:
    """Whether a text says that it holds for a group: by any word for it, or for everybody.

    >>> [holds_for("student", text) for text in ("Pupils pay 5 cents.", "Anyone may ask.", "Teachers may ask.")]
    [True, True, False]
    """
    return names_group(group, text) or _EVERYBODY.search(text) is not None


def other_groups(group: str, text: str) -> bool:
    """Whether a text speaks of some group and neither of this one nor of everybody.

    >>> other_groups("intern", "Employees pay $20."), other_groups("intern", "Everybody pays $20.")
    (True, False)
    """
    members = _member_of()
    named = [word for word in _words(text) if word in members]
    return bool(named) and not names_group(group, text) and _EVERYBODY.search(text) is None


@lru_cache(maxsize=4_096)
def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def is_doer(word: str) -> bool:
    """Whether a word names somebody by what they do, in a way that the folding of endings takes for the doing.

    >>> is_doer("manager"), is_doer("organizers"), is_doer("number")
    (True, True, False)
    """
    one = _bare(word).removesuffix("s")
    return one.isascii() and one.isalpha() and one.endswith("er") and not root(one).endswith("er")


def names_doer(doer: str, of: str, text: str) -> bool:
    """Whether a text names a doer, or says that somebody does it: a manager, manages, managed by; not: managing.

    With what it is said of (the manager `of` an account) near by on the line: that of something else is another one.

    >>> [names_doer("planner", "", text) for text in ("He plans it.", "Planned by Ann.", "On planning a tour.")]
    [True, True, False]
    >>> [names_doer("planner", "tour", text) for text in ("The planner of the tour.", "The route planner.")]
    [True, False]
    """
    wanted = root(of.casefold())
    said = ((line, found) for line in text.splitlines() for found in _doing(doer).finditer(line))
    return any(not of or wanted in _roots_near(line, found) for line, found in said)


def _roots_near(text: str, found: re.Match[str]) -> frozenset[str]:
    before = _WORD.findall(text[max(0, found.start() - _NEAR_LETTERS) : found.start()])[-_NEAR_WORDS:]
    after = _WORD.findall(text[found.end() : found.end() + _NEAR_LETTERS])[:_NEAR_WORDS]
    return frozenset(root(word.casefold()) for word in (*before, *after))


_NEAR_WORDS, _NEAR_LETTERS = 4, 80


@lru_cache(maxsize=512)
def _doing(word: str) -> re.Pattern[str]:
    stem = _bare(word).removesuffix("s").removesuffix("er")
    stems = {stem, stem[:-1] if stem[-1:] == stem[-2:-1] else stem, stem[:-1] + "y" if stem.endswith("i") else stem}
    said = "|".join(re.escape(one) for one in sorted(stems))
    return re.compile(rf"(?<!\w)(?:{said})(?:ers?|e?[sd]?|ed|es)(?!\w)", re.IGNORECASE)
