"""The models of a provider: those it lists, with a check box each, searched; or typed by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core.text.i18n import _, ngettext
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import CalmCombo
from app.ui.widgets.fields.search_field import SearchField
from app.ui.widgets.safe_text import SafeLabel, visible

_ID = Qt.ItemDataRole.UserRole
_ON, _OFF = Qt.CheckState.Checked, Qt.CheckState.Unchecked
_MOST_ROWS = 8
"""That are in sight at once; the rest is scrolled to."""


class ModelList(QListWidget):
    """A click anywhere on a row switches it, with Shift all rows from the last one; so does Space."""

    switched = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._last = theme, -1
        self.setObjectName("modelList")
        self.setAccessibleName(_("Models"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def add(self, model: str, *, is_on: bool) -> None:
        item = QListWidgetItem(visible(model))
        item.setData(_ID, model)
        # Not "user checkable": then the box alone would be hit, and the row would not.
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        item.setCheckState(_ON if is_on else _OFF)
        item.setSizeHint(QSize(0, self._theme.space(3.5)))
        self.addItem(item)

    def rows(self) -> list[QListWidgetItem]:
        return [self.item(row) for row in range(self.count())]

    def switch(self, row: int, *, whole_range: bool = False) -> None:
        state = _OFF if self.item(row).checkState() is _ON else _ON
        first = row
        if whole_range and 0 <= self._last < self.count():
            first, state = self._last, self.item(self._last).checkState()
        for place in range(min(first, row), max(first, row) + 1):
            if not self.item(place).isHidden():
                self.item(place).setCheckState(state)
        self._last = row
        self.switched.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        item = self.itemAt(event.position().toPoint())
        if item is not None and event.button() is Qt.MouseButton.LeftButton and self.isEnabled():
            held = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.switch(self.row(item), whole_range=held)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.currentRow() >= 0:
            held = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.switch(self.currentRow(), whole_range=held)
        else:
            super().keyPressEvent(event)


class ModelPicker(QWidget):
    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._default = ""
        self.all_box = QCheckBox(_("Select all"))
        self.all_box.setTristate(True)
        self.all_box.clicked.connect(self._switch_all)
        self.search = SearchField(theme, _("Search the models"))
        self.search.textChanged.connect(self._narrow)
        self.only = QPushButton(_("Selected only"))
        self.only.setCheckable(True)
        self.only.setAutoDefault(False)
        self.only.setProperty("kind", "quiet")
        self.only.toggled.connect(self._narrow)
        self.list = ModelList(theme)
        self.list.switched.connect(self._switched)
        self.by_hand = QLineEdit()
        self.by_hand.setPlaceholderText(_("Add a model by its name"))
        self.by_hand.setAccessibleName(_("Add a model by its name"))
        self.by_hand.returnPressed.connect(self._add_typed)
        self.default = CalmCombo()
        self.default.setAccessibleName(_("Default model"))
        self.default.activated.connect(self._choose_default)
        self.count = SafeLabel(role="meta")
        head = QHBoxLayout()
        head.setSpacing(theme.space(1))
        head.addWidget(self.all_box)
        head.addWidget(self.search, 1)
        head.addWidget(self.only)
        foot = QHBoxLayout()
        foot.setSpacing(theme.space(1))
        foot.addWidget(self.by_hand, 1)
        foot.addWidget(SafeLabel(_("Default"), role="meta"))
        foot.addWidget(self.default)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(1))
        layout.addLayout(head)
        layout.addWidget(self.list)
        layout.addWidget(self.count)
        layout.addLayout(foot)
        self.setFocusProxy(self.list)
        self.set_models(())

    def models(self) -> tuple[str, ...]:
        """Those that are selected, the default first."""
        checked = [str(item.data(_ID)) for item in self.list.rows() if item.checkState() is _ON]
        return tuple(sorted(checked, key=lambda model: model != self._default))

    def set_models(self, models: Sequence[str]) -> None:
        """These alone, all selected."""
        self._default = models[0] if models else ""
        self.only.setChecked(False)
        self.search.clear()
        self._fill(models, models)

    def choose(self, models: Sequence[str]) -> None:
        """Of what is listed, and beside it; the first is the default."""
        self._default = models[0] if models else ""
        self._fill([*(str(item.data(_ID)) for item in self.list.rows()), *models], models)

    def offer(self, listed: Sequence[str]) -> None:
        """What the provider lists, beside what is selected already."""
        chosen = self.models()
        self._fill([*chosen, *listed], chosen)

    def _fill(self, listed: Iterable[str], chosen: Sequence[str]) -> None:
        self.list.clear()
        for model in dict.fromkeys(listed):
            self.list.add(model, is_on=model in chosen)
        rows = min(max(self.list.count(), 2), _MOST_ROWS)
        self.list.setFixedHeight(rows * self._theme.space(3.5) + self._theme.space(0.5))
        self._narrow()
        self._arrange()

    def _narrow(self, *_args: object) -> None:
        words = self.search.text().casefold().split()
        for item in self.list.rows():
            fits = all(word in item.text().casefold() for word in words)
            item.setHidden(not fits or (self.only.isChecked() and item.checkState() is not _ON))
        self._arrange()

    def _arrange(self) -> None:
        chosen = self.models()
        if self._default not in chosen:
            self._default = chosen[0] if chosen else ""
        in_sight = [item for item in self.list.rows() if not item.isHidden()]
        count = sum(item.checkState() is _ON for item in in_sight)
        partly = Qt.CheckState.PartiallyChecked if count else _OFF
        self.all_box.setCheckState(_ON if in_sight and count == len(in_sight) else partly)
        self.all_box.setEnabled(bool(in_sight))
        text = ngettext("{n} of {all} model selected", "{n} of {all} models selected", self.list.count())
        is_empty = self.list.count() == 0
        nothing = _("No model yet: fetch the list of the provider, or add one by its name.")
        self.count.setText(nothing if is_empty else text.format(n=len(chosen), all=self.list.count()))
        self.default.clear()
        for model in chosen:
            self.default.addItem(visible(model), model)
        self.default.setEnabled(bool(chosen))

    def _switched(self) -> None:
        self._arrange()
        self.changed.emit()

    def _switch_all(self) -> None:
        """Those in sight: all of them, or none if they all were."""
        in_sight = [item for item in self.list.rows() if not item.isHidden()]
        state = _OFF if all(item.checkState() is _ON for item in in_sight) else _ON
        for item in in_sight:
            item.setCheckState(state)
        self._switched()

    def _add_typed(self) -> None:
        if model := self.by_hand.text().strip():
            self.by_hand.clear()
            listed = [str(item.data(_ID)) for item in self.list.rows()]
            self._fill([*listed, model], [*self.models(), model])
            self.changed.emit()

    def _choose_default(self, place: int) -> None:
        self._default = str(self.default.itemData(place))
        self._switched()
