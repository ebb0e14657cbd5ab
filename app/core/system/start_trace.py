"""What a start takes: moments by name, and what each module cost to load, without the modules it loads itself."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class StartTrace:
    """A finder in front of all others; the loaders it finds are timed."""

    def __init__(self) -> None:
        self._began = self._last = time.perf_counter()
        self.moments: list[tuple[str, float]] = []
        """Name and seconds since the one before."""
        self.loaded: list[tuple[str, float, str]] = []
        """Module, own seconds, thread."""
        self._open = threading.local()

    def mark(self, name: str) -> None:
        now = time.perf_counter()
        self.moments.append((name, now - self._last))
        self._last = now

    @property
    def seconds(self) -> float:
        return self._last - self._began

    def begin(self) -> None:
        sys.meta_path.insert(0, self)

    def end(self) -> None:
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def by_room(self, thread: str | None = None) -> list[tuple[str, float, int]]:
        """Seconds and number of modules of each library, and of each room of the program; the dearest first."""
        sums: dict[str, tuple[float, int]] = {}
        for name, seconds, where in self.loaded:
            if thread in (None, where):
                parts = name.split(".")
                room = ".".join(parts[:3]) if parts[0] == "app" else parts[0]
                before, count = sums.get(room, (0.0, 0))
                sums[room] = before + seconds, count + 1
        return sorted(((room, *found) for room, found in sums.items()), key=_seconds, reverse=True)

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            if finder is self or find is None:
                continue
            spec: ModuleSpec | None = find(name, path, target)
            if spec is not None:
                self._time(spec)
                return spec
        return None

    def _time(self, spec: ModuleSpec) -> None:
        loader = spec.loader
        # Those built into Python are classes, shared by all modules, and cost nothing.
        if loader is not None and not isinstance(loader, type) and hasattr(loader, "exec_module"):
            loader.exec_module = partial(self._load, spec.name, loader.exec_module)  # type: ignore[method-assign]

    def _load(self, name: str, load: Callable[[ModuleType], None], module: ModuleType) -> None:
        below: list[float] = getattr(self._open, "below", [])
        self._open.below = []
        began = time.perf_counter()
        try:
            load(module)
        finally:
            whole = time.perf_counter() - began
            self.loaded.append((name, whole - sum(self._open.below), threading.current_thread().name))
            self._open.below = [*below, whole]


def _seconds(room: tuple[str, float, int]) -> float:
    return room[1]
