"""How a widget starts asynchronous work without owning the loop.

The window hands in the function; it owns the task, names it and ends it when the window closes.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

Spawn = Callable[[Coroutine[Any, Any, None]], object]


def starting(spawn: Spawn, work: Callable[..., Coroutine[Any, Any, Any]], *values: object) -> Callable[..., None]:
    """A slot that starts `work(*values, …)`, with what the signal brings behind the values."""
    return partial(_start, spawn, work, *values)


def _start(spawn: Spawn, work: Callable[..., Coroutine[Any, Any, Any]], *values: object) -> None:
    spawn(work(*values))
