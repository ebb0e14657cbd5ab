"""The reflection rounds of an answer in one frame: a line for each, under them what all took, and one more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.core.text.i18n import _
from app.ui.chat.rows.base import RowView, adopt
from app.ui.chat.rows.items import Action, Part, RoundPart
from app.ui.chat.rows.row_actions import Plain
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import SafeLabel

from .row import RoundRow
from .words import total_words

_NARROW = 60
"""In steps of the grid: below it the sum needs the room."""


def before_rounds(work: Sequence[Part]) -> tuple[Part, ...]:
    """What was done before the first round; the rest belongs to the round it follows."""
    first = next((place for place, part in enumerate(work) if isinstance(part, RoundPart)), len(work))
    return tuple(work[:first])


def in_sight(work: Sequence[Part], widgets: Mapping[str, tuple[Part, QWidget]], *, is_live: bool) -> list[Part]:
    """Without what folded rounds hold. While the run goes on, its last round is open unless the person closed it."""
    last = next((part for part in reversed(work) if isinstance(part, RoundPart)), None)
    found: list[Part] = []
    is_open = True
    for part in work:
        if isinstance(part, RoundPart):
            row = widgets[part.id][1] if part.id in widgets else None
            is_open = is_live and part is last
            if isinstance(row, RoundRow) and row.is_touched:
                is_open = row.is_open
        if is_open or isinstance(part, RoundPart):
            found.append(part)
    return found


def open_round_of(part_id: str, work: Sequence[Part], widgets: Mapping[str, tuple[Part, QWidget]]) -> None:
    """Where the part stands in a round, that one is unfolded; its row has to be in sight."""
    row: QWidget | None = None
    for part in work:
        if isinstance(part, RoundPart) and part.id in widgets:
            row = widgets[part.id][1]
        if part.id == part_id and part_id not in widgets and isinstance(row, RoundRow) and not row.is_open:
            row.toggle()


class Rounds:
    """The card of an answer, while there are rounds in sight."""

    def __init__(self, row: RowView) -> None:
        self._row = row
        self._card: RoundsCard | None = None

    def of(
        self, work: Sequence[Part], widgets: Mapping[str, tuple[Part, QWidget]], actions: Sequence[Action]
    ) -> tuple[QWidget | None, set[str]]:
        """With the ids of the parts that stand in it."""
        inside = {part.id for part in work[len(before_rounds(work)) :] if part.id in widgets}
        if not inside and self._card is not None:
            self._card.hide()
            self._card.deleteLater()
            self._card = None
        elif inside:
            self._card = self._card or RoundsCard(self._row)
            self._card.show_rounds(work, widgets, actions)
            self._card.show()
        return self._card, inside


class RoundsCard(QWidget):
    """Its rows are made and kept by the row of the answer; it places them and draws the frame."""

    def __init__(self, row: RowView) -> None:
        super().__init__(row)
        self.setObjectName("roundsCard")
        self.setAccessibleName(_("Reflection rounds"))
        self._row = row
        self._rounds: list[RoundRow] = []
        self._foot: QWidget | None = None
        self._changes_link: QPushButton | None = None
        self._look = ""
        self._lines: list[int] = []
        """Where one round ends and the next begins."""

    def show_rounds(
        self, work: Sequence[Part], widgets: Mapping[str, tuple[Part, QWidget]], actions: Sequence[Action]
    ) -> None:
        """Each with what follows it up to the next one, as far as it is in sight."""
        groups: dict[str, list[QWidget]] = {}
        current = ""
        for part in work:
            if isinstance(part, RoundPart):
                groups[current := part.id] = []
            elif current and part.id in widgets:
                groups[current].append(widgets[part.id][1])
        self._rounds = []
        for name, held in groups.items():
            if name in widgets and isinstance(row := widgets[name][1], RoundRow):
                self._rounds.append(row)
                adopt(self, row)
                row.hold(held)
                if not row.is_touched:
                    row.open(is_open=bool(held))
        self._show_foot(actions)

    def _show_foot(self, actions: Sequence[Action]) -> None:
        reports = [row.report for row in self._rounds]
        more = next((one for one in actions if one.what is Plain.ONE_MORE_ROUND), None)
        words = total_words(reports) if len(reports) > 1 else ""
        has_changes = sum(bool(one.draft and one.before) for one in reports) > 0 and len(reports) > 1
        if (look := f"{words}{more.label if more else ''}{has_changes}") == self._look:
            return
        self._look = look
        if self._foot is not None:
            self._foot.hide()
            self._foot.deleteLater()
            self._foot = None
        if not words:
            return
        theme = self._row.tools.theme
        foot = self._foot = QWidget(self)
        foot.setObjectName("roundsTotal")
        box = QHBoxLayout(foot)
        box.setContentsMargins(theme.space(2), 0, theme.space(2), 0)
        box.setSpacing(theme.space(2))
        box.addWidget(SafeLabel(words, foot, role="meta", elide=True), 1)
        if more is not None:
            box.addWidget(_link(foot, more.label, partial(self._row.action.emit, more.what)))
        self._changes_link = None
        if has_changes:
            self._changes_link = _link(foot, _("What each round changed"), self.open_changes)
            box.addWidget(self._changes_link)
        foot.setFixedHeight(theme.space(4.5))
        foot.show()

    def open_changes(self) -> None:
        """All that changed something in the answer; once more, and they are folded."""
        changing = [row for row in self._rounds if row.report.draft and row.report.before]
        is_open = not all(row.is_open for row in changing)
        for row in changing:
            if row.is_open != is_open:
                row.toggle()

    def wanted(self, width: int) -> int:
        self._lines.clear()
        y = 1
        for row in self._rounds:
            height = row.wanted(width - 2)
            row.setGeometry(1, y, width - 2, height)
            y += height
            self._lines.append(y)
            y += 1
        if self._foot is not None:
            if self._changes_link is not None:  # each round can be unfolded too
                self._changes_link.setVisible(width >= self._row.tools.theme.space(_NARROW))
            self._foot.setGeometry(1, y, width - 2, self._foot.height())
            y += self._foot.height() + 1
        self.update()
        return y

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._row.tools.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        path = QPainterPath()
        path.addRoundedRect(frame, theme.space(1.5), theme.space(1.5))
        painter.fillPath(path, theme.color("surface"))
        painter.setClipPath(path)
        for row in self._rounds:
            if row.is_open:
                painter.fillRect(row.geometry(), theme.color("sunken"))
        painter.setPen(QPen(theme.color("border"), 1))
        for y in self._lines:
            if y < self.height() - 2:
                painter.drawLine(0, y, self.width(), y)
        painter.setClipping(False)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)


def _link(parent: QWidget, words: str, deed: object) -> QPushButton:
    button = QPushButton(words, parent)
    button.setProperty("kind", "link")
    button.setAutoDefault(False)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    button.clicked.connect(deed)
    return button
