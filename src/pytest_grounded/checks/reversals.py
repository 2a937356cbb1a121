"""Whether a claim says the opposite in one word: monthly for weekly, gross for net, excluded for included.

Decided only where all other words of the claim stand in one sentence of its source and the odd one is a listed opposite
of a word there. Lists of opposites are short; what they do not hold is not judged here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice

from pytest_grounded.checks.base import Judged, report
from pytest_grounded.checks.exceptions import exception_spoken_of
from pytest_grounded.checks.passages import Passage, passages_of, roots_of, without_quantities
from pytest_grounded.checks.reordered import says_the_converse
from pytest_grounded.checks.states import ClaimState, is_answered, points_back, quantities_said, speaks_the_same
from pytest_grounded.checks.unsaid import unsaid_statements
from pytest_grounded.checks.wording import quoted
from pytest_grounded.model.evidence import Chunk
from pytest_grounded.model.finding import Observation
from pytest_grounded.text.opposites import opposites
from pytest_grounded.text.polarity import negations
from pytest_grounded.text.scripts import spelled_out

__all__ = ["reversed_claims"]


def reversed_claims(judged: Judged) -> Iterator[Observation]:
    """Look for the one word of a claim that its source has the other way round."""
    if not is_answered(judged):
        return
    for state in unsaid_statements(judged):
        if not state.text.strip():
            continue
        found = [reversal for chunk in state.sources for reversal in _reversals(judged, state, chunk)]
        turned = [reversal for reversal in found if reversal is not None]
        if turned and len(turned) == len(found):
            chunk, passage, ours, theirs = turned[0]
            message = f"{quoted(state.text)} says {quoted(ours)} where {chunk.id} says {quoted(theirs)}: "
            yield report("claim.polarity", message + quoted(passage.text), field=state.at("text"), chunks=[chunk.id])


def _reversals(judged: Judged, state: ClaimState, chunk: Chunk) -> Iterator[tuple[Chunk, Passage, str, str] | None]:
    """Each passage that says the claim but for a word that is turned, with both words; None for one that says it."""
    # The words of a date or number, May or second, are not among a passage's words either: `numbers` compares them.
    quantities = quantities_said(judged, state.text, incidental=True, labels=True)
    words = dict.fromkeys(_words(without_quantities(state.text, quantities)))
    said = [(word, roots_of(word)) for word in words]
    if not 1 < len(said) <= _MOST_WORDS or not speaks_the_same(judged, state.text, chunk):
        return
    denies = bool(negations(state.text, lang=chunk.lang))
    for passage in passages_of(chunk):
        odd = list(islice((word for word, roots in said if word not in _ALSO and not roots <= passage.words), 2))
        if not odd:
            yield None
        if len(odd) != 1 or not (against := _against(odd[0])):
            continue
        if exception_spoken_of(state.text, passage.text) is not None:
            continue  # "closed on Mondays" where it is open daily except Mondays
        given = _words(passage.text)
        theirs = [word for word in given if word in against and all(word != ours for ours, _ in said)]
        if any(_says_the_same(odd[0], word, against.intersection(theirs)) for word in given):
            continue  # it "arrives" where one that leaves and reaches is spoken of
        is_turned = bool(negations(passage.text, lang=chunk.lang)) == denies
        if theirs and is_turned and not says_the_converse(state.text, passage.text):
            yield None if _is_said_next(odd[0], passage, chunk) else (chunk, passage, odd[0], theirs[0])


def _is_said_next(word: str, passage: Passage, chunk: Chunk) -> bool:
    """Whether the passage behind goes on about the same with that word: "Gates open at 6. They close at 7."."""
    roots = roots_of(word)
    following = (one for one in passages_of(chunk) if one.before is passage)
    return any(points_back(one.text) and roots <= one.words for one in following)


_ALSO = frozenset(("also", "too", "only", "auch", "nur", "aussi", "également", "seulement", "también", "solo", "sólo"))
"""Words that a claim may have besides the one that is turned."""
_MOST_WORDS = 60
"""A claim with more words than this is compared with nothing here."""


def _words(text: str) -> list[str]:
    """Words in small letters that say something, in order."""
    words = re.findall(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*", spelled_out(text).casefold())
    return [word for word in words if roots_of(word) or word in _listed()]


def _against(word: str) -> frozenset[str]:
    return opposites(word) | _listed().get(word, frozenset())


def _says_the_same(ours: str, word: str, turned: frozenset[str]) -> bool:
    """Whether a word stands on the same side as ours against each word of the passage that turns it."""
    return bool(turned) and word != ours and word not in turned and turned <= opposites(word)


@lru_cache(maxsize=1)
def _listed() -> Mapping[str, frozenset[str]]:
    """For each word of a line, the others of it: they exclude one another."""
    listed: dict[str, frozenset[str]] = {}
    for line in _EXCLUSIVE.strip().splitlines():
        words = frozenset(line.split())
        listed |= {word: listed.get(word, frozenset()) | (words - {word}) for word in words}
    return listed


_EXCLUSIVE = """
doubled tripled quadrupled quintupled halved
doubles triples quadruples halves
doubling tripling quadrupling halving
double triple quadruple
twofold threefold fourfold fivefold tenfold
hourly daily nightly weekly fortnightly monthly quarterly yearly annually biannually
monday tuesday wednesday thursday friday saturday sunday
weekdays weekends
net gross
inclusive exclusive
paid unpaid
billable nonbillable
taxable nontaxable
arrival departure
inbound outbound
domestic international
debit credit
full-time part-time
one-way round-trip
employer employee
landlord tenant
insurer policyholder
teacher pupil
teachers pupils
doctor patient
doctors patients
buyer seller
lender borrower
claimant defendant
plaintiff defendant
appellant respondent
creditor debtor
donor donee
captain copilot
goalkeeper striker
sender recipient
approved rejected denied
eligible ineligible
valid invalid
online offline onsite
directly indirectly
beforehand afterwards
verdoppelt verdreifacht vervierfacht halbiert
täglich wöchentlich monatlich jährlich
netto brutto
quotidien hebdomadaire mensuel annuel
diario semanal mensual anual
günlük haftalık aylık yıllık
schriftlich mündlich
schriftliche mündliche
käufer verkäufer
mieter vermieter
arbeitgeber arbeitnehmer
kläger beklagte beklagter
kläger beklagten
gläubiger schuldner
acheteur vendeur
locataire bailleur
employeur salarié
demandeur défendeur
créancier débiteur
commandant copilote
écrit oral
comprador vendedor
arrendador arrendatario
empleador empleado
demandante demandado
acreedor deudor
escrito verbal
alıcı satıcı
kiracı kiralayan
davacı davalı
alacaklı borçlu
yazılı sözlü
"""
