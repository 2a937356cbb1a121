"""Which words a run of hiragana holds: a noun written without Kanji is one, endings and particles are grammar.

Japanese writes grammar in hiragana, and some things as well: tobacco, waste, a chair. A run holds a word when it
stands alone or behind a particle and is not made of endings, particles, question words and light verbs; behind a Kanji
without a particle it is the ending of what stands before it. It is a rule of thumb, and the same one for questions and
passages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

__all__ = ["hiragana_words"]

_RUN = re.compile("[\u3041-\u3096\u309d\u309e]+")
_SHORTEST, _LONGEST = 2, 24


def hiragana_words(text: str) -> Iterator[tuple[int, int, tuple[int, int] | None]]:
    """Every run of hiragana: start, end, and where in the text its word stands, if it holds one.

    >>> text = "会社でたばこを吸う"
    >>> [word and text[slice(*word)] for _, _, word in hiragana_words(text)]
    ['たばこ', None]
    """
    for match in _RUN.finditer(text):
        start, end = match.span()
        word = _word(match.group(), behind_word=start > 0 and text[start - 1].isalnum())
        yield start, end, None if word is None else (start + word[0], start + word[1])


@lru_cache(maxsize=4_096)
def _word(run: str, *, behind_word: bool) -> tuple[int, int] | None:
    """Where the word of a run stands: behind what leads in, up to the first place from which all is grammar."""
    if not _SHORTEST <= len(run) <= _LONGEST or _made_of(run, _GRAMMAR)[0]:
        return None
    led = _longest_start(run, _PARTICLES_BEFORE if behind_word else _WORDS_BEFORE)
    if behind_word and not led:
        return None
    if behind_word:
        led += run.startswith(("は", "も"), led)
        led += run.startswith("の", led)
    grammar_from = _made_of(run, _GRAMMAR_AFTER)
    last = next((place for place in range(led + _SHORTEST, len(run) + 1) if grammar_from[place]), None)
    return None if last is None else (led, last)


def _made_of(run: str, words: frozenset[str]) -> list[bool]:
    """Place by place, whether the rest of a run is nothing but these words."""
    made = [False] * len(run) + [True]
    for place in range(len(run) - 1, -1, -1):
        ends = range(place + 1, min(len(run), place + _LONGEST_WORD) + 1)
        made[place] = any(made[end] and run[place:end] in words for end in ends)
    return made


def _longest_start(run: str, words: frozenset[str]) -> int:
    return next((end for end in range(min(len(run), _LONGEST_WORD), 0, -1) if run[:end] in words), 0)


def _words(*texts: str) -> frozenset[str]:
    return frozenset(word for text in texts for word in text.split())


_PARTICLES = """は が を に で と の も へ や か ね よ から まで より ほど だけ のみ しか など ずつ くらい ぐらい ごろ
    ごと"""
_ASKING = "いつ どこ だれ どれ どの どう どんな どちら なに なん なぜ いくら いくつ"
_POINTING = "この その あの これ それ あれ ここ そこ あそこ こちら そちら そう こう"
_JOINING = """ので のに けれど ながら または および ならびに そして しかし ただし なお また もし もしも すでに まだ
    もう とても すぐ ぜひ たとえば かつ すべて およそ それぞれ"""
_FORMAL = """こと もの とき ところ ため よう ほう わけ はず うち まま とおり ほか うえ あと まえ なか あたり なし
    たち ばかり"""
_LIGHT = """です でした でしょう だった である であれ ます ました ません ませ まし ましょう ない なかった
    なければ なけれ なく なら ならば なる なり なっ たい たら たり れば れる られる られ せる させる させ ている
    ておく ください くださ いただ いただけ いただく もらえ もらう できる でき できれば する すれば した して しな
    せず され される しまう しよう ある あり あれば いる いた おり いない いい よい よろしい ほしい わか しれ いう
    いっ おしえ ついて よって として とし かかわらず おける おいて つき"""
_ENDINGS = "い し て た る れ り き く っ う な"
_GRAMMAR = _words(_PARTICLES, _ASKING, _POINTING, _JOINING, _FORMAL, _LIGHT, _ENDINGS)
_GRAMMAR_AFTER = _words(_PARTICLES, _ASKING, _POINTING, _FORMAL, _LIGHT)
_PARTICLES_BEFORE = _words("は が を に で と の も へ や から まで より")
_WORDS_BEFORE = _words(_POINTING, _JOINING)
_LONGEST_WORD = max(map(len, _GRAMMAR))
