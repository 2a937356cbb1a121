"""Finds opposite words in two texts: the lowest where the other says the highest, the north where it says the south.

A list of common English pairs and of prefixes that reverse a word. It is no dictionary: what it does not hold it does
not see, and what it reports is a hint, never a verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

__all__ = ["opposites", "reversed_words"]


def reversed_words(asked: Iterable[str], said: Iterable[str]) -> tuple[str, ...]:
    """The asked words that do not stand in what is said, where an opposite of theirs does; lower case, in order.

    >>> reversed_words(["what", "is", "the", "lowest", "point"], ["the", "highest", "point", "is", "here"])
    ('lowest',)
    >>> reversed_words(["is", "it", "unlawful"], ["it", "is", "lawful"])
    ('unlawful',)
    >>> reversed_words(["is", "it", "rising"], ["its", "rise", "dropped"])
    ()
    """
    there = frozenset(said)
    return tuple(word for word in asked if word not in there and _is_turned(word, there))


def _is_turned(word: str, there: frozenset[str]) -> bool:
    """Whether an opposite of a word stands there, and no word of its own side: a "rise" that "dropped" is rising."""
    against = there & (opposites(word) | _prefixed(word, there))
    return bool(against) and not any(against <= opposites(one) for one in there - against)


def opposites(word: str) -> frozenset[str]:
    """The opposites listed for a word.

    >>> sorted(opposites("begin"))
    ['cease', 'end', 'ended', 'ending', 'ends', 'finish', 'stop']
    """
    return _pairs().get(word, frozenset())


_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis")
_SHORTEST = 5


def _prefixed(word: str, said: frozenset[str]) -> frozenset[str]:
    """The word without, or with, a prefix that reverses it, as far as it is said."""
    if len(word) < _SHORTEST:
        return frozenset()
    bare = {word.removeprefix(prefix) for prefix in _PREFIXES if word.startswith(prefix)}
    longer = {prefix + word for prefix in _PREFIXES}
    return frozenset(one for one in (bare | longer) & said if len(one) >= _SHORTEST)


@lru_cache(maxsize=1)
def _pairs() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _LISTED.strip().splitlines():
        left, _, right = line.partition(" - ")
        for word in left.split():
            found.setdefault(word, set()).update(right.split())
        for word in right.split():
            found.setdefault(word, set()).update(left.split())
    return {word: frozenset(others) for word, others in found.items()}


# Every word on the left is an opposite of every word on the right.
_LISTED = """
north northern northward northwest northeast - south southern southward southwest southeast
east eastern eastward - west western westward
northernmost - southernmost
upstream - downstream
first earliest - last latest final
first - second third
early earlier - late later
before - after
begin begins began beginning - end ends ended ending cease stop finish
start starts started starting - stop stops stopped end ends ended finish finished
continue continues continued - stop stops stopped cease ceased
largest biggest greatest - smallest least
large big great - small little
larger bigger greater - smaller lesser
most - least fewest
more - less fewer
many - few
majority - minority
maximum - minimum
high - low
higher - lower
highest - lowest
long - short
longer - shorter
longest - shortest
deep deeper deepest - shallow
wide wider widest - narrow narrower narrowest
old older oldest ancient - new newer newest young younger youngest modern
former previous past - current present
best - worst
better - worse
good - bad
strong stronger strongest - weak weaker weakest
hard difficult - easy soft
fast faster fastest - slow slower slowest
hot hotter warm - cold colder cool
wet - dry
rich wealthy - poor
thick - thin
full - empty
increase increases increased increasing - decrease decreases decreased decreasing reduce reduced
rise rises rose rising climb climbs climbed - fall falls fell falling drop drops dropped dropping
increase increases increased increasing rise rises rose - drop drops dropped decline declines declined
grow grows grew - shrink shrinks shrank
raise raised - lower lowered
gain gains gained - lose loses lost
win wins won - lose loses lost
victory - defeat
succeed succeeded success successful - fail failed failure
accept accepts accepted - reject rejects rejected refuse refused
agree agreed - disagree disagreed
allow allows allowed permit permitted - prohibit prohibits prohibited forbid forbids forbidden ban banned
support supports supported supporter - oppose opposes opposed opponent
ally allies friend - enemy enemies
attack attacked - defend defended
buy buys bought - sell sells sold
import imports imported - export exports exported
lend lent - borrow borrowed
enter enters entered arrive arrives arrived reach reaches reached - leave leaves left depart departs departed
open opened - close closed
build built create created found founded - destroy destroyed abolish abolished
join joins joined unite united merge merged - separate separates separated divide divided split leave left
connect connected - disconnect disconnected
include includes included - exclude excludes excluded
add added - remove removed
remember - forget
live lives lived - die dies died
born birth - died death
send sends sent - receive receives received
upper above top - lower below bottom
inside inner internal interior - outside outer external exterior
front - back
left - right
near nearby close - far distant
male man men - female woman women
father son brother husband king - mother daughter sister wife queen
public - private secret
urban - rural
domestic native - foreign
legal lawful - illegal unlawful
positive - negative
natural - artificial synthetic
active - passive
simple - complex
common - rare uncommon
popular - unpopular
known - unknown
major main primary - minor secondary
same similar - different
always - never
often - rarely seldom
all everyone - none nobody
permanent - temporary
peace - war
conservative - liberal
radical - moderate
land - sea
summer - winter
morning - evening
day - night
expand expanded - contract contracted reduce reduced
strengthen strengthened - weaken weakened
improve improved - worsen worsened
appoint appointed hire hired - dismiss dismissed fire fired
encourage encouraged - discourage discouraged
cause causes caused - prevent prevents prevented
help helps helped - hinder hindered
advantage advantages - disadvantage disadvantages
benefit profit - harm loss
possible - impossible
dependent - independent
regular - irregular
solid - liquid gas
vertical - horizontal
single - multiple double
local - national global
individual - group collective
fixed constant - variable adjustable
linear - nonlinear
precede precedes preceded predecessor - follow follows followed successor
previous - next
freedom free - slavery enslaved captive
capture captured arrest arrested - release released
guilty - innocent
shortage scarcity - surplus abundance
cheap cheaper cheapest - expensive dearest
clean - dirty polluted
pure - impure
safe - dangerous
healthy - sick
voluntary optional - mandatory compulsory obligatory required
presence present - absence absent
immigration immigrate - emigration emigrate
output - input
refundable - nonrefundable
with - without
innate - adaptive
even - odd
"""
