"""Copying, for buttons that do nothing else."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QGuiApplication


def copy_text(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def copy_current(text: Callable[[], str]) -> None:
    """What `text` gives at the moment of the click."""
    copy_text(text())
