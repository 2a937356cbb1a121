"""Scripts: which script a text is written in, and whether two texts are in one language.

Rough on purpose and without a model: scripts by code point, languages by their commonest words. Where that settles
nothing the answer is None, so that a rule about words can say *not judged* and need not guess.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from pytest_grounded.text.remembering import remembered

__all__ = [
    "HAN",
    "HANGUL",
    "KANA",
    "KATAKANA",
    "SOUTHEAST",
    "UNSPACED",
    "VOWEL_SIGNS",
    "guess_language",
    "is_cjk",
    "primary_subtag",
    "same_language",
    "script_of",
    "spelled_out",
    "unmarked",
]

# Bodies of character classes, for use inside [...].
HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
KATAKANA = "\u30a1-\u30ff\u31f0-\u31ff"
KANA = "\u3040-\u30ff\u31f0-\u31ff\u3100-\u312f"
HANGUL = "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"
VOWEL_SIGNS = dict(
    zip(
        "\u093e\u093f\u0940\u0941\u0942\u0943\u0947\u0948\u094b\u094c\u0945\u0949\u094d\u0902\u0901\u0903\u093c",
        "\u0906\u0907\u0908\u0909\u090a\u090b\u090f\u0910\u0913\u0914\u090d\u0911\u093d\u0950\u0950\u0950\u0950",
        strict=True,
    )
)
"""The signs of Devanagari that hang on a letter, each with a letter to stand for it: patterns of words know letters."""
_STRETCH = "\u0640"
"""The Arabic letter that only makes a word longer; it stands for marks that a word may be written without."""


def _letter_of(sign: int) -> str:
    """A letter to stand for a vowel sign of an Indian script: that of the vowel, else the first one of the script."""
    block, place = sign & ~0x7F, sign & 0x7F
    letter = chr(block + place - 0x38) if 0x3E <= place <= 0x4C else chr(block + 0x3D)  # noqa: PLR2004  as in every block
    return letter if letter.isalpha() else chr(block + 0x05)


_MARKS = {
    point: VOWEL_SIGNS.get(chr(point)) or (_letter_of(point) if point >= 0x0900 else _STRETCH)  # noqa: PLR2004  India
    for point in (*range(0x0591, 0x0700), *range(0x0900, 0x0E00))
    if unicodedata.category(chr(point)) in {"Mn", "Mc"}
}
_ANY_MARK = re.compile(f"[{''.join(map(chr, _MARKS))}]")
SOUTHEAST = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
UNSPACED = HAN + KANA + SOUTHEAST
"""Scripts written without spaces between words: Chinese, Japanese, Thai, Lao, Burmese, Khmer."""

_ASCII_LETTER, _NO_ASCII_LETTERS = re.compile("[A-Za-z]"), re.compile("[^A-Za-z]+")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_CJK = re.compile(f"[{HAN}{KANA}{HANGUL}]")
_SCRIPTS = {
    "latin": "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a",
    "cyrillic": "\u0400-\u052f\u1c80-\u1c8f",
    "greek": "\u0370-\u03ff\u1f00-\u1fff",
    "arabic": "\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufeff",
    "hebrew": "\u0590-\u05ff",
    "devanagari": "\u0900-\u097f",
    "bengali": "\u0980-\u09ff",
    "tamil": "\u0b80-\u0bff",
    "telugu": "\u0c00-\u0c7f",
    "thai": "\u0e00-\u0e7f",
    "lao": "\u0e80-\u0eff",
    "burmese": "\u1000-\u109f",
    "khmer": "\u1780-\u17ff",
    "georgian": "\u10a0-\u10ff",
    "armenian": "\u0530-\u058f",
    "hangul": HANGUL,
    "kana": KANA,
    "han": HAN,
}
_RUNS = re.compile("|".join(f"(?P<{script}>[{body}]+)" for script, body in _SCRIPTS.items()))
_WORD_PER_CHARACTER = 3
"""A character of these scripts says about as much as three Latin letters (and so weighs three)."""
_DENSE = frozenset({"han", "kana", "hangul"})
_ONE_LANGUAGE = {
    "greek": "el",
    "hebrew": "he",
    "devanagari": "hi",
    "bengali": "bn",
    "tamil": "ta",
    "telugu": "te",
    "thai": "th",
    "lao": "lo",
    "burmese": "my",
    "khmer": "km",
    "georgian": "ka",
    "armenian": "hy",
    "hangul": "ko",
    "kana": "ja",
}
_COMMON = {
    "en": """the and of to in is are cannot was were be been for with that this which from by on at as it an or not
        may must shall should can will have has had their its your you we they within per each all any only after
        before about into up than there what when who how do does no if than more between under over out""",
    "de": """der die das und den dem des ein eine einer einem einen ist sind wird werden wurde für mit von zu im am
        auf nicht auch aus bei nach oder als wie bis über unter vor durch dass kein keine nur muss müssen darf
        kann können sich zur zum es sie wir ich er hat haben vom pro beträgt ab wenn sowie""",
    "fr": """le la les des du un une et est sont dans pour par sur avec que qui au aux ce cette ces ne pas plus ou il
        elle nous vous ils leur leurs son sa ses être doit doivent peut peuvent sans entre après avant dès été se
        y à où""",
    "es": """el la los las del un una y es son en para por con que al se su sus no más como este esta estos o pero ser
        debe deben puede pueden sin entre desde hasta hay lo está están cada muy ya también según""",
    "it": """il lo la gli le dei delle della del dello un una e è sono per con che nel nella nei al alla ai si non più
        come questo questa o ma essere deve devono può possono senza tra dopo prima anche ogni di da dal dalla
        sul entro""",
    "pt": """o os as do da dos das um uma e é são em para por com que no na nos nas ao aos se não mais como este esta
        ou mas ser deve devem pode podem sem entre até após também cada pelo pela já há seu sua de""",
    "nl": """de het een en van is zijn in op te voor met dat die niet aan er om ook als bij door naar uit over tot
        wordt worden of maar geen moet moeten mag kan kunnen wij zij per na deze dit heeft hebben u hun""",
    "sv": """och att det som är en ett av för på med den de inte till om i från kan ska skall måste får eller har vid
        efter till men ej inom varje vara blir dessa detta""",
    "da": """og at det som er en et af for på med den de ikke til om i fra kan skal må eller har ved efter men inden
        hver være bliver disse dette""",
    "no": """og at det som er en et av for på med den de ikke til om i fra kan skal må eller har ved etter men innen
        hver være blir disse dette""",
    "pl": """i w na z do się nie jest są to że o od za po dla oraz lub przez który która które jak może mogą musi ale
        jego przy przed tylko być""",
    "tr": """ve bir bu için ile de da olarak daha çok en olan gibi kadar sonra önce her ne değil var yok veya ise
        tarafından göre""",
    "cs": """a v na z do se není je jsou to že o od za po pro nebo který která které jak může musí ale při před jen
        být i""",
    "fi": """ja on ei se että oli ovat kuin mutta tai voi joka jos vain myös ole sen tämä ovat sekä""",
    "id": """dan yang di dari untuk dengan ini itu pada adalah tidak dalam oleh akan atau dapat harus juga sebagai ke
        setiap""",
}
_LANGUAGES_OF_WORD: dict[str, tuple[str, ...]] = {}
for _language, _words in _COMMON.items():
    for _word in dict.fromkeys(word for word in _words.split() if len(word) > 1 or not word.isascii()):
        _LANGUAGES_OF_WORD[_word] = (*_LANGUAGES_OF_WORD.get(_word, ()), _language)
_WORD = re.compile(r"[^\W\d_]+")
_ENOUGH_CHARACTERS = 20_000
_CHINESE_ONLY = re.compile("[的了们这那吗呢是为与请须应该对于从将后员还没说过时间个]")
_UKRAINIAN, _RUSSIAN, _PERSIAN = re.compile("[іїєґІЇЄҐ]"), re.compile("[ыэёъЫЭЁЪ]"), re.compile("[پچژگ]")


@lru_cache(maxsize=1_024)
def primary_subtag(lang: str | None) -> str | None:
    """The language of a language tag, without region and script.

    >>> primary_subtag("pt-BR"), primary_subtag("DE_at"), primary_subtag(None)
    ('pt', 'de', None)
    """
    subtag = re.split("[-_]", lang.strip(), maxsplit=1)[0].casefold() if lang else ""
    return {"nb": "no", "nn": "no", "iw": "he", "cmn": "zh"}.get(subtag, subtag) or None


def spelled_out(text: str) -> str:
    r"""A text of the same length with a letter for each mark that hangs on one: to patterns a mark ends a word.

    >>> [len(word) for word in re.findall(r"\w+", "नहीं")], len(re.findall(r"\w+", spelled_out("नहीं")))
    ([2], 1)
    """
    return text if text.isascii() or _ANY_MARK.search(text) is None else text.translate(_MARKS)


def unmarked(word: str) -> str:
    """A word that was spelled out, without what stands for marks it may be written without.

    >>> unmarked(spelled_out("يُسمح")) == "يسمح"
    True
    """
    return word.replace(_STRETCH, "") if _STRETCH in word else word


def is_cjk(character: str) -> bool:
    """Whether a character is Chinese, Japanese or Korean.

    >>> is_cjk("加"), is_cjk("한"), is_cjk("a")
    (True, True, False)
    """
    return _CJK.match(character) is not None


@remembered(4_096)
def script_of(text: str) -> str | None:
    """The script that most of a text is written in; None for a text without letters.

    A Chinese, Japanese or Korean character weighs as much as three letters, so that a Chinese sentence with a
    product's name stays Chinese. Any kana makes Chinese characters Japanese.

    >>> script_of("加班须经 Travel Desk 批准。"), script_of("The limit is 180 €."), script_of("180")
    ('han', 'latin', None)
    """
    sample = text[:_ENOUGH_CHARACTERS]
    if sample.isascii():
        return "latin" if _ASCII_LETTER.search(sample) else None
    plain = len(_NO_ASCII_LETTERS.sub("", sample))
    weights: dict[str, int] = {"latin": plain} if plain else {}
    for run in _RUNS.finditer(" ".join(_BEYOND_ASCII.findall(sample))):
        script = str(run.lastgroup)
        weights[script] = weights.get(script, 0) + len(run[0]) * (_WORD_PER_CHARACTER if script in _DENSE else 1)
    if "kana" in weights and "han" in weights:
        weights["kana"] += weights.pop("han")
    return max(weights, key=lambda script: (weights[script], script), default=None)


@remembered(4_096)
def guess_language(text: str) -> str | None:
    """The language of a text by its script and its commonest words; None where they do not settle it.

    >>> guess_language("The average rate is 1.8260."), guess_language("Urlaub: 30 Tage im Jahr und pro Kopf.")
    ('en', 'de')
    >>> guess_language("加班须经主管批准。"), guess_language("QX-441")
    ('zh', None)
    """
    script = script_of(text)
    if script is None:
        return None
    sample = text[:_ENOUGH_CHARACTERS]
    match script:
        case "latin":
            return _by_common_words(sample)
        case "cyrillic":
            return "uk" if _UKRAINIAN.search(sample) else "ru" if _RUSSIAN.search(sample) else None
        case "arabic":
            return "fa" if _PERSIAN.search(sample) else "ar"
        case "han":
            return "zh"
    return _ONE_LANGUAGE.get(script)


def same_language(left: str, right: str, *, left_lang: str | None = None, right_lang: str | None = None) -> bool | None:
    """Whether two texts are in one language; a tag outranks a guess; None where nothing tells.

    >>> same_language("The rate is 1.8.", "Taux moyen : 1,8.", right_lang="fr")
    False
    >>> same_language("The rate is 1.8.", "It is the rate.", right_lang="en-GB")
    True
    >>> same_language("Plan A", "QX-441") is None
    True
    """
    left_script, right_script = script_of(left), script_of(right)
    if left_script and right_script and left_script != right_script and {left_script, right_script} != {"han", "kana"}:
        return False
    left_language = primary_subtag(left_lang) or guess_language(left)
    right_language = primary_subtag(right_lang) or guess_language(right)
    if left_language is None or right_language is None:
        return None
    if {left_language, right_language} == {"zh", "ja"} and not _settles(left, left_lang, right, right_lang):
        return None
    return left_language == right_language


def _by_common_words(text: str) -> str | None:
    """The language with most of the common words; a word counts the less the more languages have it."""
    scores: dict[str, float] = {}
    words = Counter(_letter_runs(text))
    for word in sorted(words.keys() & _LANGUAGES_OF_WORD.keys()):
        languages = _LANGUAGES_OF_WORD[word]
        for language in languages:
            scores[language] = scores.get(language, 0.0) + words[word] / len(languages)
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    if not ranked or ranked[0][1] < 1:
        return None
    runner_up = ranked[1][1] if len(ranked) > 1 else 0.0
    return ranked[0][0] if ranked[0][1] > runner_up else None


def _letter_runs(text: str) -> list[str]:
    """The runs of letters of a text, without case."""
    return text.lower().translate(_ONLY_LETTERS).split() if text.isascii() else _WORD.findall(text.casefold())


_ONLY_LETTERS = {point: " " for point in range(128) if not chr(point).isalpha()}


def _settles(left: str, left_lang: str | None, right: str, right_lang: str | None) -> bool:
    """Chinese characters alone may be Japanese: only a tag or a character that Japanese does not use settles it."""
    return all(
        lang is not None or script_of(text) == "kana" or _CHINESE_ONLY.search(text) is not None
        for text, lang in ((left, left_lang), (right, right_lang))
    )
