"""The pytest entry point. Nothing heavy may be imported here."""
