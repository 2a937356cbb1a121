"""Calibration: how far may a score be trusted, and where should a system stop answering? Arrays in, small results out.

One module per question. Every function says what it assumes, what it does with ties, and what is undefined: such a
value is None, never 0 or 1, and the result's `undefined` says why. Plain Python; nothing here reads a clock or the
global random state.
"""
