"""The version of the library, as it names itself to the gateway; pyproject.toml has the same."""

VERSION = "0.1.0"
