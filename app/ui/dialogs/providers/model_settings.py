"""Prices of a provider's models, and what a person knows better about them than the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core.run.chat_model import ModelTraits
from app.core.run.price import CURRENCIES, Price
from app.core.text.i18n import _
from app.ui.dialogs.providers.traits import EDITORS, is_half, price_in, rows_of, traits_in, values_of
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import CalmCombo
from app.ui.widgets.fields.form import Form
from app.ui.widgets.fit import open_at
from app.ui.widgets.layout.page_area import PageArea
from app.ui.widgets.safe_text import SafeLabel, visible
from app.ui.widgets.sheet import Sheet

if TYPE_CHECKING:
    from app.services.providers.service import ProviderEntry


class TraitSource(Protocol):
    def traits(self, entry: ProviderEntry, model: str) -> ModelTraits:
        """Of the catalogue."""


class ProviderModelsDialog(Sheet):
    entered = Signal(object)
    """The entry with what was typed."""

    def __init__(
        self,
        entry: ProviderEntry,
        providers: TraitSource,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("providerModels")
        self.setWindowTitle(_("Prices and behaviour"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        open_at(self, theme.space(100), theme.space(74))
        self._entry, self._providers, self._theme = entry, providers, theme
        self._prices: dict[str, Price] = dict(entry.prices)
        self._traits: dict[str, Mapping[str, Any]] = dict(entry.model_traits)
        self._shown = ""
        self.form: Form | None = None
        self.list = QListWidget()
        self.list.setAccessibleName(_("Models"))
        self.list.setSpacing(theme.space(0.25))
        for model in entry.models:
            item = QListWidgetItem(visible(model))
            item.setData(Qt.ItemDataRole.UserRole, model)
            item.setSizeHint(QSize(0, theme.space(4)))
            self.list.addItem(item)
        self.currency = CalmCombo()
        self.currency.setAccessibleName(_("Currency of the prices"))
        for code in dict.fromkeys((*CURRENCIES, entry.currency)):
            self.currency.addItem(code, code)
        self.currency.setCurrentIndex(self.currency.findData(entry.currency))
        self._area = PageArea(QWidget(), keeps_width=True)
        self._told = SafeLabel(role="error")
        self._told.setWordWrap(True)
        self._build()
        self.list.currentItemChanged.connect(self._chosen)
        self.list.setCurrentRow(0)

    def _build(self) -> None:
        theme = self._theme
        side = QWidget()
        side.setProperty("pane", "side")
        side.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        side.setFixedWidth(theme.space(32))
        side_layout = QVBoxLayout(side)
        side_layout.setContentsMargins(theme.space(1), theme.space(1.5), theme.space(1), theme.space(1))
        side_layout.addWidget(self.list)
        self._title = SafeLabel(role="title", elide=True)
        head = QHBoxLayout()
        head.setContentsMargins(theme.space(3), theme.space(2), theme.space(3), theme.space(1))
        head.setSpacing(theme.space(1))
        head.addWidget(self._title, 1)
        head.addWidget(SafeLabel(_("Prices in"), role="meta"))
        head.addWidget(self.currency)
        self.done_button = QPushButton(_("Use these"))
        self.done_button.setProperty("kind", "primary")
        self.done_button.setAutoDefault(False)
        self.done_button.clicked.connect(self._finish)
        cancel = QPushButton(_("Cancel"))
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        foot = QHBoxLayout()
        foot.setContentsMargins(theme.space(3), theme.space(1), theme.space(3), theme.space(1.5))
        foot.setSpacing(theme.space(1))
        foot.addWidget(self._told, 1)
        foot.addWidget(cancel)
        foot.addWidget(self.done_button)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addLayout(head)
        right.addWidget(self._area, 1)
        right.addLayout(foot)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(side)
        layout.addLayout(right, 1)

    def _chosen(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        self._keep()
        model = self._shown = str(item.data(Qt.ItemDataRole.UserRole))
        self._title.setText(model)
        infos, words = rows_of(self._providers.traits(self._entry, model))
        form = self.form = Form(infos, self._theme, editors=EDITORS, words=words)
        form.set_values(values_of(self._prices.get(model), self._traits.get(model, {})))
        form.setContentsMargins(self._theme.space(3), self._theme.space(1), self._theme.space(3), self._theme.space(3))
        form.changed.connect(self._judge)
        self._area.show_page(form)
        self._judge()

    def _judge(self) -> None:
        form = self.form
        half = form is not None and is_half(form.values())
        wrong = form is not None and bool(form.errors())
        self._told.setText(_("A price needs both: what is read and what is written.") if half else "")
        self.done_button.setEnabled(not half and not wrong)
        self.list.setEnabled(not half and not wrong)

    def _keep(self) -> None:
        """What the form says, under the model it was shown for."""
        if self.form is None or not self._shown or self.form.errors():
            return
        values = self.form.values()
        price, traits = price_in(values, self.currency.currentData()), traits_in(values)
        self._prices.pop(self._shown, None)
        self._traits.pop(self._shown, None)
        if price is not None:
            self._prices[self._shown] = price
        if traits:
            self._traits[self._shown] = traits

    def _finish(self) -> None:
        self._keep()
        currency = str(self.currency.currentData())
        prices = {model: replace(price, currency=currency) for model, price in self._prices.items()}
        self.entered.emit(replace(self._entry, currency=currency, prices=prices, model_traits=dict(self._traits)))
        self.accept()
