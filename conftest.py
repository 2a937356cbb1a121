"""What the project's own runs need: the pytester plugin. The system under test is named in pyproject.toml."""

pytest_plugins = ["pytester"]
collect_ignore = ["tests/data"]
