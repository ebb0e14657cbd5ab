"""Which theme is on: the person's choice, else the desktop's, followed while the window is open."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.ui.application.portal import Portal
from app.ui.theme import Scheme, Theme, apply, resolve
from app.ui.theme.fonts import choose_families, load_shipped

Choice = Literal["system", "light", "dark"]
ZOOM_LEAST, ZOOM_MOST = 60, 250
_EFFECTS = (
    Qt.UIEffect.UI_AnimateMenu,
    Qt.UIEffect.UI_FadeMenu,
    Qt.UIEffect.UI_AnimateCombo,
    Qt.UIEffect.UI_AnimateTooltip,
    Qt.UIEffect.UI_FadeTooltip,
    Qt.UIEffect.UI_AnimateToolBox,
)


class Look:
    def __init__(
        self, app: QApplication, choice: str, zoom: int, *, fonts: tuple[str, str] = ("", ""), still: bool = False
    ) -> None:
        """`fonts` are the families of text and of code, "" = the usual ones; `still`: without motion."""
        self._app = app
        self._choice = _choice(choice)
        self._zoom = zoom
        self._fonts = fonts
        self._blink = app.cursorFlashTime()
        choose_families(*fonts)
        load_shipped()
        self._desktop_still = animations_are_off()
        self._calm(still)
        self._is_changing = False
        self._told: Scheme = "light"
        """The wish of the settings portal, which counts where Qt knows none."""
        self._portal: Portal | None = None
        self._changed: Callable[[Theme], None] = lambda _theme: None
        self.theme = self._made()
        # Before there are widgets: until the application runs, Qt tells none of them of another font.
        app.setFont(self.theme.font("ui"))
        app.styleHints().colorSchemeChanged.connect(self._desktop_changed)

    @property
    def zoom(self) -> int:
        return self._zoom

    def listen(self, changed: Callable[[Theme], None]) -> None:
        self._changed = changed

    def set(self, choice: str, zoom: int, *, fonts: tuple[str, str] = ("", ""), still: bool = False) -> None:
        zoom = min(ZOOM_MOST, max(ZOOM_LEAST, zoom))
        self._calm(still)
        if (_choice(choice), zoom, fonts) != (self._choice, self._zoom, self._fonts):
            self._choice, self._zoom, self._fonts = _choice(choice), zoom, fonts
            choose_families(*fonts)
            self._change()

    def _calm(self, still: bool) -> None:
        """By the person's setting, or by what the desktop was told."""
        self._wants_still = still
        still = still or self._desktop_still
        for effect in _EFFECTS:
            self._app.setEffectEnabled(effect, not still)
        self._app.setCursorFlashTime(0 if still else self._blink)

    def put_on(self) -> None:
        """Dress the application. Dressing a finished window once is cheaper than each widget as it is made."""
        self._is_changing = True
        apply(self._app, self.theme)
        if self._choice == "system":
            # Else what we set would be taken for the desktop's own answer.
            self._app.styleHints().unsetColorScheme()
        self._is_changing = False

    def _made(self) -> Theme:
        return Theme(resolve(self._choice, self._told), self._zoom / 100)

    def _change(self) -> None:
        self.theme = self._made()
        self.put_on()
        self._changed(self.theme)

    def _desktop_changed(self, _scheme: Qt.ColorScheme) -> None:
        if self._is_changing or self._choice != "system":
            return
        if resolve("system", self._told) != self.theme.scheme:
            self._change()

    def ask_desktop(self) -> None:
        """Where Qt does not know the desktop's wish, the settings portal may. After the first paint."""
        if self._portal is None:
            self._portal = Portal()
            if self._app.styleHints().colorScheme() is Qt.ColorScheme.Unknown:
                self._portal.told.connect(self._wish)
            self._portal.motion.connect(self._motion)
            self._portal.ask()

    def _motion(self, is_allowed: bool) -> None:
        self._desktop_still = not is_allowed
        self._calm(self._wants_still)

    def _wish(self, scheme: str) -> None:
        self._told = "dark" if scheme == "dark" else "light"
        if self._choice == "system" and resolve("system", self._told) != self.theme.scheme:
            self._change()


def animations_are_off() -> bool:
    """Windows: "Show animations" is off. Elsewhere the portal is asked, or nobody can be."""
    if sys.platform != "win32":
        return False
    import ctypes

    get_animation, shown = 0x1042, ctypes.c_int(1)  # SPI_GETCLIENTAREAANIMATION
    ctypes.windll.user32.SystemParametersInfoW(get_animation, 0, ctypes.byref(shown), 0)
    return not shown.value


def _choice(text: str) -> Choice:
    return "light" if text == "light" else "dark" if text == "dark" else "system"
