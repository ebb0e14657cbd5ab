"""Which theme is on: the person's choice, else the desktop's, followed while the window is open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.ui.theme import Theme, apply, resolve

Choice = Literal["system", "light", "dark"]
ZOOM_LEAST, ZOOM_MOST = 60, 250


class Look:
    def __init__(self, app: QApplication, choice: str, zoom: int) -> None:
        self._app = app
        self._choice = _choice(choice)
        self._zoom = zoom
        self._is_changing = False
        self._changed: Callable[[Theme], None] = lambda _theme: None
        self.theme = self._made()
        app.styleHints().colorSchemeChanged.connect(self._desktop_changed)

    @property
    def zoom(self) -> int:
        return self._zoom

    def listen(self, changed: Callable[[Theme], None]) -> None:
        self._changed = changed

    def set(self, choice: str, zoom: int) -> None:
        zoom = min(ZOOM_MOST, max(ZOOM_LEAST, zoom))
        if (_choice(choice), zoom) != (self._choice, self._zoom):
            self._choice, self._zoom = _choice(choice), zoom
            self._change()

    def put_on(self) -> None:
        """Dress the application. Dressing a finished window once is cheaper than each widget as it is made."""
        self._is_changing = True
        apply(self._app, self.theme)
        if self._choice == "system":
            # Else what we set would be taken for the desktop's own answer.
            self._app.styleHints().unsetColorScheme()
        self._is_changing = False

    def _made(self) -> Theme:
        return Theme(resolve(self._choice), self._zoom / 100)

    def _change(self) -> None:
        self.theme = self._made()
        self.put_on()
        self._changed(self.theme)

    def _desktop_changed(self, _scheme: Qt.ColorScheme) -> None:
        if self._is_changing or self._choice != "system":
            return
        if resolve("system") != self.theme.scheme:
            self._change()


def _choice(text: str) -> Choice:
    return "light" if text == "light" else "dark" if text == "dark" else "system"
