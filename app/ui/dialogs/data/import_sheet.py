"""An import as the person sees it: how far it was read, what is in it, what of it is wanted, how far it is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QSortFilterProxyModel, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.core.text.i18n import _, ngettext
from app.ui.dialogs.data.import_list import ImportList
from app.ui.theme import Theme
from app.ui.widgets.fit import open_at
from app.ui.widgets.safe_text import SafeLabel

if TYPE_CHECKING:
    from app.services.exchange.import_work import ImportWork
    from app.services.exchange.prepared_import import PreparedImport

_EVERY_MS = 100
_PARTS = 1_000
_REMARKS = 8


class ImportSheet(QDialog):
    accepted_choice = Signal(list)
    """The places of the conversations that are wanted."""
    refused = Signal()
    """Nothing shall be imported, or no more of it."""

    def __init__(self, theme: Theme, work: ImportWork, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("importSheet")
        self.setWindowTitle(_("Import sessions"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._work, self._model = work, ImportList([])
        self._is_storing = self._is_done = False
        self.state = SafeLabel(_("Reading…"))
        self.bar = QProgressBar()
        self.bar.setRange(0, _PARTS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(_("Progress of the import"))
        self.search = QLineEdit()
        self.search.setPlaceholderText(_("Find in the titles"))
        self.search.setAccessibleName(self.search.placeholderText())
        self.search.setClearButtonEnabled(True)
        self.view = QTableView()
        self.view.setAccessibleName(_("Conversations in the file"))
        self.remarks = SafeLabel("", role="meta")
        self.remarks.setWordWrap(True)
        self.all = QPushButton(_("Select all"))
        self.none = QPushButton(_("Select none"))
        self.cancel = QPushButton(_("Cancel"))
        self.go = QPushButton(_("Import"))
        self.go.setObjectName("importChosenButton")
        self.go.setProperty("kind", "primary")
        self._lay_out(theme)
        self._choosing(False)
        self.all.clicked.connect(self._mark_all)
        self.none.clicked.connect(self._mark_none)
        self.cancel.clicked.connect(self.close)
        self.go.clicked.connect(self._go)
        self._clock = QTimer(self)
        self._clock.setInterval(_EVERY_MS)
        self._clock.timeout.connect(self._show_progress)
        self._clock.start()
        open_at(self, theme.space(92), theme.space(70))

    def _lay_out(self, theme: Theme) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(1.5))
        layout.addWidget(SafeLabel(_("Import sessions"), role="title"))
        layout.addWidget(self.state)
        layout.addWidget(self.bar)
        layout.addWidget(self.search)
        layout.addWidget(self.view, 1)
        layout.addWidget(self.remarks)
        row = QHBoxLayout()
        row.setSpacing(theme.space(1))
        for button in (self.all, self.none):
            row.addWidget(button)
        row.addStretch(1)
        for button in (self.cancel, self.go):
            row.addWidget(button)
        for button in (self.all, self.none, self.cancel):
            button.setAutoDefault(False)
        layout.addLayout(row)

    def _choosing(self, is_choosing: bool) -> None:
        for widget in (self.search, self.view, self.remarks, self.all, self.none, self.go):
            widget.setVisible(is_choosing)
        self.bar.setVisible(not is_choosing)

    # ------------------------------------------------------------ its three states

    def open_while_reading(self) -> None:
        """Unless all is over by then: somebody was quick, or there was one conversation alone."""
        if not self._is_done:
            self.open()

    def choose(self, prepared: PreparedImport) -> None:
        self._clock.stop()
        self._model = ImportList(prepared.conversations)
        self._shown = QSortFilterProxyModel(self)
        self._shown.setSourceModel(self._model)
        self._shown.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.search.textChanged.connect(self._shown.setFilterFixedString)
        self._model.dataChanged.connect(self._count)
        self._model.setParent(self)
        self.view.setModel(self._shown)
        self.view.verticalHeader().hide()
        self.view.setShowGrid(False)
        self.view.setTabKeyNavigation(False)
        self.view.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        header = self.view.horizontalHeader()
        header.setAccessibleName(_("Columns"))
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setResizeContentsPrecision(100)  # not of twenty thousand
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        remarks = prepared.remarks[:_REMARKS]
        rest = len(prepared.remarks) - len(remarks)
        more = [_("… and {n} more").format(n=rest)] if rest > 0 else []
        self.remarks.setText("\n".join([*remarks, *more]))
        self._choosing(True)
        self.remarks.setVisible(bool(remarks))
        self._count()
        self.go.setFocus()
        self.open()

    def _count(self) -> None:
        total, chosen = self._model.rowCount(), len(self._model.chosen)
        words = ngettext("{n} conversation was found.", "{n} conversations were found.", total).format(n=total)
        if known := self._model.known:
            words += " " + ngettext("{n} is here already.", "{n} are here already.", known).format(n=known)
        self.state.setText(words)
        self.go.setText(ngettext("Import {n}", "Import {n}", chosen).format(n=chosen))
        self.go.setEnabled(chosen > 0)

    def _go(self) -> None:
        self._is_storing = True
        self._choosing(False)
        self.bar.setValue(0)
        self._clock.start()
        self.accepted_choice.emit(sorted(self._model.chosen))

    def _show_progress(self) -> None:
        work = self._work
        if self._is_storing:
            done, total = work.stored, work.to_store
            self.state.setText(_("Storing {n} of {total}…").format(n=done, total=total))
        else:
            done, total = work.bytes_read, work.bytes_total
            self.state.setText(
                ngettext("Reading… {n} conversation", "Reading… {n} conversations", work.found).format(n=work.found)
            )
        self.bar.setValue(min(_PARTS, _PARTS * done // max(1, total)))

    def finish(self) -> None:
        self._is_done = True
        self.close()

    # ------------------------------------------------------------ what is wanted

    def _mark_all(self) -> None:
        self._mark(wanted=True)

    def _mark_none(self) -> None:
        self._mark(wanted=False)

    def _mark(self, *, wanted: bool) -> None:
        """Those that are shown: what the search hides keeps its mark."""
        rows = range(self._shown.rowCount())
        places = [self._shown.mapToSource(self._shown.index(row, 0, QModelIndex())).row() for row in rows]
        self._model.mark(places, wanted=wanted)

    # ------------------------------------------------------------ Qt

    def reject(self) -> None:
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._is_done:
            self._is_done = True
            self.refused.emit()
        event.accept()  # QDialog would call `reject` and find the sheet still there
