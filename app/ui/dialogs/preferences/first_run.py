"""The first page of a new data folder: three ways to an answer, and a question to begin with for every agent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.core.text.i18n import _, current_language, ngettext
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import CalmCombo
from app.ui.widgets.layout.page_area import PageArea
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip, visible

if TYPE_CHECKING:
    from app.services.providers.service import ProviderEntry, ProviderPreset

_COLUMN_STEPS = 104
_USUAL = {"zh_CN": "deepseek"}
"""The service that is offered first, by language; otherwise the first of the list."""
_NARROW_STEPS = 78
"""Below this width the three choices stand below each other."""


@dataclass(frozen=True, slots=True)
class Example:
    """`is_ready`: the agent can answer now, before anything was chosen."""

    agent: str
    name: str
    icon: str
    text: str
    is_ready: bool


class FirstRunPage(QWidget):
    offline_wanted = Signal()
    local_wanted = Signal(object, str)
    """A found provider (`ProviderEntry`) and the model of it that shall answer."""
    search_wanted = Signal()
    key_wanted = Signal(str, str)
    """The id of a preset, and the key."""
    key_page_wanted = Signal(str)
    more_wanted = Signal()
    example_chosen = Signal(str, str)
    """Agent and question."""
    language_wanted = Signal(str)
    left = Signal()
    """Not now."""

    def __init__(
        self,
        theme: Theme,
        presets: Sequence[ProviderPreset],
        examples: Sequence[Example],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("firstRunPage")
        self._theme = theme
        self._presets = [one for one in presets if one.needs_key]
        self._found: list[ProviderEntry] = []
        self.cards = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self.cards.setSpacing(theme.space(1.5))
        for card in (self._offline_card(), self._local_card(), self._key_card()):
            self.cards.addWidget(card, 1)
        column = QWidget()
        column.setMaximumWidth(theme.space(_COLUMN_STEPS))
        inner = QVBoxLayout(column)
        inner.setContentsMargins(theme.space(2), theme.space(2), theme.space(2), theme.space(2))
        inner.setSpacing(theme.space(1))
        inner.addStretch(1)
        inner.addLayout(self._head())
        inner.addSpacing(theme.space(1.5))
        inner.addLayout(self.cards)
        inner.addSpacing(theme.space(2))
        inner.addLayout(self._example_rows(examples))
        inner.addStretch(2)
        middle = QWidget()
        row = QHBoxLayout(middle)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(column, 1000)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(PageArea(middle))
        self.show_searching()

    # ------------------------------------------------------------ building

    def _head(self) -> QVBoxLayout:
        title = SafeLabel(_("Welcome to Triptych"), role="display")
        title.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        text = SafeLabel(_("Agents work for you, and every step stays in view. Who answers?"))
        text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        text.setWordWrap(True)
        other, name = ("en", "English") if current_language() == "zh_CN" else ("zh_CN", "简体中文")
        self.language_button = _link(name, partial(self.language_wanted.emit, other))
        self.later_button = _link(_("Not now"), self.left.emit)
        links = QHBoxLayout()
        links.setSpacing(self._theme.space(2))
        links.addStretch(1)
        links.addWidget(self.language_button)
        links.addWidget(self.later_button)
        links.addStretch(1)
        head = QVBoxLayout()
        head.setSpacing(self._theme.space(1))
        head.addWidget(title)
        head.addWidget(text)
        head.addLayout(links)
        return head

    def _offline_card(self) -> QFrame:
        self.offline_button = _button(_("Try it offline"), "primary", self.offline_wanted.emit)
        text = _("No key, no model, no network: rules on this computer answer. Good for a first look.")
        return self._card("bolt", _("Without a model"), text, [self.offline_button])

    def _local_card(self) -> QFrame:
        self.found_told = SafeLabel(role="meta")
        self.found_told.setWordWrap(True)
        self.models = CalmCombo()
        self.models.setAccessibleName(_("Models on this computer"))
        self.models.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.local_button = _button(_("Use this model"), "primary", self._use_local)
        self.search_button = _button(_("Look again"), "", self.search_wanted.emit)
        text = _("Nothing leaves this computer. Ollama, LM Studio, llama.cpp and vLLM are found by themselves.")
        parts = [self.found_told, self.models, self.local_button, self.search_button]
        return self._card("terminal", _("A model on this computer"), text, parts)

    def _key_card(self) -> QFrame:
        self.preset = CalmCombo()
        self.preset.setAccessibleName(_("Provider"))
        self.preset.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        for one in self._presets:
            self.preset.addItem(one.name, one.id)
        self.preset.setCurrentIndex(max(0, self.preset.findData(_USUAL.get(current_language(), ""))))
        self.key = QLineEdit()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setAccessibleName(_("Key"))
        self.key.setPlaceholderText(_("Paste the key"))
        self.key.textChanged.connect(self._judge)
        self.key.returnPressed.connect(self._use_key)
        self.key_button = _button(_("Check and use"), "primary", self._use_key)
        self.page_button = _link(_("Get a key"), self._ask_page)
        self.more_button = _link(_("Other services…"), self.more_wanted.emit)
        links = QWidget()
        row = QHBoxLayout(links)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.page_button)
        row.addStretch(1)
        row.addWidget(self.more_button)
        self.key_told = SafeLabel(role="error")
        self.key_told.setWordWrap(True)
        self.key_told.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.key_told.hide()
        self._judge()
        text = _("DeepSeek, Qwen, OpenAI and others. The key stays on this computer.")
        parts = [self.preset, self.key, self.key_told, self.key_button, links]
        return self._card("key", _("A service with a key"), text, parts)

    def _card(self, icon: str, title: str, text: str, parts: Sequence[QWidget]) -> QFrame:
        theme = self._theme
        card = QFrame()
        card.setProperty("card", "raised")
        card.setAccessibleName(title)
        mark = QLabel()
        mark.setPixmap(theme.pixmap(icon, "accent", 22, ratio=self.devicePixelRatioF()))
        name, told = SafeLabel(title, role="title"), SafeLabel(text, role="meta")
        name.setWordWrap(True)
        told.setWordWrap(True)
        column = QVBoxLayout(card)
        column.setContentsMargins(theme.space(2), theme.space(2), theme.space(2), theme.space(2))
        column.setSpacing(theme.space(1))
        for widget in (mark, name, told):
            column.addWidget(widget)
        column.addStretch(1)
        for part in parts:
            column.addWidget(part)
        return card

    def _example_rows(self, examples: Sequence[Example]) -> QVBoxLayout:
        rows = QVBoxLayout()
        rows.setSpacing(self._theme.space(0.75))
        if examples:
            rows.addWidget(SafeLabel(_("Or begin with a question:"), role="meta"))
        for example in sorted(examples, key=lambda one: not one.is_ready):
            text = visible(example.text)
            label = text if example.is_ready else _("{text} (needs a model)").format(text=text)
            label = _("{agent}: {question}").format(agent=visible(example.name), question=label)
            button = QPushButton(label.replace("&", "&&"))
            button.setObjectName(f"firstExample_{example.agent}")
            button.setProperty("align", "left")
            button.setAutoDefault(False)
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            button.setIcon(self._theme.icon(example.icon or "sparkles"))
            button.setIconSize(QSize(self._theme.space(2), self._theme.space(2)))
            set_safe_tooltip(button, example.text)
            button.clicked.connect(partial(self._chosen, example))
            rows.addWidget(button)
        return rows

    # ------------------------------------------------------------ what is found and told

    def show_searching(self) -> None:
        self._found = []
        self.found_told.setText(_("Looking for models …"))
        for part in (self.models, self.local_button, self.search_button):
            part.hide()

    def show_found(self, found: Sequence[ProviderEntry]) -> None:
        """Servers that answered; one that has no model yet is told and not offered."""
        self._found = [entry for entry in found if entry.models]
        self.models.clear()
        for place, entry in enumerate(self._found):
            for model in entry.models:
                self.models.addItem(f"{visible(model)}  ·  {visible(entry.name or entry.preset)}", (place, model))
        count = self.models.count()
        text = ngettext("Found: {n} model.", "Found: {n} models.", count).format(n=count)
        if not count:
            text = _("None found. Start such a program, load a model, and look again.")
            if found:
                text = _("A server runs here, but it has no model yet. Load one, and look again.")
        self.found_told.setText(text)
        self.models.setVisible(count > 1)
        self.local_button.setVisible(bool(count))
        if count == 1:
            self.found_told.setText(_("Found: {model}").format(model=self.models.itemText(0)))
        self.search_button.setVisible(not count)

    def show_checking(self) -> None:
        self.key_told.setProperty("role", "meta")
        self._tell(_("Asking …"))
        self.key_button.setEnabled(False)

    def show_refused(self, words: str) -> None:
        self.key_told.setProperty("role", "error")
        self._tell(words)
        self._judge()

    def _tell(self, words: str) -> None:
        self.key_told.style().unpolish(self.key_told)
        self.key_told.style().polish(self.key_told)
        self.key_told.setText(words)
        self.key_told.setVisible(bool(words))

    # ------------------------------------------------------------ slots

    def _judge(self) -> None:
        self.key_button.setEnabled(bool(self.key.text().strip()))

    def _use_local(self) -> None:
        data = self.models.currentData()
        if data is not None:
            place, model = data
            self.local_wanted.emit(self._found[place], model)

    def _use_key(self) -> None:
        if key := self.key.text().strip():
            self.key_wanted.emit(str(self.preset.currentData()), key)

    def _ask_page(self) -> None:
        chosen = self.preset.currentData()
        self.key_page_wanted.emit(next((one.key_page for one in self._presets if one.id == chosen), ""))

    def _chosen(self, example: Example, _checked: bool = False) -> None:
        if not example.is_ready:
            self.key_told.setProperty("role", "meta")
            self._tell(_("{agent} needs a model: one on this computer, or a service.").format(agent=example.name))
            self.preset.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.example_chosen.emit(example.agent, example.text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < self._theme.space(_NARROW_STEPS)
        self.cards.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)


def _button(text: str, kind: str, clicked: Callable[[], None]) -> QPushButton:
    button = QPushButton(text)
    button.setAutoDefault(False)
    if kind:
        button.setProperty("kind", kind)
    button.clicked.connect(clicked)
    return button


def _link(text: str, clicked: Callable[[], None]) -> QPushButton:
    return _button(text, "link", clicked)
