"""A server's tools: what each says it does, whether it may run – and, where they changed, old beside new.

Everything here was written by the server: plain text, hidden characters written out, nothing of it believed.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.core.text.i18n import N_, _, ngettext
from app.ui.dialogs.agents.setting_labels import PERMISSIONS
from app.ui.theme import Theme
from app.ui.widgets.fields.segment_combo import SegmentCombo
from app.ui.widgets.plain_view import PlainView
from app.ui.widgets.safe_text import SafeLabel, visible
from app.ui.widgets.tab_order import tab_through

if TYPE_CHECKING:
    from app.services.mcp.views import McpToolRow, ToolsReview

_AT_LEAST = 5
"""Tools that are seen without scrolling."""
_CHANGES = {"new": N_("new"), "changed": N_("changed")}
_HINTS = {
    "readOnlyHint": N_("only reads"),
    "destructiveHint": N_("may destroy"),
    "idempotentHint": N_("twice is as once"),
    "openWorldHint": N_("goes outside"),
}


class McpTools(QWidget):
    accepted = Signal(str)
    """The digest of the tools that are shown."""
    word_chosen = Signal(str, str)
    """A tool and its word."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._review: ToolsReview | None = None
        self._shown = ""
        self._build_banner()
        self.table = QTableWidget(0, 3)
        self.table.setObjectName("toolTable")
        self.table.setAccessibleName(_("Tools of this server"))
        self.table.setHorizontalHeaderLabels([_("Tool"), _("What it says it does"), _("Permission")])
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(theme.space(4.5))
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setTabKeyNavigation(False)
        header = self.table.horizontalHeader()
        header.setAccessibleName(_("Columns"))
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        header.setMaximumSectionSize(theme.space(40))
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(2, theme.space(14))
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.currentCellChanged.connect(self._show_row)
        self.detail = PlainView(theme, code=True, lines=10_000)
        self.detail.setObjectName("mcpToolDetail")
        self.detail.setAccessibleName(_("What the server says of this tool"))
        self._detail = scrolled(self.detail, theme)
        self.left_out = SafeLabel(role="meta")
        self.left_out.setWordWrap(True)
        self._empty = SafeLabel(_("Nobody has asked the server for its tools yet. Start it once."), role="meta")
        self._empty.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(1))
        layout.addWidget(self._empty)
        layout.addWidget(self.banner)
        layout.addWidget(self.table, 3)
        layout.addWidget(self._detail, 4)
        layout.addWidget(self.left_out)

    def _build_banner(self) -> None:
        theme = self._theme
        self.banner = QFrame()
        self.banner.setProperty("card", "warn")
        self._told = SafeLabel()
        self._told.setWordWrap(True)
        self.accept_button = QPushButton(_("Accept these tools"))
        self.accept_button.setObjectName("mcpAcceptTools")
        self.accept_button.setAutoDefault(False)
        self.accept_button.clicked.connect(self._accept)
        row = QHBoxLayout(self.banner)
        row.setContentsMargins(theme.space(1.5), theme.space(1), theme.space(1), theme.space(1))
        row.setSpacing(theme.space(2))
        row.addWidget(self._told, 1)
        row.addWidget(self.accept_button, 0, Qt.AlignmentFlag.AlignTop)

    # ------------------------------------------------------------ showing

    def show_review(self, review: ToolsReview) -> None:
        if review == self._review:
            return
        self._review = review
        has_tools = bool(review.rows or review.gone or review.left_out)
        self._empty.setVisible(not has_tools)
        for part in (self.table, self._detail):
            part.setVisible(has_tools)
        waits = has_tools and not review.is_accepted and bool(review.digest)
        self.banner.setVisible(waits)
        if waits:
            self._told.setText(self._question(review))
        self._fill(review)
        self._tell_left_out(review)

    def _question(self, review: ToolsReview) -> str:
        if review.is_first:
            return _(
                "Read what the tools say of themselves: the model reads it too. None of them is used before you accept."
            )
        gone = _("Gone: {names}.").format(names=", ".join(review.gone)) if review.gone else ""
        text = _("The tools are not what you accepted. None of them is used until you accept them as they are now.")
        return "\n".join(part for part in (text, gone) if part)

    def _fill(self, review: ToolsReview) -> None:
        table, theme = self.table, self._theme
        table.blockSignals(True)
        table.setRowCount(0)
        table.setRowCount(len(review.rows))
        for number, row in enumerate(review.rows):
            name = f"{visible(row.name)} – {_(_CHANGES[row.change])}" if row.change else visible(row.name)
            item = QTableWidgetItem(name)
            if row.change or row.is_suspicious:
                item.setIcon(theme.icon("alert", "warn"))
            table.setItem(number, 0, item)
            table.setItem(number, 1, QTableWidgetItem(" ".join(visible(row.description[:300]).split())))
            table.setCellWidget(number, 2, self._combo(row))
        tab_through(table, (table.cellWidget(number, 2) for number in range(len(review.rows))))
        rows = len(review.rows)
        table.setMaximumHeight(theme.space(5.5) + rows * theme.space(4.5))
        table.setMinimumHeight(theme.space(5.5) + min(rows, _AT_LEAST) * theme.space(4.5))
        beside = max((table.cellWidget(row, 2).sizeHint().width() for row in range(rows)), default=0)
        table.horizontalHeader().resizeSection(2, beside + theme.space(1))
        table.blockSignals(False)
        place = next((n for n, row in enumerate(review.rows) if row.name == self._shown), 0)
        if review.rows:
            table.setCurrentCell(place, 0)
            self._show_row(place)

    def _combo(self, row: McpToolRow) -> SegmentCombo:
        combo = SegmentCombo(self._theme)
        combo.setAccessibleName(_("Permission of {tool}").format(tool=row.name))
        for word, shown in PERMISSIONS.items():
            combo.addItem(_(shown), word)
        combo.setCurrentIndex(combo.findData(row.word))
        combo.activated.connect(partial(self._choose_word, row.name, combo))
        return combo

    def _choose_word(self, tool: str, combo: SegmentCombo, _choice: int) -> None:
        self.word_chosen.emit(tool, str(combo.currentData()))

    def _show_row(self, number: int) -> None:
        if self._review is None or not 0 <= number < len(self._review.rows):
            return
        row = self._review.rows[number]
        self._shown = row.name
        self.detail.set_text(_detail(row))

    def _tell_left_out(self, review: ToolsReview) -> None:
        lines = [f"{name}: {why}" for name, why in review.left_out[:20]]
        if len(review.left_out) > 20:
            more = len(review.left_out) - 20
            lines.append(ngettext("and {n} more", "and {n} more", more).format(n=more))
        self.left_out.setText("\n".join([_("Left out:"), *lines]) if lines else "")
        self.left_out.setVisible(bool(lines))

    def _accept(self) -> None:
        if self._review is not None:
            self.accepted.emit(self._review.digest)


def scrolled(view: PlainView, theme: Theme) -> QScrollArea:
    """A text as tall as it is, in a place that may be smaller."""
    inner = QFrame()
    column = QVBoxLayout(inner)
    column.setContentsMargins(theme.space(1), theme.space(1), theme.space(1), theme.space(1))
    column.addWidget(view)
    column.addStretch(1)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(inner)
    area.viewport().setAutoFillBackground(False)
    inner.setAutoFillBackground(False)
    return area


def _detail(row: McpToolRow) -> str:
    parts = [row.local_name]
    if row.is_suspicious:
        parts.append(_("Its description holds characters that cannot be seen; they are written out here."))
    if row.change == "changed":
        parts += [_("— as accepted —"), row.before, _("— as it is now —"), row.after]
        return "\n\n".join(parts)
    text = row.description or _("(it says nothing)")
    if row.length > len(row.description):
        text += "\n" + _("… {shown} of {n} characters").format(shown=f"{len(row.description):,}", n=f"{row.length:,}")
    parts.append(text)
    says = [_(_HINTS[key]) for key, value in row.hints.items() if value and key in _HINTS]
    if says:
        parts.append(_("It claims, and nothing rests on it: {claims}").format(claims=", ".join(says)))
    return "\n\n".join([*parts, row.schema])
