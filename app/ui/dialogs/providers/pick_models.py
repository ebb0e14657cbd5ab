"""Which of the models a provider lists should be offered."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.core.text.i18n import _, ngettext
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.theme import Theme
from app.ui.widgets.fields.search_field import SearchField
from app.ui.widgets.safe_text import visible


def pick_models(
    parent: QWidget, theme: Theme, models: Sequence[str], chosen: Sequence[str], on_chosen: Callable[[list[str]], None]
) -> AskDialog:
    """`chosen` are checked already; `on_chosen` gets those that are checked in the end."""
    middle = QWidget()
    search = SearchField(theme, _("Search the models"))
    listed = QListWidget()
    listed.setObjectName("modelList")
    listed.setAccessibleName(_("Models"))
    listed.setMinimumHeight(theme.space(36))
    for model in models:
        item = QListWidgetItem(visible(model))
        item.setData(Qt.ItemDataRole.UserRole, model)
        item.setCheckState(Qt.CheckState.Checked if model in chosen else Qt.CheckState.Unchecked)
        listed.addItem(item)

    def items() -> list[QListWidgetItem]:
        return [listed.item(row) for row in range(listed.count())]

    def narrow(text: str) -> None:
        for item in items():
            item.setHidden(text.strip().casefold() not in item.text().casefold())

    search.textChanged.connect(narrow)
    column = QVBoxLayout(middle)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(theme.space(1))
    column.addWidget(search)
    column.addWidget(listed)

    def answered(answer: str) -> None:
        if answer == "use":
            picked = [str(i.data(Qt.ItemDataRole.UserRole)) for i in items() if i.checkState() is Qt.CheckState.Checked]
            on_chosen(picked)

    count = ngettext("The provider lists {n} model.", "The provider lists {n} models.", len(models))
    answers = [("", _("Cancel"), ""), ("use", _("Use these"), "primary")]
    dialog = AskDialog(parent, theme, _("Models"), count.format(n=len(models)), answers, answered, middle=middle)
    dialog.open()
    return dialog
