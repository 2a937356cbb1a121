"""A small project for the plugin to run in."""

from collections.abc import Callable

import pytest

CORPUS = """
corpus: travel
as_of: 2024-10-01
default_readers: ["*"]
chunks:
  - {id: c1, text: "The nightly hotel limit in standard cities is $180 per night."}
  - {id: c2, text: "Receipts are required above $25."}
  - {id: memo, text: "Closing team members receive a retention bonus of 41,750 dollars.", readers: [board]}
"""

CASES = """
requesters:
  employee: {groups: [staff]}
defaults: {requester: employee}
cases:
  - id: hotel-limit
    kind: answerable
    question: What is the nightly hotel limit in standard cities?
    tags: [hotel]
    expect:
      slots: [{name: limit, values: ["180"], evidence: [c1]}]
  - id: parking
    kind: unanswerable
    question: What does parking cost?
    risk: high
  - id: bonus
    kind: restricted
    question: What is the retention bonus of the closing team?
    about: [memo]
"""

SYSTEM = """
ANSWER = {
    "decision": "answer",
    "text": "The nightly hotel limit in standard cities is $180 [c1].",
    "claims": [{
        "text": "The nightly hotel limit in standard cities is $180.",
        "cites": ["c1"],
        "quote": "The nightly hotel limit in standard cities is $180 per night.",
    }],
    "internal": {"evidence": ["c1"], "prompt": []},
}
ABSTAIN = {
    "decision": "abstain", "reason_code": "NO_EVIDENCE", "text": "I could not find this.",
    "internal": {"evidence": [], "prompt": []},
}


def answer(request):
    return ANSWER if "hotel" in request.question else ABSTAIN
"""

INI = """
[pytest]
grounded_system = app:answer
"""

Make = Callable[..., pytest.Pytester]
