"""Synthetic stand-ins: what must not be committed is replaced by made-up text of the same shape, alike everywhere."""

from pytest_grounded.incidents.standins.disguise import Disguise, StandIn
from pytest_grounded.incidents.standins.personal import Found, find_personal

__all__ = ["Disguise", "Found", "StandIn", "find_personal"]
