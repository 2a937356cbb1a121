"""Courtesies: the parts of a reply that only address its reader, a salutation and a closing.

Whom a reply greets and who signs it is no statement about the world. A part with a digit in it is no courtesy.
"""

from __future__ import annotations

import re

__all__ = ["without_courtesies"]

_GREETINGS = (
    "hello hi hey dear greetings good_morning good_afternoon good_evening good_day welcome thanks thank_you hallo "
    "liebe lieber guten_tag guten_morgen guten_abend sehr_geehrte sehr_geehrter grüß_gott moin bonjour bonsoir cher "
    "chère chers hola buenos_días buenas_tardes buenas_noches estimado estimada estimados ciao salve buongiorno "
    "buonasera gentile egregio olá oi bom_dia boa_tarde boa_noite prezado prezada caro cara beste geachte "
    "goedemorgen goedemiddag hoi hej bästa kære kjære hei witam dzień_dobry szanowny szanowna drogi droga "
    "здравствуйте уважаемый уважаемая merhaba sayın"
)
_CLOSINGS = (
    "kind_regards best_regards warm_regards regards best_wishes best sincerely yours_sincerely yours_faithfully "
    "yours_truly cheers many_thanks thanks thank_you mit_freundlichen_grüßen freundliche_grüße viele_grüße "
    "beste_grüße liebe_grüße herzliche_grüße cordialement bien_cordialement bien_à_vous saludos saludos_cordiales "
    "atentamente un_saludo cordiali_saluti distinti_saluti saluti atenciosamente cumprimentos "
    "met_vriendelijke_groet groeten vänliga_hälsningar med_venlig_hilsen med_vennlig_hilsen z_poważaniem "
    "с_уважением saygılarımla"
)


def _either(listed: str) -> str:
    words = sorted(listed.split(), key=len, reverse=True)
    return "|".join(re.escape(word).replace("_", r"[ \u00a0]") for word in words)


_SALUTATION = re.compile(
    rf"\A\s*(?:(?:{_either(_GREETINGS)})\b(?:[ \u00a0][^\W\d_]|[ \u00a0.'’-]|[^\W\d_]){{0,60}}[,!:\n](?=\s|\Z)\s*"
    r"|TL;?DR\b[ \u00a0]?[:;,-]?\s*)",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    rf"(?:\n|[.!?][ \u00a0])\s*(?:{_either(_CLOSINGS)})[,!.]?(?:\s[^\d.!?]{{0,80}})?\s*\Z",
    re.IGNORECASE,
)
_LONGEST_CLOSING = 160


def without_courtesies(text: str) -> str:
    r"""A text without the salutation that opens it and the closing that ends it.

    >>> without_courtesies("Hello Ms. Lopez,\n\nthe limit is $180.\n\nKind regards,\nTravel Desk")
    'the limit is $180.'
    >>> without_courtesies("Dear Plan B members pay $180.")
    'Dear Plan B members pay $180.'
    """
    opening = _SALUTATION.match(text)
    start = opening.end() if opening else 0
    closing = _CLOSING.search(text, max(start, len(text) - _LONGEST_CLOSING))
    end = closing.start() + (text[closing.start()] in ".!?") if closing else len(text)
    return text[start:end] if start < end else text
