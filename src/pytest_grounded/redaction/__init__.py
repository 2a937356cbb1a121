"""Takes out of everything that is written what its reader may not see, and makes the rest harmless to print."""

from pytest_grounded.redaction.neutral import neutral_json, neutralise
from pytest_grounded.redaction.redactor import Redactor, redacted
from pytest_grounded.redaction.secrets import Secret, find_secrets, mask_secrets

__all__ = ["Redactor", "Secret", "find_secrets", "mask_secrets", "neutral_json", "neutralise", "redacted"]
