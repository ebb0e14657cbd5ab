"""One search service: whether and where in the order it is asked, its key or address, its test."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.services.web.search import KeyState, SearchServiceEntry
from app.ui.theme import Theme
from app.ui.widgets.layout.flow import FlowRow
from app.ui.widgets.safe_text import SafeLabel


class ServiceRow(QWidget):
    switched = Signal(str, bool)
    raised = Signal(str)
    key_given = Signal(str, str)
    address_given = Signal(str, str)
    test_wanted = Signal(str)

    def __init__(self, entry: SearchServiceEntry, theme: Theme, *, is_search: bool) -> None:
        super().__init__()
        self.id, self.takes_key = entry.id, entry.needs_key
        self.box = QCheckBox(entry.label if is_search else "", self)
        self.box.setVisible(is_search)
        self.box.setAccessibleName(_("Ask {service}").format(service=entry.label))
        self.box.toggled.connect(partial(self.switched.emit, self.id))
        self.place = SafeLabel("", role="meta")
        self.up, self.test = QPushButton(_("Move up"), self), QPushButton(_("Test"), self)
        self.up.setProperty("kind", "link")
        self.up.clicked.connect(partial(self.raised.emit, self.id))
        self.test.setVisible(is_search)
        self.test.setAccessibleName(_("Test {service}").format(service=entry.label))
        self.test.clicked.connect(partial(self.test_wanted.emit, self.id))
        self.key = QLineEdit()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setAccessibleName(_("Key of {service}").format(service=entry.label))
        self.key.setPlaceholderText(_("Key"))
        self.save = QPushButton(_("Keep the key"))
        self.save.clicked.connect(self._give_key)
        self.key.returnPressed.connect(self._give_key)
        self.address = QLineEdit()
        self.address.setAccessibleName(_("Address of {service}").format(service=entry.label))
        self.address.editingFinished.connect(self._give_address)
        self.help, self.told = SafeLabel(entry.help, role="meta"), SafeLabel("", role="meta")
        for label in (self.help, self.told):
            label.setWordWrap(True)
        for button in (self.up, self.test, self.save):
            button.setAutoDefault(False)
        head, key = FlowRow(theme.space(1)), FlowRow(theme.space(1))
        head.add(self.box if is_search else SafeLabel(entry.label))
        head.add_growing(self.place)
        head.add(self.up)
        head.add(self.test)
        key.add_growing(self.key)
        key.add(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space(0.5))
        column.addWidget(head)
        column.addWidget(key)
        for widget in (self.address, self.help, self.told):
            column.addWidget(widget)
        self.show_entry(entry)

    def show_entry(self, entry: SearchServiceEntry) -> None:
        self._entry = entry
        blocked = self.box.blockSignals(True)
        self.box.setChecked(entry.place > 0)
        self.box.blockSignals(blocked)
        self.place.setText(_("asked as number {n}").format(n=entry.place) if entry.place else "")
        self.up.setVisible(entry.place > 1)
        self.key.setVisible(entry.needs_key)
        self.save.setVisible(entry.needs_key)
        # A service without an address of its own has to be given one; the others may be asked at another.
        self.address.setVisible(not entry.id.startswith("mcp:"))
        self.address.setPlaceholderText(entry.usual_address or "https://")
        if not self.address.hasFocus():
            self.address.setText(entry.address if entry.address != entry.usual_address else "")
        self.help.setVisible(bool(entry.help))
        self.told.setVisible(bool(self.told.text()))

    def show_key(self, state: KeyState) -> None:
        words = {"there": _("A key is kept; type another to replace it"), "unreadable": _("The key cannot be read now")}
        self.key.setPlaceholderText(words.get(state, _("Key")))

    def show_test(self, text: str, *, is_fine: bool) -> None:
        self.told.setProperty("role", "meta" if is_fine else "error")
        self.told.style().unpolish(self.told)
        self.told.style().polish(self.told)
        self.told.setText(text)
        self.told.setVisible(bool(text))

    def _give_key(self) -> None:
        if key := self.key.text().strip():
            self.key.clear()
            self.key_given.emit(self.id, key)

    def _give_address(self) -> None:
        typed = self.address.text().strip()
        stored = self._entry.address if self._entry.address != self._entry.usual_address else ""
        if typed != stored:
            self.address_given.emit(self.id, typed)
