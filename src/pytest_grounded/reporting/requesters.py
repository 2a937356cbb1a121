"""Who asked, in the words that a failure, a trace and the telling of an incident share."""

from __future__ import annotations

from pytest_grounded.model.evidence import Requester

__all__ = ["described_requester"]


def described_requester(requester: Requester) -> str:
    """The name and everything that decides what may be read and what applies.

    >>> described_requester(Requester(id="ann", groups=("staff",), audience=("employee",), scope={"region": "EU"}))
    'ann, audience employee, groups staff, region EU'
    >>> described_requester(Requester(id="reader")), described_requester(Requester(groups=("staff",)))
    ('reader, no groups', 'a requester without a name, groups staff')
    """
    parts = [requester.id or "a requester without a name"]
    if requester.audience:
        parts.append(f"audience {'/'.join(requester.audience)}")
    parts.append(f"groups {'/'.join(requester.groups)}" if requester.groups else "no groups")
    if requester.tenant:
        parts.append(f"tenant {requester.tenant}")
    parts += [f"{key} {value}" for key, value in requester.scope.items()]
    return ", ".join(parts)
