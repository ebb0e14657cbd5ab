"""The keys that open quick ask from any program; or, where a program cannot have them, how to set them up."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.dialogs.preferences.keys_field import KeysField
from app.ui.hotkey.combination import combination_of
from app.ui.hotkey.controller import GlobalHotkey
from app.ui.theme import Theme
from app.ui.widgets.fields.search_field import dress_clear_button
from app.ui.widgets.safe_text import SafeLabel

_PORTABLE = QKeySequence.SequenceFormat.PortableText
_NATIVE = QKeySequence.SequenceFormat.NativeText


class HotkeyRow(QWidget):
    chosen = Signal(str)
    """Keys in Qt's portable form; "" = none."""

    def __init__(self, theme: Theme, hotkey: GlobalHotkey, keys: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = keys
        title = SafeLabel(_("Quick ask from any program"))
        self.told = SafeLabel(role="meta")
        self.told.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space(0.5))
        row = QHBoxLayout()
        row.addWidget(title, 1)
        column.addLayout(row)
        column.addWidget(self.told)
        self.field = KeysField()
        if not hotkey.can_take:
            self.field.hide()
            self.told.setText(
                _("Programs cannot take keys here. Give a shortcut of your system this command: triptych --ask")
            )
            return
        self.field.setObjectName("hotkeyField")
        self.field.setMaximumSequenceLength(1)
        self.field.setClearButtonEnabled(True)
        dress_clear_button(self.field, theme)
        self.field.setMinimumWidth(theme.space(20))
        self.field.setAccessibleName(title.full_text())
        self.field.setKeySequence(QKeySequence(keys, _PORTABLE))
        self.field.editingFinished.connect(self._take)
        row.addWidget(self.field)
        self._tell(is_ours=True)
        hotkey.judged.connect(self._judged)

    def _take(self) -> None:
        keys = self.field.keySequence().toString(_PORTABLE)
        if keys == self._keys:
            return
        if keys and combination_of(keys) is None:
            self.told.setText(_("Take a letter, digit or sign with Ctrl, Alt or the system key, or a function key."))
            self.field.setKeySequence(QKeySequence(self._keys, _PORTABLE))
            return
        self._keys = keys
        self.chosen.emit(keys)

    def _judged(self, keys: str, is_ours: bool) -> None:
        if shiboken6.isValid(self) and keys == self._keys:
            self._tell(is_ours=is_ours)

    def _tell(self, *, is_ours: bool) -> None:
        if self._keys and not is_ours:
            keys = QKeySequence(self._keys, _PORTABLE).toString(_NATIVE)
            self.told.setText(_("{keys} is taken by another program.").format(keys=keys))
        else:
            self.told.setText(_("Off until you press keys here. They count while Triptych runs, whatever is in front."))
