"""What a sentence says with its negation taken out, so that a sentence and its denial can be told to be such a pair.

In many languages a negation is no word beside the others: it is an ending (Turkish, Japanese, Korean), it brings a verb
with it or drops one (Hindi, Russian, French). Sentences are brought to a core without what negation adds, drops or
changes; two with the same core and another number of negations deny each other. English, where nothing but a word is
added, and every difference besides the negation are left to `polarity`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import Final

from pytest_grounded.text.folding import fold
from pytest_grounded.text.polarity import without_answer
from pytest_grounded.text.scripts import guess_language, primary_subtag, spelled_out, unmarked
from pytest_grounded.text.wordlists import listed

__all__ = ["Denied", "cores"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Denied:
    """What a sentence says without its negations, comparable with that of another, and whether it denies it."""

    core: tuple[str, ...]
    is_denied: bool


@lru_cache(maxsize=8_192)
def cores(text: str, *, lang: str | None = None) -> tuple[Denied, ...]:
    """The readings of a sentence without its negations, most often one; none in a language that is not known here.

    >>> def said(text, lang):
    ...     return {one.core: one.is_denied for one in cores(text, lang=lang)}
    >>> yes, no = said("Sigorta hasarı karşılar.", "tr"), said("Sigorta hasarı karşılamaz.", "tr")
    >>> [(yes[core], no[core]) for core in yes.keys() & no.keys()]
    [(False, True)]
    >>> said("保険は水害を補償しません。", "ja").keys() == said("保険は水害を補償する。", "ja").keys()
    True
    """
    language = primary_subtag(lang) or guess_language(text)
    if language is None or len(text) > _LONGEST:
        return ()
    folded = without_answer(fold(text, lang=language))
    if language in _BY_CHARACTERS:
        return tuple(_of_characters(folded, _BY_CHARACTERS[language]))
    rules = _BY_WORDS.get(language)
    return () if rules is None else tuple(_of_words(folded, rules))


_LONGEST: Final = 400
_FEWEST_WORDS: Final = 2
_MOST_READINGS: Final = 8
_TOKEN: Final = re.compile(r"[^\W_]+(?:[.,:]\d+)*")

Form = tuple[str, bool]
"""A word without its negation, and whether it had one."""


def _plain(word: str) -> tuple[Form, ...]:
    return ((word, False),)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """How a language with words between blanks denies.

    `negations` count and are taken out, `coming_and_going` are taken out; `instead` are words that stand for another
    one with a negation; `forms` reads the endings of a word.
    """

    negations: frozenset[str]
    add_up: bool = True
    """Whether two negations affirm; in many languages the second only goes with the first (no ... ninguna)."""
    coming_and_going: frozenset[str] = frozenset()
    instead: Mapping[str, str] = field(default_factory=dict)
    forms: Callable[[str], tuple[Form, ...]] = _plain


def _of_words(text: str, rules: _Words) -> Iterator[Denied]:
    kept: list[tuple[Form, ...]] = []
    denials = 0
    for token in map(unmarked, _TOKEN.findall(spelled_out(text))):
        if token in rules.negations:
            denials += 1
        elif token in rules.instead:
            denials += 1
            if rules.instead[token]:
                kept.append(((rules.instead[token], False),))
        elif token not in rules.coming_and_going:
            kept.append(rules.forms(token))
    if len(kept) < _FEWEST_WORDS:
        return
    readings = product(*kept) if _count(kept) <= _MOST_READINGS else [tuple(forms[0] for forms in kept)]
    for reading in readings:
        inside = sum(negated for _, negated in reading)
        count = denials + inside
        is_denied = count % 2 == 1 if rules.add_up else count > 0
        yield Denied(core=tuple(sorted(word for word, _ in reading)), is_denied=is_denied)


def _count(kept: list[tuple[Form, ...]]) -> int:
    count = 1
    for forms in kept:
        count *= len(forms)
    return count


# --- endings -----------------------------------------------------------------------------------------------------

_TURKISH_TAIL: Final = r"(?:l[ae]r)?(?:[dt][ıiuü]r)?(?:l[ae]r)?"
_TURKISH: Final = tuple(
    (re.compile(rf"(?P<stem>\w{{2,}}?){ending}{_TURKISH_TAIL}\Z"), name, negated)
    for ending, name, negated in (
        (r"y?[ae]m[ae]z", "~can", True),
        (r"y?[ae]bil[ie](?:r|c[ae](?:k|ğ))?", "~can", False),
        (r"m[ae]z", "~", True),
        (r"[ıiuüae]r", "~", False),
        (r"r", "~", False),
        (r"m[ıiuü]yor", "~now", True),
        (r"[ıiuü]?yor", "~now", False),
        (r"m[ae]d[ıi]", "~did", True),
        (r"[dt][ıiuü]", "~did", False),
        (r"m[ae]m[ıi]ş", "~had", True),
        (r"m[ıiuü]ş", "~had", False),
        (r"m[ae]y[ae]ca[kğ]\w{0,2}", "~will", True),
        (r"m[ae]yece[kğ]\w{0,2}", "~will", True),
        (r"y?aca[kğ]\w{0,2}", "~will", False),
        (r"y?ece[kğ]\w{0,2}", "~will", False),
        (r"m[ae]m[ae]kt[ae]", "~now", True),
        (r"m[ae]kt[ae]", "~now", False),
        (r"m[ae]m[ae]l[ıi]", "~must", True),
        (r"m[ae]l[ıi]", "~must", False),
        (r"s[ıiuü]z", "~with", True),
        (r"l[ıiuü]", "~with", False),
    )
)
_TURKISH_IS: Final = re.compile(r"(?P<stem>\w{3,}?)[dt][ıiuü]r\Z")


@lru_cache(maxsize=8_192)
def _turkish(word: str) -> tuple[Form, ...]:
    found = [
        (match["stem"].rstrip("y") + name, negated)
        for pattern, name, negated in _TURKISH
        if (match := pattern.match(word)) is not None
    ]
    copula = _TURKISH_IS.match(word)
    bare = copula["stem"] if copula is not None else word
    return tuple(dict.fromkeys(((bare, False), *found)))


def _inflected(word: str) -> tuple[Form, ...]:
    """The beginning of a word: a negation may change the case of what it denies."""
    plain = "".join(one for one in unicodedata.normalize("NFD", word) if not unicodedata.combining(one))
    return ((plain if plain.isdigit() else plain[:4], False),)


def _czech(word: str) -> tuple[Form, ...]:
    """The same of a language that writes the negation as the first syllable of the verb."""
    own = _inflected(word)
    return (*own, (_inflected(word[2:])[0][0], True)) if word.startswith("ne") and len(word) > len("nemá") else own


def _persian(word: str) -> tuple[Form, ...]:
    return (
        ((word.removeprefix("ن"), True), (word, False))
        if word.startswith(("نمی", "ندار", "نیست"))
        else ((word, False),)
    )


def _arabic(word: str) -> tuple[Form, ...]:
    """The strong letters of a word: the weak ones tell the present from the past, and لم يصل denies وصلت."""
    bare = _FUTURE.sub("", word.translate(_ALIFS)).translate(_WEAK)
    return ((bare if len(bare) > 1 else word, False),)


_ALIFS: Final = str.maketrans("أإآى", "اااي")
_FUTURE: Final = re.compile(r"\Aس(?=[يتنا]\w{3})")
_WEAK: Final = dict.fromkeys(map(ord, "اويتنةء"))
_BY_WORDS: Final[Mapping[str, _Words]] = {
    "de": _Words(
        negations=listed("nicht nie niemals kein keine keinen keinem keiner keines keinerlei"),
        coming_and_going=listed("ein eine einen einem einer eines"),
    ),
    "fr": _Words(
        add_up=False,
        negations=listed("pas jamais aucun aucune rien"),
        coming_and_going=listed("ne n de d du des un une la le les l"),
    ),
    "es": _Words(
        add_up=False,
        negations=listed("no nunca jamás ningún ninguna ninguno"),
        coming_and_going=listed("un una alguno alguna algún"),
    ),
    "it": _Words(
        add_up=False, negations=listed("non mai nessun nessuno nessuna"), coming_and_going=listed("un una uno")
    ),
    "pt": _Words(
        add_up=False, negations=listed("não nunca nenhum nenhuma"), coming_and_going=listed("um uma algum alguma")
    ),
    "nl": _Words(negations=listed("niet geen nooit"), coming_and_going=listed("een")),
    "sv": _Words(
        negations=listed("inte ej aldrig ingen inget inga"), coming_and_going=listed("en ett någon något några")
    ),
    "da": _Words(negations=listed("ikke aldrig ingen intet"), coming_and_going=listed("en et nogen noget nogle")),
    "no": _Words(negations=listed("ikke aldri ingen intet"), coming_and_going=listed("en et ei noen noe")),
    "fi": _Words(negations=listed("ei eivät emme en et ette"), coming_and_going=listed("ole"), forms=_inflected),
    "pl": _Words(add_up=False, negations=listed("nie nigdy"), instead={"brak": "", "niema": ""}, forms=_inflected),
    "cs": _Words(add_up=False, negations=listed("ne nikdy"), forms=_czech),
    "sk": _Words(add_up=False, negations=listed("nie nikdy"), forms=_czech),
    "ru": _Words(
        add_up=False,
        negations=listed("не никогда"),
        coming_and_going=listed("есть имеется"),
        instead={"нет": "", "нельзя": "можн"},
        forms=_inflected,
    ),
    "uk": _Words(
        add_up=False,
        negations=listed("не ніколи"),
        coming_and_going=listed("є"),
        instead={"немає": "", "нема": ""},
        forms=_inflected,
    ),
    "bg": _Words(add_up=False, negations=listed("не никога"), instead={"няма": "има"}),
    "sr": _Words(
        add_up=False,
        negations=listed("не ne nikada никада"),
        instead={"nema": "ima", "нема": "има", "nije": "je", "није": "је"},
    ),
    "hr": _Words(add_up=False, negations=listed("ne nikada"), instead={"nema": "ima", "nije": "je", "nisu": "su"}),
    "sl": _Words(add_up=False, negations=listed("ne nikoli"), instead={"nima": "ima", "ni": "je", "niso": "so"}),
    "ro": _Words(add_up=False, negations=listed("nu niciodată"), coming_and_going=listed("un o")),
    "hu": _Words(add_up=False, negations=listed("nem ne sem"), instead={"nincs": "van", "nincsenek": "vannak"}),
    "el": _Words(add_up=False, negations=listed("δεν δε μην μη ποτέ")),
    "tr": _Words(
        negations=listed("değil değildir hiç hiçbir asla"),
        coming_and_going=listed("bir"),
        instead={"yok": "var", "yoktur": "var"},
        forms=_turkish,
    ),
    "ar": _Words(negations=listed("لا لم لن ليس ليست ليسوا غير"), coming_and_going=listed("قد سوف"), forms=_arabic),
    "he": _Words(negations=listed("לא אין אינו אינה אינם"), coming_and_going=listed("יש")),
    "fa": _Words(negations=listed("نه"), forms=_persian),
    "hi": _Words(
        negations=frozenset(unmarked(spelled_out(word)) for word in listed("नहीं नही न मत")),
        coming_and_going=frozenset(unmarked(spelled_out(word)) for word in listed("है हैं हूँ हो भी")),
    ),
    "bn": _Words(negations=frozenset(unmarked(spelled_out(word)) for word in listed("না নয় নেই নি"))),
    "id": _Words(negations=listed("tidak bukan tak belum jangan"), coming_and_going=listed("sudah telah")),
    "vi": _Words(negations=listed("không chẳng chưa đừng"), coming_and_going=listed("đã có được")),
}

# --- languages without blanks, and Korean ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Characters:
    """How a language denies inside its words: patterns in turn, each with what it becomes, counted where it denies."""

    rules: tuple[tuple[re.Pattern[str], str, bool], ...]
    composed: bool = True


def _rules(*entries: tuple[str, str, bool]) -> tuple[tuple[re.Pattern[str], str, bool], ...]:
    return tuple((re.compile(pattern), becomes, denies) for pattern, becomes, denies in entries)


def _apart(text: str) -> str:
    """Korean in single letters, as its endings are written into the syllable before them."""
    return unicodedata.normalize("NFD", text)


def _of_characters(text: str, language: _Characters) -> Iterator[Denied]:
    if not language.composed:
        text = _apart(text)
    denials = 0
    for pattern, becomes, denies in language.rules:
        text, count = pattern.subn(becomes, text)
        denials += count if denies else 0
    core = "".join(filter(str.isalnum, text))
    if len(core) >= _FEWEST_CHARACTERS:
        yield Denied(core=(core,), is_denied=denials % 2 == 1)


_FEWEST_CHARACTERS: Final = 3
_END: Final = r"(?=[。．.!！?？、,，)）」]|\s|\Z)"
_BY_CHARACTERS: Final[Mapping[str, _Characters]] = {
    "zh": _Characters(
        rules=_rules(
            (r"没有(?!超过)|沒有|并未|並未|尚未|未(?![满滿来來必])|没(?!收)|从未|從未", "", True),
            (
                (
                    r"不得(?![不超])|不能|不可以|不可(?!抗)|不会|不會|无法|無法|不予|不是|并非|並非|"
                    r"不(?![仅但断同论管动足超少低高多过良明锈便时久等大小得可])"
                ),
                "",
                True,
            ),
            (
                (
                    "可以|能够|能夠|已经|已經|已|"
                    r"(?<![协机社大委员董事学公工议晚宴聚理国])会(?![议员计所场费面见谈社长])|能(?![力源量])|是(?!否)|有(?!效|限|关)|了|予以"
                ),
                "",
                False,
            ),
        )
    ),
    "ja": _Characters(
        rules=_rules(
            (
                r"[しかがさたなばまらわ]?(?:な(?:ければ|くては)(?:なら(?:ない|ません)|なりません)|ないといけ(?:ない|ません))",
                "必要",
                False,
            ),
            (r"(?:する|[うくぐすつぬぶむる])?必要[はがも](?:ありません|ない(?:です)?)", "必要", True),
            (r"(?:する|[うくぐすつぬぶむる])?必要[はがも](?:あります|ある)", "必要", False),
            (r"かもしれ(?:ない|ません)", "可能性", False),
            (r"少な[いく]|限りで?|だけでな[いく]", "", False),
            (r"(?:では|じゃ)(?:ありませんでした|なかった)", "過", True),
            (r"(?:では|じゃ)(?:ありません|ない(?:です)?)", "", True),
            (r"でした|だった", "過", False),
            (rf"(?:です|である|だ){_END}", "", False),
            (r"てはなり?ません|ては(?:いけない|ならない)|てはいけません", "て", True),
            (r"ても(?:よい|いい|良い|かまわない|構わない|かまいません|構いません)(?:です)?", "て", False),
            (r"することは?(?:が)?できません|することは?(?:が)?できない|できません|できない", "得", True),
            (r"することができます|することができる|できます|できる", "得", False),
            (r"できませんでした|できなかった", "得過", True),
            (r"できました|できた", "得過", False),
            (rf"(?<![泳急防騒稼仰継脱漕])[はがも](?:ありません|ないです|ない){_END}", "有", True),
            (rf"[はがも](?:あります|ある){_END}", "有", False),
            (r"していません(?:でした)?|していない|していなかった", "為過", True),
            (r"しています|している|していた", "為過", False),
            (r"ていません(?:でした)?|ていない|ていなかった", "過", True),
            (r"ています|ている|ていた", "過", False),
            (r"しませんでした|しなかった", "為過", True),
            (rf"しました|した{_END}", "為過", False),
            (r"しません|しない", "為", True),
            (rf"します|する{_END}", "為", False),
            (r"[いきぎしちにびみりかがさたなばまらわ]?(?:ませんでした|なかった)", "過", True),
            (r"[いきぎしちにびみり]?ました", "過", False),
            (rf"[いきぎしちにびみり]?ません|[かがさたなばまらわ]?ない(?:です)?{_END}", "", True),
            (rf"[いきぎしちにびみり]?ます|[うくぐすつぬぶむる]{_END}", "", False),
        )
    ),
    "ko": _Characters(
        composed=False,
        rules=_rules(
            *(
                (_apart(pattern), _apart(becomes), denies)
                for pattern, becomes, denies in (
                    (r"지\s*(?:는\s*)?(?:않았|못했|못하였)(?:습니다|다|어요)", "過", True),
                    (r"지\s*(?:는\s*)?(?:않|못하|못합)(?:습니다|는다|다|아요|니다)?", "", True),
                    (r"(?:이|가)?\s*아닙니다|(?:이|가)?\s*아니다", "", True),
                    (r"입니다|이다", "", False),
                    (r"없(?:습니다|다|어요|음)", "있", True),
                    (r"있(?:습니다|다|어요|음)", "있", False),
                    (r"(?<=\s)안\s+", "", True),
                    ("해\u11bb(?:습니다|다|어요)", "하過", False),
                    ("\u11bb(?:습니다|다|어요)", "過", False),
                    ("\u11b8니다|습니다", "", False),
                    ("\u11ab다|는다", "", False),
                )
            ),
        ),
    ),
    "th": _Characters(rules=_rules((r"ไม่ได้|ไม่(?=[^่]?[ก-๙])|มิได้", "", True), (r"สามารถ", "", False))),
}
