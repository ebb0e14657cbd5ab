"""The process around the window: its loop, its threads, its start, its shutdown.

`main` comes in here with a `FirstLook` and a way to start the services; out comes an
`Application`. The only room that knows qasync. It leaves what the window shows to `main_window`.

`TriptychLoop` is fetched on first use: it drags asyncio and qasync in, and neither is wanted
before the first paint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .app import Application
    from .loop import TriptychLoop

__all__ = ["Application", "TriptychLoop"]


def __getattr__(name: str) -> object:
    if name == "TriptychLoop":
        from .loop import TriptychLoop

        return TriptychLoop
    if name == "Application":
        from .quick_imports import quicken_imports

        quicken_imports()
        from .app import Application

        return Application
    raise AttributeError(name)
