"""Every check this version builds over a judged case, in the order they are reported.

Leaks have a verdict of their own and are judged beside these.
"""

from __future__ import annotations

from pytest_grounded.checks.actions import check_actions
from pytest_grounded.checks.base import Check
from pytest_grounded.checks.caches import check_caches
from pytest_grounded.checks.catalogue import CATALOGUE, CheckInfo
from pytest_grounded.checks.citations import check_citations
from pytest_grounded.checks.claims import check_claims
from pytest_grounded.checks.conflicts import check_conflicts
from pytest_grounded.checks.decisions import check_decisions
from pytest_grounded.checks.derivations import check_derivations
from pytest_grounded.checks.forbidden import check_forbidden
from pytest_grounded.checks.injections import check_injections
from pytest_grounded.checks.links import check_links
from pytest_grounded.checks.missing import check_missing
from pytest_grounded.checks.next_steps import check_next_step
from pytest_grounded.checks.numbers import check_numbers
from pytest_grounded.checks.outputs import check_outputs
from pytest_grounded.checks.polarities import check_polarities
from pytest_grounded.checks.quotes import check_quotes
from pytest_grounded.checks.reasons import check_reasons
from pytest_grounded.checks.seen import check_seen
from pytest_grounded.checks.slots import check_slots
from pytest_grounded.checks.stages import check_stages
from pytest_grounded.checks.stale_values import check_stale_values
from pytest_grounded.checks.streams import check_streams
from pytest_grounded.checks.uncited import check_uncited

__all__ = ["CATALOGUE", "DEFAULT_CHECKS", "CheckInfo"]

DEFAULT_CHECKS: tuple[Check, ...] = (
    check_outputs,
    check_decisions,
    check_reasons,
    check_citations,
    check_quotes,
    check_numbers,
    check_derivations,
    check_claims,
    check_polarities,
    check_stale_values,
    check_uncited,
    check_slots,
    check_missing,
    check_conflicts,
    check_forbidden,
    check_injections,
    check_seen,
    check_links,
    check_streams,
    check_actions,
    check_caches,
    check_next_step,
    check_stages,
)
"""Run in this order: what is wrong with the decision is said first."""
