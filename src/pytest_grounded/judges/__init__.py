"""Support judges: does what is cited, read together, support a claim? Measuring instruments, each with an error rate.

A judge is anything with a name, a version and `judge(claim, evidence)` (`model.support.SupportJudge`). Here are those
that come with the package, what keeps their verdicts, and the rule by which several calls become one ruling. How good
a judge is `pytest-grounded judge` measures.
"""
