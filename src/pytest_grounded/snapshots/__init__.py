"""Approved traces: what a case's system did, kept beside the cases, compared by what a change means.

`trace` makes the canonical trace, `writer` its text, `store` keeps it, `classify` says what changed, `render` shows
it, `policy` says what follows from it.
"""
