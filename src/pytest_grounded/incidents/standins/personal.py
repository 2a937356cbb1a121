"""Personal data and secrets in text: addresses, numbers that belong to one person or account, names, keys.

Found by form, so a name that nothing marks as a person's is not found; `Disguise` replaces those in restricted text
anyway. A number counts only where its form or its check digits say what it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from pytest_grounded.redaction.secrets import MASK, find_secrets, mask_secrets
from pytest_grounded.text.wordlists import listed

__all__ = ["Found", "find_personal", "personal_in", "without"]


@dataclass(frozen=True, slots=True)
class Found:
    """A text that belongs to a person or is a secret, and what kind of it: `e-mail`, `name`, `secret`, ..."""

    kind: str
    text: str


def find_personal(text: str) -> tuple[Found, ...]:
    """What is personal or secret in a text, each once, in order.

    >>> [one.kind for one in find_personal("Ms. Ada Brandt <a.brandt@firm.example>, +49 170 5551234")]
    ['e-mail', 'phone', 'name']
    >>> find_personal("The limit is 180 euros in New York since 2024-07-01; call INC-1042.")
    ()
    """
    found: dict[Found, None] = {}
    for one in (*_secrets(text), *_numbers(text), *_names(text)):
        found[one] = None
    return tuple(found)


def personal_in(value: Any, *, name: str = "") -> Iterator[Found]:
    """What is personal or secret in a JSON value; a field named like one that holds a person's data is one."""
    if isinstance(value, str):
        if _PERSONAL_FIELD.fullmatch(name) and 0 < len(value.strip()) <= _LONGEST_FIELD:
            yield Found("name" if "name" in name.lower() else "identity", value.strip())
        yield from find_personal(value)
    elif isinstance(value, Mapping):
        for path in {secret.path for secret in find_secrets(dict(value))}:
            held = value.get(path)
            if isinstance(held, str):
                yield Found("secret", held)
        for key, item in value.items():
            yield from personal_in(item, name=str(key))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from personal_in(item, name=name)


_LONGEST_FIELD = 80
_PERSONAL_FIELD = re.compile(
    r"(?:user|employee|customer|patient|person|contact|member|account|full|first|last|sur|family|given)_?-?"
    r"(?:name|id|e?mail)"
    r"|e?mail(?:_address)?|phone(?:_number)?|ssn|iban|birth_?date|date_of_birth|street|home_address",
    re.IGNORECASE,
)


def _secrets(text: str) -> Iterator[Found]:
    """Key-shaped values: what the mask put itself in the place of."""
    masked = mask_secrets(text)
    if masked == text:
        return
    place = 0
    kept = masked.split(MASK)
    for before, after in pairwise(kept):
        start = text.index(before, place) + len(before)
        place = text.find(after, start + 1) if after else len(text)
        place = len(text) if place < 0 else place
        if text[start:place].strip():
            yield Found("secret", text[start:place])


# --- numbers -----------------------------------------------------------------------------------------------------

_EMAIL = re.compile(r"(?<![\w.+-])[A-Za-z0-9_.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,6}")
_PHONE = re.compile(
    r"(?<![\w+])(?:\+\d{1,3}|\(?00?[1-9]\d{0,4}\)?)[ ./()-]{0,3}\d{1,5}(?:[ ./()-]{0,2}\d{1,5}){1,5}(?!\w)"
)
_US_PHONE = re.compile(r"(?<![\w.-])\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?![\w-])")
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)")
_CARD = re.compile(r"(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w-])")
_SSN = re.compile(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])")
_IP = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])")
_STREET = re.compile(
    r"(?<!\w)\d{1,5}[a-z]? (?:[A-Z][\w'-]{1,30} ){1,3}"
    r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Court)\b\.?"
    r"|(?<!\w)[A-ZÄÖÜ][\w-]{2,30}(?:straße|strasse|str\.|weg|platz|allee|gasse) \d{1,4}[a-z]?(?!\w)"
)
_BIRTH = re.compile(
    r"(?:born(?: on)?|date of birth|birthday|DOB|geboren am|né le|nacido el)[: ]{1,3}"
    r"(?P<date>\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}\.? [A-Za-zäéû]{3,9} \d{4})",
    re.IGNORECASE,
)
_FEWEST_DIGITS = 9
_MOST_DIGITS = 15


def _numbers(text: str) -> Iterator[Found]:
    """What its form or its check digits give away; of two that overlap the first kind holds."""
    covered = bytearray(len(text))
    for kind, pattern, is_one in _KINDS:
        for match in pattern.finditer(text):
            start, end = match.span("date") if "date" in pattern.groupindex else match.span()
            found = text[start:end].rstrip(" ./()-")
            if is_one(found, text[:start]) and not any(covered[start:end]):
                covered[start:end] = b"\1" * (end - start)
                yield Found(kind, found)


def _is_always(_: str, __: str) -> bool:
    return True


def _is_iban(text: str, _: str) -> bool:
    """Whether the check digits of an account number are right (ISO 13616)."""
    plain = text.replace(" ", "")
    return int("".join(str(int(sign, 36)) for sign in plain[4:] + plain[:4])) % 97 == 1


def _is_card(text: str, _: str) -> bool:
    """Whether the check digit of a card number is right (Luhn)."""
    digits = [int(sign) for sign in text if sign.isdigit()]
    doubled = [digit if place % 2 == 0 else sum(divmod(2 * digit, 10)) for place, digit in enumerate(reversed(digits))]
    return len(digits) > 12 and len(set(digits)) > 1 and sum(doubled) % 10 == 0  # noqa: PLR2004 - the shortest card


def _is_phone(text: str, _: str) -> bool:
    return _FEWEST_DIGITS <= sum(map(str.isdigit, text)) <= _MOST_DIGITS


def _is_ip(text: str, before: str) -> bool:
    """Whether four numbers are an address on the internet: no version, no private one, none of an example."""
    parts = [int(part) for part in text.split(".")]
    is_address = all(part <= 255 for part in parts)  # noqa: PLR2004 - a byte
    is_own = parts[0] in (0, 10, 127) or text.startswith(_IN_DOCUMENTATION)
    return is_address and not is_own and not _NUMBERED.search(before)


_IN_DOCUMENTATION = ("192.0.2.", "198.51.100.", "203.0.113.", "192.168.")
_NUMBERED = re.compile(r"(?:version|release|section|clause|rule|chapter|v|§)[.:]? ?$", re.IGNORECASE)
_KINDS: tuple[tuple[str, re.Pattern[str], Callable[[str, str], bool]], ...] = (
    ("e-mail", _EMAIL, _is_always),
    ("account", _IBAN, _is_iban),
    ("card", _CARD, _is_card),
    ("national id", _SSN, _is_always),
    ("phone", _PHONE, _is_phone),
    ("phone", _US_PHONE, _is_phone),
    ("address", _STREET, _is_always),
    ("ip address", _IP, _is_ip),
    ("birth date", _BIRTH, _is_always),
)


# --- names -------------------------------------------------------------------------------------------------------

_CAPITALISED = r"[A-ZÀ-ÖØ-ÞŁŚŽČŠ][\w'’-]{1,30}"
_TITLED = re.compile(
    r"(?<!\w)(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Sir|Dame|Herr|Frau|Mme|Mlle|Señora?|Sr|Sra|Dott|Sig)\.? "
    rf"(?P<name>{_CAPITALISED}(?: (?:(?:van|von|de|der|den|di|da|la|le) )?{_CAPITALISED}){{0,2}})"
)
_LABELLED = re.compile(
    r"(?<!\w)(?i:name|employee|patient|customer|contact|manager|applicant|candidate|from|to|cc|dear|hi|hello|regards"
    r"|sincerely|signed|reported by|submitted by|written by|assigned to|Mitarbeiter(?:in)?|Patientin|Ansprechpartner)"
    rf"(?:[:,]|\s?-)?\s{{1,2}}(?P<name>{_CAPITALISED}(?: {_CAPITALISED}){{1,2}})(?!\w)"
)
_BEFORE_EMAIL = re.compile(rf"(?P<name>{_CAPITALISED}(?: {_CAPITALISED}){{1,2}}) ?[<(](?=[^\s@<>()]{{1,64}}@)")
_PAIR = re.compile(
    rf"(?<![\w.])(?P<name>(?P<given>{_CAPITALISED})(?: [A-Z]\.)? (?:(?:van|von|de|der|di|da) )?{_CAPITALISED})(?!\w)"
)
_GIVEN = listed(
    """
    Adam Aisha Alan Albert Alejandro Alexander Alexandra Ali Alice Amanda Amina Amir Ana Anastasia Andrea Andreas
    Andrew Angela Anita Anja Anna Anne Antonio Arjun Arthur Aylin Barbara Beatriz Benjamin Bernd Brian Camille Carla
    Carlos Carmen Carol Caroline Catherine Charles Charlotte Chen Chloe Christian Christina Christopher Claire
    Claudia Daniel Daniela David Deborah Deepak Diana Diego Dmitri Dominik Donald Dorothy Edward Elena Elif
    Elisabeth Elizabeth Emily Emma Eric Erik Eva Fatima Felix Fernando Francesca Francesco Francois Frank Franz
    Gabriel Gareth George Giulia Giovanni Grace Hannah Hans Hassan Heather Heike Helen Helena Henry Hiroshi Ibrahim
    Igor Ines Ingrid Irina Isabel Isabella Ivan Jack Jacob Jakub James Jan Jana Jane Janet Javier Jean Jennifer Jens
    Jessica Joachim Joan Joao Johan Johannes John Jonas Jonathan Jose Joseph Joshua Juan Judith Julia Julian Julie
    Karen Karin Karl Katarzyna Kate Katharina Katherine Kathleen Kenji Kenneth Kevin Klaus Kumar Lars Laura Lea Lena
    Leon Linda Lisa Louis Luca Lucas Lucia Lucy Luis Luisa Lukas Magdalena Manuel Marco Margaret Maria Marie Mark
    Markus Marta Martha Martin Martina Mary Matteo Matthew Maximilian Mehmet Melissa Mei Michael Michelle Miguel
    Mohamed Mohammed Monika Nadia Nancy Natalia Nathan Nicholas Nicole Nikolai Nina Noah Olga Oliver Olivia Omar
    Oscar Pamela Paolo Patricia Patrick Paul Paula Pedro Peter Petra Philip Philipp Pierre Piotr Priya Rachel Rahul
    Raj Ravi Rebecca Ricardo Richard Robert Roberto Ronald Rosa Ruth Ryan Sabine Samantha Samuel Sandra Sara Sarah
    Sebastian Sergei Sergio Sharon Silvia Simon Sofia Sophia Sophie Stefan Stefanie Stephanie Stephen Steven Susan
    Susanne Sven Svetlana Takashi Tanja Tatiana Teresa Theresa Thomas Timothy Tobias Tomas Ursula Valentina Vanessa
    Victor Victoria Viktor Vladimir Walter Wei Werner William Wolfgang Xavier Yasmin Yuki Yusuf Zoe
    """
)
"""Common given names of several countries; words that are also common nouns or months are left out."""
_NO_SURNAME = listed(
    """
    Street Road Avenue Act Law Code Plan Policy Office Center Centre University College School Hospital Bank Group
    Airport Island Islands Beach Bay City County Day Award Prize Method Model Test Theorem Foundation Institute Company
    Inc Ltd GmbH Corp Hall House Hotel Park
    """
)


def _names(text: str) -> Iterator[Found]:
    for pattern in (_TITLED, _LABELLED, _BEFORE_EMAIL):
        for match in pattern.finditer(text):
            yield Found("name", match["name"])
    for match in _PAIR.finditer(text):
        if match["given"] in _GIVEN and match["name"].split()[-1] not in _NO_SURNAME:
            yield Found("name", match["name"])


def without(found: Iterable[Found], kept: Iterable[str]) -> tuple[Found, ...]:
    """What was found, without the texts that are to be kept, whatever their case."""
    left_out = {text.casefold() for text in kept}
    return tuple(dict.fromkeys(one for one in found if one.text.casefold() not in left_out))
