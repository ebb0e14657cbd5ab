"""Renderers of card kinds that plug-ins bring (`triptych.cards`): loaded here, because only the window draws.

One that cannot be loaded, raises, or gives no widget is named and left out; its cards are listed by their keys.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import EntryPoint
from typing import Any

from PySide6.QtWidgets import QWidget

from app.core.detached import contained
from app.services.tools.plugins import PluginFault, loaded
from app.ui.theme import Theme

_log = logging.getLogger(__name__)
Renderer = Callable[[Mapping[str, Any], Theme], QWidget]
_renderers: dict[str, Renderer] = {}
_listeners: list[Callable[[PluginFault], None]] = []


def load(points: Iterable[EntryPoint], taken: Iterable[str]) -> list[PluginFault]:
    """The name of an entry point is the kind of card it draws; `taken` are the kinds of our own."""
    faults: list[PluginFault] = []
    own = set(taken)
    for kind, value in loaded("cards", faults, lambda _group: points):
        if kind in own:
            faults.append(PluginFault("cards", kind, f"ValueError: there is a card {kind} already"))
        elif not callable(value):
            faults.append(PluginFault("cards", kind, "TypeError: a card plug-in is a function of payload and theme"))
        else:
            _renderers[kind] = value
    return faults


def listen(listener: Callable[[PluginFault], None]) -> Callable[[], None]:
    """Told of a renderer that failed while it drew. Returns how to stop."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def forget() -> None:
    """As if none had been loaded."""
    _renderers.clear()


def drawn(kind: str, payload: Mapping[str, Any], theme: Theme) -> QWidget | None:
    """The plug-in's widget; None where there is no plug-in for this kind, or none that works."""
    renderer = _renderers.get(kind)
    if renderer is None:
        return None
    try:
        with contained():
            widget = renderer(payload, theme)
        if not isinstance(widget, QWidget):
            raise TypeError(f"{type(widget).__name__} is no widget")
    except Exception as error:  # noqa: BLE001  a plug-in's code may raise anything; its card is listed instead
        _log.warning("the card %s of a plug-in is left out", kind, exc_info=True)
        del _renderers[kind]
        for listener in tuple(_listeners):
            listener(PluginFault("cards", kind, f"{type(error).__name__}: {error}"[:300]))
        return None
    return widget
