"""A font family of this computer, or the usual one."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QListView

from app.core.setting import SettingInfo
from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import CalmCombo, Editor


class FontEditor(Editor):
    def __init__(self, info: SettingInfo, theme: Theme) -> None:
        self._combo = CalmCombo()
        super().__init__(self._combo)
        # A long list that scrolls, not a menu as high as the screen.
        self._combo.setView(QListView())
        self._combo.setMaxVisibleItems(14)
        self._combo.addItem(_("Default"), "")
        for family in _families(fixed=info.name == "code_font"):
            self._combo.addItem(family, family)
        self._combo.prefer_width(theme.space(28), is_most=True)
        self.row.addStretch(1)
        self._combo.currentIndexChanged.connect(self._show)

    def value(self) -> str:
        return str(self._combo.currentData() or "")

    def set_value(self, value: Any) -> None:
        index = self._combo.findData(str(value or ""))
        if index < 0:
            # Of another computer, or taken away since: kept and shown as it is.
            self._combo.addItem(str(value), str(value))
            index = self._combo.count() - 1
        self._combo.setCurrentIndex(index)

    def _show(self) -> None:
        """The chosen name in its own letters."""
        font = QFont(self.font())
        if family := self.value():
            font.setFamilies([family, *font.families()])
        self._combo.setFont(font)
        self.changed.emit()


def _families(*, fixed: bool) -> list[str]:
    families = [name for name in QFontDatabase.families() if not QFontDatabase.isPrivateFamily(name)]
    return [name for name in families if not fixed or QFontDatabase.isFixedPitch(name)]
