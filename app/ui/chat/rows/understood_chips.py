"""What was understood of the question, as chips: said, assumed (dotted), remembered, missing.

A press edits the value in the chip's place: a list of the choices, else a field. What comes of it is asked as the next
question, "days: 4", so that it stands in the conversation and any model can read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QPushButton, QWidget

from app.core.run.understood import UnderstoodSlot
from app.core.text.i18n import _
from app.core.wording.understood import understood_text
from app.ui.cards.frame import CardFrame
from app.ui.cards.parts.flow import Flow
from app.ui.cards.parts.title_line import TitleLine
from app.ui.chat.rows.base import RowTools, RowView
from app.ui.chat.rows.row_actions import CorrectSlot
from app.ui.widgets.safe_text import set_safe_tooltip, visible

_MOST = 12


class UnderstoodChips:
    """The row of chips; kept while the slots are the same. It stands in the title of the answer card, if there is one
    (ruling 49)."""

    def __init__(self, row: RowView, tools: RowTools) -> None:
        self._row, self._tools = row, tools
        self._made: tuple[Sequence[UnderstoodSlot], ChipRow] | None = None
        self._line: TitleLine | None = None
        """The title they stand in."""

    def place(self, slots: Sequence[UnderstoodSlot], card: QWidget | None, *, can_edit: bool) -> QWidget | None:
        """The chips, where the answer has no card whose title takes them."""
        chips = self.of(slots, can_edit=can_edit)
        line = card.title_line if isinstance(card, CardFrame) else None
        if line is not self._line:
            self._take_out()
        if chips is None or line is None:
            return chips
        if chips.parent() is not line:
            self._line = line
            line.take_chips(chips)
        return None

    def leave(self, card: QWidget) -> None:
        """The card goes."""
        if self._line is not None and isinstance(card, CardFrame) and card.title_line is self._line:
            self._take_out()

    def _take_out(self) -> None:
        line, self._line = self._line, None
        if line is not None and self._made is not None:
            self._made[1].setParent(self._row)
            self._made[1].show()
            line.leave_chips()

    def of(self, slots: Sequence[UnderstoodSlot], *, can_edit: bool = True) -> QWidget | None:
        if self._made is not None and self._made[0] != slots:
            self._take_out()
            self._made[1].hide()
            self._made[1].deleteLater()
            self._made = None
        if self._made is None and slots:
            chips = ChipRow(self._tools, slots)
            chips.corrected.connect(self._row.action)
            chips.resized.connect(self._row.height_changed)
            self._made = (slots, chips)
            chips.setParent(self._row)
            chips.show()
        if self._made is not None:
            self._made[1].set_editable(can_edit)
        return self._made[1] if self._made is not None else None


class SkillChips(QObject):
    """The skills whose instructions the model read for the answer, as chips; a press shows the steps that did it."""

    asked = Signal()

    def __init__(self, row: RowView, tools: RowTools) -> None:
        super().__init__(row)
        self._row, self._tools = row, tools
        self._names: Sequence[str] = ()
        self._chips: QWidget | None = None

    def of(self, names: Sequence[str]) -> QWidget | None:
        if names != self._names:
            if self._chips is not None:
                self._chips.hide()
                self._chips.deleteLater()
            self._names, self._chips = names, self._made(names) if names else None
        return self._chips

    def _made(self, names: Sequence[str]) -> QWidget:
        chips = Flow([self._chip(name) for name in names[:_MOST]], self._tools.theme)
        chips.setObjectName("skillChips")
        chips.setParent(self._row)
        chips.show()
        return chips

    def _chip(self, name: str) -> QPushButton:
        words = _("Skill {name}").format(name=visible(name))
        chip = QPushButton(words.replace("&", "&&"))
        chip.setIcon(self._tools.theme.icon("book", "muted", 14))
        chip.setProperty("kind", "understood")
        chip.setAutoDefault(False)
        chip.setCursor(Qt.CursorShape.PointingHandCursor)
        chip.setFixedHeight(self._tools.theme.space(3))
        chip.setAccessibleName(words)
        set_safe_tooltip(chip, _("Its instructions were given to the model. Press to see the step."))
        chip.clicked.connect(self._ask)
        return chip

    def _ask(self) -> None:
        self.asked.emit()


class ChipRow(Flow):
    """One line (ruling 49): what has no room in it is counted by the last chip, which shows the rest."""

    corrected = Signal(object)
    """A CorrectSlot."""
    resized = Signal()

    def __init__(self, tools: RowTools, slots: Sequence[UnderstoodSlot]) -> None:
        self.chips = [Chip(tools, slot) for slot in slots[:_MOST]]
        super().__init__(self.chips, tools.theme)
        self._is_unfolded = False
        self._more = QPushButton(self)
        self._more.setObjectName("moreChips")
        self._more.setProperty("kind", "understood")
        self._more.setProperty("source", "assumed")
        self._more.setAutoDefault(False)
        self._more.setCursor(Qt.CursorShape.PointingHandCursor)
        self._more.setFixedHeight(tools.theme.space(3))
        self._more.clicked.connect(self._unfold)
        self._more.hide()
        self.setObjectName("understoodChips")
        self.setAccessibleName(_("Understood as: {words}").format(words=understood_text(slots)))
        for chip in self.chips:
            chip.corrected.connect(self.corrected)
            chip.resized.connect(self._rearrange)

    def set_editable(self, can_edit: bool) -> None:
        for chip in self.chips:
            chip.can_edit = can_edit

    def _unfold(self) -> None:
        self._is_unfolded = True
        self._rearrange()
        self.updateGeometry()

    def _arrange(self, width: int, *, move: bool) -> int:
        shown, left = len(self.chips), 0
        wide = [self._size(chip).width() + self._gap for chip in self.chips]
        if not self._is_unfolded and sum(wide) - self._gap > width and not any(chip.field for chip in self.chips):
            self._more.setText(_("+{n}").format(n=len(self.chips)))
            room = width - self._size(self._more).width()
            while shown > 1 and sum(wide[:shown]) > room:
                shown -= 1
            left = len(self.chips) - shown
            self._more.setText(_("+{n}").format(n=left))
        self._left = [*self.chips[:shown], *([self._more] if left else [])]
        if move:
            for place, chip in enumerate(self.chips):
                chip.setHidden(place >= shown)
            self._more.setHidden(not left)
            words = ", ".join(chip.text() for chip in self.chips[shown:])
            self._more.setAccessibleName(words)
            set_safe_tooltip(self._more, words)
        return super()._arrange(width, move=move)

    def sizeHint(self) -> QSize:
        """All in one line, where there is room."""
        wide = sum(self._size(chip).width() for chip in self.chips) + self._gap * max(0, len(self.chips) - 1)
        return QSize(wide, self.heightForWidth(self.width() or wide))

    def _rearrange(self) -> None:
        self._arrange(self.width(), move=True)
        self.resized.emit()


class Chip(QPushButton):
    corrected = Signal(object)
    """A CorrectSlot."""
    resized = Signal()

    def __init__(self, tools: RowTools, slot: UnderstoodSlot) -> None:
        super().__init__()
        self._slot, self._theme = slot, tools.theme
        self.can_edit = True
        self.field: SlotField | None = None
        self.setText(visible(" ".join(filter(None, (slot.label, slot.shown)))).replace("&", "&&"))
        self.setProperty("kind", "understood")
        self.setProperty("source", slot.source)
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedHeight(tools.theme.space(3))
        words = understood_text([slot])
        set_safe_tooltip(self, words + "\n" + _("Press to change it"))
        self.setAccessibleName(_("Change: {slot}").format(slot=visible(words)))
        self.menu_of_choices = QMenu(self)
        for _value, label in slot.choices:
            entry = self.menu_of_choices.addAction(visible(str(label)).replace("&", "&&"))
            entry.triggered.connect(partial(self._say, str(label)))
        self.clicked.connect(self._edit)

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return hint if self.field is None else hint.expandedTo(QSize(self._theme.space(18), 0))

    def _edit(self) -> None:
        if not self.can_edit:
            return
        if self._slot.choices:
            self.menu_of_choices.popup(self.mapToGlobal(self.rect().bottomLeft()))
            return
        field = self.field = SlotField(self._slot, self)
        field.returnPressed.connect(self._typed)
        field.left.connect(self._close)
        self.resized.emit()
        field.setGeometry(self.rect())
        field.show()
        field.setFocus(Qt.FocusReason.PopupFocusReason)

    def _typed(self) -> None:
        text = self.field.text().strip() if self.field is not None else ""
        self._close()
        if text and text != self._slot.shown:
            self._say(text)

    def _say(self, words: str, _checked: bool = False) -> None:
        self.corrected.emit(CorrectSlot(self._slot.label, words))

    def _close(self) -> None:
        field, self.field = self.field, None
        if field is not None:
            field.hide()
            field.deleteLater()
            self.resized.emit()


class SlotField(QLineEdit):
    left = Signal()

    def __init__(self, slot: UnderstoodSlot, parent: QWidget) -> None:
        super().__init__(visible(slot.shown), parent)
        self.setObjectName("slotField")
        self.setAccessibleName(visible(slot.label))
        self.setMaxLength(200)
        self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            event.accept()
            self.left.emit()
        else:
            super().keyPressEvent(event)
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                event.accept()  # the button below must not be pressed by it

    def take_escape(self) -> bool:
        self.left.emit()
        return True

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()
