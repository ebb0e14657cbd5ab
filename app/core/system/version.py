"""The version of the program."""

from __future__ import annotations

_UNINSTALLED = "0.1.0"
"""Of a bundle, and of a checkout that was never installed: that of pyproject.toml."""


def version() -> str:
    from importlib import metadata  # slow to load

    try:
        return metadata.version("triptych")
    except metadata.PackageNotFoundError:
        return _UNINSTALLED
