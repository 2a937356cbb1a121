"""Finds words that exclude one another: in May and not in June, the second and not the first, French and not Dutch.

Opposites come in pairs (`opposites`); these come in kinds of many, closed or nearly so: months, weekdays, places in a
row, directions, colours, kin, measures of time, peoples with their countries, faiths. It is a list and no dictionary:
what it does not hold it does not see, and what it reports is a hint, never a verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

__all__ = ["replaced_words", "same_member", "siblings"]


def replaced_words(asked: Iterable[str], said: Iterable[str]) -> tuple[str, ...]:
    """The asked words that are not said in any form, where another of their kind that is not asked is; lower case.

    >>> replaced_words(["the", "second", "french", "war"], ["the", "first", "dutch", "war", "of", "france"])
    ('second',)
    """
    words = tuple(asked)
    there = frozenset(said)
    other = there.difference(words)
    return tuple(
        word
        for word in words
        if (found := siblings(word)) and there.isdisjoint(same_member(word)) and not other.isdisjoint(found)
    )


def siblings(word: str) -> frozenset[str]:
    """The others of a word's kind.

    >>> sorted(siblings("wednesday"))[:3], "english" in siblings("england")
    (['friday', 'monday', 'saturday'], False)
    """
    return _others().get(word, frozenset())


def same_member(word: str) -> frozenset[str]:
    """A word with its other forms of the same member; empty for a word of no kind.

    >>> sorted(same_member("french")), same_member("bread")
    (['france', 'french'], frozenset())
    """
    return _forms().get(word, frozenset())


@lru_cache(maxsize=1)
def _others() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _KINDS.strip().splitlines():
        members = [member.split("/") for member in line.split()]
        words = {word for member in members for word in member}
        for member in members:
            for word in member:
                found.setdefault(word, set()).update(words - set(member))
    return {word: frozenset(others - _forms()[word]) for word, others in found.items()}


@lru_cache(maxsize=1)
def _forms() -> Mapping[str, frozenset[str]]:
    """Each word with its other forms."""
    found: dict[str, set[str]] = {}
    for member in _KINDS.split():
        for word in member.split("/"):
            found.setdefault(word, set()).update(member.split("/"))
    return {word: frozenset(forms) for word, forms in found.items()}


# One kind a line; forms of one member are joined by a stroke.
_KINDS = """
january february march april may june july august september october november december
monday tuesday wednesday thursday friday saturday sunday
spring summer autumn winter
first/1st second/2nd third/3rd fourth/4th fifth/5th sixth/6th seventh/7th eighth/8th ninth/9th tenth/10th last final
11th 12th 13th 14th 15th 16th 17th 18th 19th 20th 21st
1/one 2/two 3/three 4/four 5/five 6/six 7/seven 8/eight 9/nine 10/ten 11/eleven 12/twelve 20/twenty
dozen/dozens hundred/hundreds thousand/thousands million/millions billion/billions trillion/trillions
second/seconds minute/minutes hour/hours day/days/daily week/weeks/weekly month/months/monthly year/years/annual decade/decades century/centuries
north/northern south/southern east/eastern west/western central/centre/center northeast/northeastern northwest/northwestern southeast/southeastern southwest/southwestern
red blue green yellow black white brown orange purple pink grey/gray gold/golden silver bronze copper
father mother son daughter brother sister wife husband uncle aunt cousin grandfather grandmother nephew grandson
america/american/americans/usa england/english/englishmen britain/british scotland/scottish/scots wales/welsh ireland/irish france/french germany/german/germans austria/austrian/austrians switzerland/swiss liechtenstein luxembourg netherlands/dutch/holland belgium/belgian/belgians spain/spanish/spaniards portugal/portuguese italy/italian/italians rome/roman/romans greece/greek/greeks poland/polish/poles hungary/hungarian/hungarians czech/czechs/bohemia/bohemian slovakia/slovak/slovaks slovenia/slovenian croatia/croatian serbia/serbian/serbs bosnia/bosnian albania/albanian romania/romanian bulgaria/bulgarian ukraine/ukrainian belarus/belarusian lithuania/lithuanian latvia/latvian estonia/estonian sweden/swedish/swedes norway/norwegian/norwegians denmark/danish/danes finland/finnish iceland/icelandic prussia/prussian saxony/saxon bavaria/bavarian russia/russian/russians soviet/soviets turkey/turkish/turks ottoman/ottomans egypt/egyptian/egyptians libya/libyan algeria/algerian morocco/moroccan tunisia/tunisian ethiopia/ethiopian sudan/sudanese nigeria/nigerian kenya/kenyan congo/congolese israel/israeli/israelis palestine/palestinian/palestinians lebanon/lebanese syria/syrian/syrians iraq/iraqi/iraqis iran/iranian/persia/persian kuwait/kuwaiti jordan/jordanian saudi yemen/yemeni afghanistan/afghan india/indian/indians pakistan/pakistani bangladesh nepal/nepalese tibet/tibetan china/chinese taiwan/taiwanese japan/japanese korea/korean/koreans mongolia/mongol/mongols/mongolian vietnam/vietnamese thailand/thai indonesia/indonesian malaysia/malaysian philippines/filipino canada/canadian/canadians mexico/mexican/mexicans cuba/cuban brazil/brazilian/brazilians argentina/argentine chile/chilean peru/peruvian colombia/colombian venezuela/venezuelan australia/australian/australians zealand africa/african/africans europe/european/europeans asia/asian/asians arab/arabs/arabic
jewish/jews/judaism christian/christians/christianity muslim/muslims/islam/islamic catholic/catholics/catholicism protestant/protestants/protestantism orthodox buddhist/buddhists/buddhism hindu/hindus/hinduism
river/rivers lake/lakes sea/seas ocean/oceans bay gulf canal/canals valley/valleys mountain/mountains island/islands desert/deserts forest/forests delta glacier/glaciers
village/villages town/towns city/cities county/counties district/districts province/provinces
school/schools college/colleges university/universities museum/museums library/libraries hospital/hospitals theatre/theater/theatres church/churches cathedral/cathedrals castle/castles palace/palaces stadium airport/airports bridge/bridges tower/towers
president/presidents minister/ministers king/kings queen/queens emperor/emperors prince/princes duke/dukes bishop/bishops pope/popes governor/governors mayor/mayors senator/senators judge/judges chancellor ambassador/ambassadors
football baseball basketball tennis hockey golf rugby cricket
hydrogen oxygen nitrogen carbon helium chlorine sulfur/sulphur iron aluminium/aluminum zinc lead mercury
coal oil gas wood steam electricity petrol/gasoline diesel
car/cars train/trains ship/ships boat/boats plane/planes/aircraft truck/trucks bus/buses bicycle/bicycles
breakfast lunch dinner
euro/euros dollar/dollars pound/pounds franc/francs mark/marks yen
"""  # noqa: E501  # a kind is a line
