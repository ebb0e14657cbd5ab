"""Sessions out to a file: which form, and what goes into it. The file is chosen on a sheet of the system."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.core.exchange.options import Include
from app.core.exchange.suffix import SESSION_FILE
from app.core.text.i18n import _, ngettext
from app.services.exchange.transfer import Format
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel

Form = Literal[Format, "pdf"]
OnExport = Callable[[Form, Include, str], None]


class ExportDialog(QDialog):
    """`on_export` gets the form, what to include, and the path of the file; of the folder, if there are several."""

    def __init__(
        self, theme: Theme, name: str, on_export: OnExport, parent: QWidget | None = None, *, count: int = 1
    ) -> None:
        super().__init__(parent)
        self.setObjectName("exportDialog")
        self.setWindowTitle(_("Export session"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._name, self._on_export, self._count = name, on_export, count
        forms: tuple[tuple[Form, str], ...] = (
            ("md", _("Markdown, to read and to edit")),
            ("html", _("HTML, one page for any browser")),
            ("pdf", _("PDF, to print and to pass on")),
            ("docx", _("Word, to write on")),
            ("json", _("JSON, whole: to import again")),
        )
        self.forms = {form: QRadioButton(text) for form, text in forms}
        self.forms["md"].setChecked(True)
        self.reasoning = QCheckBox(_("Reasoning"))
        self.tools = QCheckBox(_("Tool calls"))
        self.results = QCheckBox(_("Tool results"))
        self.cost = QCheckBox(_("Model, tokens and seconds"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(1))
        layout.addWidget(SafeLabel(self._title(), role="title"))
        for radio in self.forms.values():
            radio.setAccessibleName(radio.text())
            radio.toggled.connect(self._tell)
            layout.addWidget(radio)
        layout.addSpacing(theme.space(1))
        layout.addWidget(SafeLabel(_("With"), role="strong"))
        for switch in self._switches():
            switch.setChecked(True)
            switch.setAccessibleName(switch.text())
            layout.addWidget(switch)
        layout.addSpacing(theme.space(1))
        layout.addLayout(self._buttons(theme))
        self.setMinimumWidth(theme.space(52))

    def _title(self) -> str:
        if self._count == 1:
            return _("Export session")
        return ngettext("Export {n} session", "Export {n} sessions", self._count).format(n=self._count)

    def form(self) -> Form:
        return next((form for form, radio in self.forms.items() if radio.isChecked()), "md")

    def include(self) -> Include:
        return Include(*(switch.isChecked() for switch in self._switches()))

    def choose_file(self) -> None:
        form = self.form()
        suffix = SESSION_FILE.removeprefix(".") if form == "json" else form
        chooser = QFileDialog(self, self._title())
        if self._count == 1:
            chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            chooser.setDefaultSuffix(suffix)
            chooser.selectFile(f"{self._name}.{suffix}")
        else:
            chooser.setFileMode(QFileDialog.FileMode.Directory)
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.fileSelected.connect(self.export_to)
        chooser.open()

    def export_to(self, path: str) -> None:
        form, include = self.form(), self.include()
        self.accept()
        self._on_export(form, include, path)

    def _switches(self) -> tuple[QCheckBox, ...]:
        return self.reasoning, self.tools, self.results, self.cost

    def _tell(self) -> None:
        """JSON always has everything."""
        for switch in self._switches():
            switch.setEnabled(self.form() != "json")

    def _buttons(self, theme: Theme) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme.space(1))
        row.addStretch(1)
        choose = _("Choose file…") if self._count == 1 else _("Choose folder…")
        cancel, save = QPushButton(_("Cancel")), QPushButton(choose)
        cancel.clicked.connect(self.reject)
        save.clicked.connect(self.choose_file)
        save.setProperty("kind", "primary")
        save.setDefault(True)
        for button in (cancel, save):
            row.addWidget(button)
        return row
