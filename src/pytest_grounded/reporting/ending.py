"""How a command ends that was stopped, cannot use its input, or whose output nobody reads on: a line and an exit code.

Exit codes: 0 fine, 1 findings, 2 unusable input, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TypeVar

from pytest_grounded.errors import GroundedError
from pytest_grounded.reporting.streams import escape_what_cannot_be_shown

__all__ = ["FINE", "STOPPED", "UNUSABLE", "ended"]

FINE, UNUSABLE, STOPPED = 0, 2, 130
_Arguments = TypeVar("_Arguments")


def ended(read: Callable[[], _Arguments], run: Callable[[_Arguments], int]) -> int:
    """The exit code of a command: that of `run`, given what `read` makes of the command line, unless it ends earlier.

    >>> ended(lambda: 1, lambda found: found)
    1
    """
    escape_what_cannot_be_shown()
    try:
        return run(read())
    except GroundedError as error:
        _say(str(error))
        return UNUSABLE
    except KeyboardInterrupt:
        sys.stderr.write("\nstopped\n")  # below the ^C that the terminal shows
        return STOPPED
    except BrokenPipeError:
        # The reader of our output went away (`| head`); say nothing more, also not at interpreter exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except OSError as error:
        # A command says itself which of its files cannot be read or written; what is left is where it prints to.
        _say(f"{error.filename or 'standard output'}: {error.strerror or error}")
        return UNUSABLE


def _say(message: str) -> None:
    from pytest_grounded.redaction import neutralise

    sys.stderr.write(neutralise(message, tags=False) + "\n")  # names of files and options stand in it as given
