"""How a widget starts asynchronous work without owning the loop.

The window hands in the function; it owns the task, names it and ends it when the window closes.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

Spawn = Callable[[Coroutine[Any, Any, None]], object]
