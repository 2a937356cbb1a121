"""What a reply says of itself: what it searched, how sure it is, when somebody will answer. None of it is a fact.

A figure of a chunk stays one, whatever stands around it; this is for figures that no chunk gives.
"""

from __future__ import annotations

import re

from pytest_grounded.text.quantities import Quantity, QuantityKind

__all__ = ["is_of_the_service"]

_NEAR = 60
_SEARCHED = re.compile(
    r"(?:[ \u00a0-][^\W\d_]{2,14})?[ \u00a0]?"
    r"(?:(?:documents?|sources?|passages?|files?|results?|hits?|matches|records?|excerpts?|references?|chunks?|snippets?|"
    r"citations?|Dokumente?n?|Quellen?|Treffern?|Fundstellen?|Textstellen?|Dateien?|Passagen?|résultats?|passages?|"
    r"documentos?|fuentes?|resultados?|documenti|documento|fonti|fonte|risultat[oi]|documenten|bronn?en|bron|resultaten|"
    r"dokument(?:en|er)?|källor|kilder|dokumenty|dokumentów|źródeł|документ(?:а|ов|ы|е|ах)?|источник(?:а|ов|и)?)\b"
    r"|[份个個篇]?(?:相关|相關)?(?:文件|文档|文檔|资料|資料|来源|來源|文章|段落)|件の(?:文書|資料|文献)|つの(?:文書|資料))",
    re.IGNORECASE,
)
_SEARCHING = re.compile(
    r"\b(?:search\w*|found|find|check\w*|look\w*|review\w*|read|based on|according to|from|in|across|of|using|cit\w+|"
    r"draws? on|rests? on|"
    r"durchsucht\w*|gefunden|geprüft|aus|laut|anhand|trouvé\w*|consult\w*|cherch\w*|dans|d'après|encontr\w*|busc\w*|según|"
    r"trovat\w*|cercat\w*|consultat\w*|secondo|gevonden|doorzocht\w*|volgens|fant|hittade|znalaz\w*)\b|在|根据|根據|检索|搜索|"
    r"\b(?:na\w*|по|из|в)\b",
    re.IGNORECASE,
)
_ANSWERING = re.compile(
    r"\b(?:again|later|retry|reply|replies|respond\w*|response|get back|contact\w*|callback|call you|hear from|wait|"
    r"tickets?|erneut|später|nochmals?|melde\w*|meldet|antwort\w*|rückmeld\w*|wenden|kontaktier\w*|warten|"
    r"réessay\w*|plus tard|répon\w*|recontact\w*|contact\w*|más tarde|respond\w*|respuest\w*|riprov\w*|rispond\w*|"
    r"rispost\w*|contatt\w*|antwoord\w*|reager\w*|contat\w*|respost\w*|svar\w*|återkom\w*|kontakt\w*|odpowie\w*|"
    r"ответ\w*|свяж\w*|вернёмся|відпов\w*)"
    r"|回复|回覆|答复|答覆|联系|聯繫|稍后|稍後|重试|重試|連絡|回答|返信|再度|後ほど|답변|연락|다시",
    re.IGNORECASE,
)
_NUMBERED_SOURCE = re.compile(
    r"\b(?:according to|per|as stated in|as per|stated in|says|see|from|in|by|laut|gemäß|nach|siehe|selon|d'après|voir|"
    r"según|véase|secondo|vedi|volgens|zie)[ \u00a0](?:the[ \u00a0])?"
    r"(?:source|citation|reference|ref\.?|chunk|passage|excerpt|snippet|search result|Quelle|Fundstelle|Textstelle|"
    r"fuente|fonte|bron|extrait)[ \u00a0](?:no\.?[ \u00a0]?|nr\.?[ \u00a0]?|#)?$",
    re.IGNORECASE,
)
_SOURCE_NUMBERED = re.compile(
    r"(?:^|[(\[\n])(?:source|citation|reference|ref\.?|Quelle|fuente|fonte|bron)[ \u00a0]#?$", re.IGNORECASE
)
"""What names a source by its place in a list, which is a marker spelled out."""
_SURE_BEFORE = re.compile(
    r"(?:\b(?:confidence|certainty|konfidenz|sicherheit|confiance|confianza|confidenza|confiança)"
    r"(?:[ \u00a0](?:score|level|is|of|ist|est|es|in this answer|at))?|置信度|信心|確信度)\W{0,4}$",
    re.IGNORECASE,
)
_SURE_AFTER = re.compile(
    r"\s?(?:sure|certain|confident|confidence(?!\s(?:interval|limit))|sicher|sûr\w*|segur\w*)\b", re.IGNORECASE
)


def is_of_the_service(text: str, quantity: Quantity) -> bool:
    """Whether a quantity of a text is about the reply itself.

    >>> from pytest_grounded.text.quantities import find_quantities
    >>> def about_itself(text):
    ...     return [is_of_the_service(text, quantity) for quantity in find_quantities(text)]
    >>> about_itself("I searched 3 documents."), about_itself("Wir melden uns innerhalb von 2 Tagen.")
    ([True], [True])
    >>> about_itself("According to source 1, pets are fine."), about_itself("The source 1 km away.")
    ([True], [False])
    >>> about_itself("Confidence: 95%."), about_itself("You need 3 documents."), about_itself("Pets cost 95%.")
    ([True], [False], [False])
    """
    before = text[max(0, quantity.start - _NEAR) : quantity.start]
    after = text[quantity.end : quantity.end + _NEAR]
    match quantity.kind:
        case QuantityKind.NUMBER if quantity.unit is None:
            if quantity.raw.isdigit() and (_NUMBERED_SOURCE.search(before) or _is_heading_of_a_source(before, after)):
                return True
            counted = text[quantity.end - len(_counted(quantity)) : quantity.end + _NEAR]
            return _SEARCHED.match(counted) is not None and _SEARCHING.search(_own_sentence(before)) is not None
        case QuantityKind.PERCENT:
            return _SURE_BEFORE.search(before) is not None or _SURE_AFTER.match(after) is not None
        case QuantityKind.DURATION:
            return _ANSWERING.search(f"{before}|{after}") is not None
        case _:
            return False


def _is_heading_of_a_source(before: str, after: str) -> bool:
    return after[:1] in (":", ")", "]") and _SOURCE_NUMBERED.search(before) is not None


def _counted(quantity: Quantity) -> str:
    """What a quantity as written holds behind its digits: a counter such as 份 is part of it."""
    return quantity.raw.lstrip("0123456789.,") if quantity.raw[:1].isdigit() else ""


def _own_sentence(before: str) -> str:
    return re.split(r"[.!?。！？\n]", before)[-1]
