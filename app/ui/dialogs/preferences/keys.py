"""The sheet of keys: what can be done without the mouse, and with which keys.

It is for reading; "Change" turns the keys into fields. Esc closes it, also from a field.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QGridLayout,
    QKeySequenceEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core.text.i18n import _
from app.ui.actions import COMMANDS, WindowCommand, apply_shortcuts, default_keys
from app.ui.dialogs.preferences.hotkey_row import HotkeyRow
from app.ui.dialogs.preferences.keys_field import KeysField
from app.ui.dialogs.settings.page import SettingsPage
from app.ui.theme import Theme
from app.ui.widgets.fields.search_field import dress_clear_button
from app.ui.widgets.layout.flow import FlowRow
from app.ui.widgets.layout.page_area import PageArea
from app.ui.widgets.safe_text import SafeLabel

_PORTABLE = QKeySequence.SequenceFormat.PortableText
_NATIVE = QKeySequence.SequenceFormat.NativeText


class KeysPage(SettingsPage):
    changed = Signal(dict)
    """All keys that differ from the usual ones, at every change."""

    def __init__(
        self,
        theme: Theme,
        actions: Mapping[str, QAction],
        own: Mapping[str, str],
        parent: QWidget | None = None,
        *,
        send_key: str = "enter",
        hotkey: HotkeyRow | None = None,
    ) -> None:
        """`hotkey`: the keys of the whole desktop, below those of the window."""
        super().__init__(theme, parent)
        self.setObjectName("keysPage")
        self._actions, self._changed = actions, dict(own)
        self._commands = [one for one in COMMANDS if one.id in actions and not one.is_numbered]
        self.edits: dict[str, KeysField] = {}
        self.shown: dict[str, SafeLabel] = {}
        """The keys to read, in the places of the fields."""
        self.told = SafeLabel(role="error", parent=self)
        self.told.setWordWrap(True)
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, theme.space(0.25), 0)
        grid.setHorizontalSpacing(theme.space(1))
        grid.setVerticalSpacing(theme.space(0.75))
        grid.setColumnStretch(0, 1)
        for place, command in enumerate(self._commands):
            grid.addWidget(_wrapping(SafeLabel(actions[command.id].text())), place, 0)
            label = self.shown[command.id] = SafeLabel(role="meta")
            grid.addWidget(label, place, 1)
            grid.addWidget(self._edit(theme, command), place, 1)
        for place, (text, keys) in enumerate(_fixed(send_key), len(self._commands)):
            grid.addWidget(_wrapping(SafeLabel(text)), place, 0)
            grid.addWidget(_wrapping(SafeLabel(keys, role="meta")), place, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(2), theme.space(2))
        layout.setSpacing(theme.space(1.5))
        layout.addWidget(_wrapping(SafeLabel(_("Keyboard shortcuts"), role="title")))
        layout.addWidget(PageArea(inside), 1)
        layout.addWidget(self.told)
        if hotkey is not None:
            layout.addWidget(hotkey)
        layout.addWidget(self._buttons(theme))

    def reset(self) -> None:
        """All keys as they were at first."""
        self._changed = {}
        apply_shortcuts(self._actions, {})
        for command in self._commands:
            self._show(command)
        self.told.setText("")
        self.changed.emit({})

    def _edit(self, theme: Theme, command: WindowCommand) -> QKeySequenceEdit:
        edit = self.edits[command.id] = KeysField()
        edit.hide()
        edit.setMaximumSequenceLength(1)
        edit.setClearButtonEnabled(True)
        dress_clear_button(edit, theme)
        edit.setMinimumWidth(theme.space(12))
        edit.setAccessibleName(_("Keys for {command}").format(command=self._actions[command.id].text()))
        self._show(command)
        edit.editingFinished.connect(partial(self._take, command))
        return edit

    def _show(self, command: WindowCommand) -> None:
        keys = self._actions[command.id].shortcuts()
        self.edits[command.id].setKeySequence(keys[0] if keys else QKeySequence())
        self.shown[command.id].setText(keys[0].toString(_NATIVE) if keys else "")

    def _begin_change(self) -> None:
        self._change.hide()
        for command in self._commands:
            self.shown[command.id].hide()
            self.edits[command.id].show()
        self.edits[self._commands[0].id].setFocus(Qt.FocusReason.OtherFocusReason)

    def _take(self, command: WindowCommand) -> None:
        keys = self.edits[command.id].keySequence()
        before = self._actions[command.id].shortcuts()
        if keys in before or (keys.isEmpty() and not before):
            return
        taken = next((one for id, one in self._actions.items() if id != command.id and keys in one.shortcuts()), None)
        if taken is not None and not keys.isEmpty():
            words = _("{keys} is taken by “{command}”.")
            self.told.setText(words.format(keys=keys.toString(_NATIVE), command=taken.text()))
            self._show(command)
            return
        self.told.setText("")
        self.shown[command.id].setText(keys.toString(_NATIVE))
        self._changed[command.id] = keys.toString(_PORTABLE)
        if [keys] == default_keys(command):
            del self._changed[command.id]
        apply_shortcuts(self._actions, self._changed)
        self.changed.emit(dict(self._changed))

    def _buttons(self, theme: Theme) -> FlowRow:
        row = FlowRow(theme.space(1))
        self._change = QPushButton(_("Change"))
        self._change.setObjectName("changeKeys")
        self._change.clicked.connect(self._begin_change)
        reset = QPushButton(_("Restore defaults"))
        for button in (self._change, reset):
            # Enter belongs to the field in which keys are pressed.
            button.setAutoDefault(False)
            button.setAccessibleName(button.text())
        reset.setObjectName("resetKeys")
        reset.clicked.connect(self.reset)
        row.add(self._change)
        row.add(reset)
        return row


def _wrapping(label: SafeLabel) -> SafeLabel:
    label.setWordWrap(True)
    return label


def _fixed(send_key: str) -> list[tuple[str, str]]:
    """The nine sessions as one line, and the composer's own keys; which one sends is a preference."""
    send, line = ("Ctrl+Enter", "Enter") if send_key == "ctrl_enter" else ("Enter", "Shift+Enter")
    return [
        (_("Go to one of the first nine sessions"), "Ctrl+1 … Ctrl+9"),
        (_("Send"), send),
        (_("New line"), line),
        (_("Earlier and later messages you sent"), "Ctrl+↑  Ctrl+↓"),
    ]
