"""Whether a value was given that only chunks give which are not in force, or do not apply to the requester."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounded.checks.base import Judged, report
from pytest_grounded.checks.statements import stale_statements
from pytest_grounded.checks.wording import listing, quoted, standing
from pytest_grounded.model.finding import Observation
from pytest_grounded.model.vocabulary import Owner

__all__ = ["check_stale_values"]


def check_stale_values(judged: Judged) -> Iterator[Observation]:
    """Report values that no chunk in force gives. A disclaimer beside them does not help: a number is taken as one."""
    supplied = frozenset(judged.internal.evidence or ())
    for statement in stale_statements(judged):
        chunks = [judged.view.readable[chunk_id] for chunk_id in statement.chunks]
        why = listing(f"{chunk.id} ({standing(judged.view, chunk)})" for chunk in chunks)
        owner = Owner.RETRIEVAL if supplied.intersection(statement.chunks) else Owner.GENERATION
        message = f"{quoted(statement.value)} is given only by {why}"
        yield report("claim.stale_value", message, field=statement.path, chunks=statement.chunks, owner=owner)
