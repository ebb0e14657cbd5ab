"""A theme as the widgets see it, and how the application puts one on."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPixmap
from PySide6.QtWidgets import QApplication

from app.ui.theme import fonts, tokens
from app.ui.theme.icons import IconBook
from app.ui.theme.palette import palette_of
from app.ui.theme.sheet import style_sheet

Scheme = Literal["light", "dark"]
Choice = Literal["system", "light", "dark"]


class Theme:
    """Colours, sizes, fonts and icons at one zoom. Immutable: a change makes a new one."""

    def __init__(self, scheme: Scheme = "light", zoom: float = 1.0) -> None:
        self.scheme: Scheme = scheme
        self.zoom = min(fonts.MAX_ZOOM, max(fonts.MIN_ZOOM, zoom))
        self.tokens = tokens.DARK if scheme == "dark" else tokens.LIGHT
        self._icons = IconBook()

    def size(self, role: fonts.Role) -> int:
        """Pixels of the text of that role."""
        return fonts.pixel_size(role, self.zoom)

    def space(self, steps: float) -> int:
        """Pixels of so many steps of the 8-pixel grid."""
        return round(steps * tokens.GRID * self.zoom)

    def font(self, role: fonts.Role, *, strong: bool = False) -> QFont:
        return fonts.make_font(role, self.zoom, self.tokens.strong_weight if strong else 400)

    def color(self, token: str) -> QColor:
        return QColor(self._value(token))

    def icon(self, name: str, token: str = "muted", size: int = 16) -> QIcon:
        edge = round(size * self.zoom)
        return self._icons.icon(name, self._value(token), edge, disabled=self.tokens.outline)

    def pixmap(self, name: str, token: str = "muted", size: int = 16, *, ratio: float = 1.0) -> QPixmap:
        return self._icons.pixmap(name, self._value(token), round(size * self.zoom), ratio)

    def _value(self, token: str) -> str:
        value = getattr(self.tokens, token)
        if not isinstance(value, str):
            raise TypeError(f"{token} is not a colour")
        return value


def resolve(choice: Choice, unknown: Scheme = "light") -> Scheme:
    """Which of the two a choice means now. Where Qt does not know the desktop's, `unknown`."""
    if choice != "system":
        return choice
    if QGuiApplication.instance() is None:
        return "light"
    scheme = QGuiApplication.styleHints().colorScheme()
    if scheme is Qt.ColorScheme.Unknown:
        return unknown
    return "dark" if scheme is Qt.ColorScheme.Dark else "light"


def apply(app: QApplication, theme: Theme) -> None:
    """Put the theme on every window. Text already painted in char formats is for its views to renew."""
    if not app.styleSheet() and not app.property("isFusion"):
        # Once: with a sheet Qt wraps the style and no longer names it. The application asks for it by argument,
        # because `setStyle` returns a QStyle, whose 600 names would then be made before the first paint.
        app.setStyle("Fusion")
    fonts.load_shipped()
    app.styleHints().setColorScheme(Qt.ColorScheme.Dark if theme.scheme == "dark" else Qt.ColorScheme.Light)
    app.setPalette(palette_of(theme.tokens))
    app.setFont(theme.font("ui"))
    sheet = style_sheet(theme.tokens, theme.zoom)
    if sheet != app.styleSheet():  # Qt would polish every widget again all the same
        app.setStyleSheet(sheet)
