"""Domains that begin without their code, and the imports of one in the window's thread, which stall the window."""

from __future__ import annotations

import sys
import threading
from importlib import import_module
from pathlib import Path
from types import FrameType, ModuleType

import pytest

from app.core.domain import Domain, DomainByName
from app.core.resources import domain_dir
from app.domains import NAMES

TESTS = str(Path(__file__).resolve().parents[1])
WINDOW = str(Path(TESTS).parent / "app" / "ui")
LOOP = str(Path(WINDOW) / "application" / "loop.py")


class DomainImports:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.by_window: list[str] = []
        """Who made the window's thread import one; what a test calls itself does not count."""
        monkeypatch.setattr("app.core.domain.import_module", self._import)

    def fresh(self) -> tuple[Domain, ...]:
        """As after the start of a process."""
        return tuple(DomainByName.at(id, domain_dir(id), f"app.domains.{id}") for id in NAMES)

    def _import(self, name: str) -> ModuleType:
        if threading.current_thread() is threading.main_thread() and (way := _way(sys._getframe(1))):
            self.by_window.append(f"{name} by {' < '.join(way)}")
        return import_module(name)


def _way(frame: FrameType | None) -> list[str]:
    """The functions that led to an import, innermost first; none where a test has called a service itself."""
    way: list[str] = []
    is_window = False
    while frame is not None and (file := frame.f_code.co_filename) != LOOP:
        if file.startswith(TESTS):
            return way if is_window else []
        is_window = is_window or file.startswith(WINDOW)
        way.append(f"{Path(file).stem}:{frame.f_lineno} {frame.f_code.co_name}")
        frame = frame.f_back
    return way
