"""Finds forms of one English word that no ending tells: wrote and written, death and died, the length of what is long.

Irregular verbs, irregular plurals, and nouns of common verbs and adjectives. A list, not a dictionary.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

__all__ = ["irregular_forms"]


def irregular_forms(word: str) -> frozenset[str]:
    """The other listed forms of a word in lower case.

    >>> sorted(irregular_forms("wrote")), irregular_forms("walked")
    (['write', 'writes', 'writing', 'written'], frozenset())
    """
    return _by_word().get(word, frozenset())


@lru_cache(maxsize=1)
def _by_word() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _LISTED.replace(";", "\n").splitlines():
        words = line.split()
        for word in words:
            found.setdefault(word, set()).update(words)
    return {word: frozenset(others - {word}) for word, others in found.items()}


_LISTED = """
arise arose arisen arising; awake awoke awoken; bear bore borne; beat beaten; become became becoming;
begin begins began begun beginning; bend bent; bind bound; bite bit bitten; bleed bled; blow blew blown;
break breaks broke broken breaking; breed bred; bring brings brought bringing; build builds built building;
burn burnt burned; buy buys bought buying; catch caught catches; choose chooses chose chosen choosing choice;
come came coming; creep crept; deal dealt; dig dug; do did done; draw drew drawn drawing; drink drank drunk;
drive drives drove driven driving; eat ate eaten; fall fell fallen falling; feed fed feeding; feel felt;
fight fights fought fighting; find finds found finding; flee fled fleeing; fly flew flown flight; forbid forbade forbidden;
forget forgot forgotten; freeze froze frozen; get got gotten; give gave given giving; go went gone going;
grow grows grew grown growing growth; hang hung; hear heard; hide hid hidden; hold holds held holding; keep keeps kept keeping;
know knew known knowledge; lay laid; lead leads led leading; leave leaves left leaving; lend lent; lie lay lain;
light lit; lose loses lost losing loss losses; make makes made making; mean meant; meet meets met meeting; pay paid payment;
prove proved proven proof; ride rode ridden; ring rang rung; rise rises rose risen; run ran running; say says said;
see sees saw seen; seek sought; sell sells sold selling sale sales; send sends sent sending; shake shook shaken;
shine shone; shoot shot; show showed shown; shrink shrank shrunk; sing sang sung song; sink sank sunk; sit sat;
sleep slept; speak speaks spoke spoken speech; spend spends spent spending; spread spreading; stand stood;
steal stole stolen; stick stuck; strike struck strikes; swear swore sworn; sweep swept; swim swam; take takes took taken taking;
teach teaches taught teaching; tear tore torn; tell told; think thinks thought; throw threw thrown; understand understood;
wake woke; wear wore worn; weave wove woven; win wins won winning; wind wound; withdraw withdrew withdrawn withdrawal;
write writes wrote written writing
man men; woman women; child children; foot feet; tooth teeth; goose geese; mouse mice; person people; ox oxen;
analysis analyses; basis bases; crisis crises; thesis theses; criterion criteria; phenomenon phenomena; bacterium bacteria;
datum data; medium media; nucleus nuclei; radius radii; leaf leaves; life lives; wolf wolves; half halves; knife knives
die dies died dying death deaths dead; born birth; long length longer longest; wide width wider widest;
high height higher highest; deep depth deeper deepest; strong strength stronger strongest strengthen; broad breadth;
hot heat; warm warmth; young youth; true truth; weigh weight; poor poverty; proud pride; free freedom; wise wisdom;
hate hatred; live life alive; believe belief believes; arrive arrival; approve approval; refuse refusal; propose proposal;
succeed success successful; proceed process; receive receipt reception; deceive deception; destroy destruction destructive;
produce production; reduce reduction; introduce introduction; decide decision; divide division; expand expansion;
explode explosion; extend extension extent; invade invasion; conclude conclusion; permit permission; admit admission;
submit submission; describe description; subscribe subscription; absorb absorption; consume consumption; assume assumption;
choose choice; advise advice; defend defense defence; respond response; descend descent; ascend ascent; offend offense;
marry marriage; bury burial; serve service; move movement motion; discover discovery; complain complaint; analyze analysis analyse;
compare comparison; maintain maintenance; explain explanation; pronounce pronunciation; attend attendance; govern government;
differ difference different; depend dependence; exist existence; occur occurrence; enter entry entrance; injure injury;
apply application; supply supplier; imply implication; multiply multiplication; solve solution; revolve revolution; evolve evolution;
resign resignation; vary variety variation various; speak speech; bishop bishopric; clergy clerical; sun solar; moon lunar; star stellar;
sea marine maritime; king royal; city urban municipal; law legal; mouth oral; water aquatic; year annual annually; church ecclesiastical
"""  # noqa: E501  # a group of forms is not broken
