"""The texts a person keeps: named, written, thrown away."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.core.errors import TriptychError
from app.core.session.prompt_template import PromptTemplate, gaps_of
from app.core.text.i18n import _
from app.services.settings.message_templates import LONGEST_NAME, PromptService
from app.ui.dialogs.settings.page import SettingsPage
from app.ui.texts import fault_text
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.layout.master_detail import MasterDetail
from app.ui.widgets.layout.side_list import SideList, SideRow
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn, starting


class TemplatesPage(SettingsPage):
    """`text` begins a new template, e.g. with what stands in the composer."""

    def __init__(
        self,
        prompts: PromptService,
        theme: Theme,
        *,
        spawn: Spawn,
        text: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent)
        self.setObjectName("templatesPage")
        self._prompts, self._spawn = prompts, spawn
        self._templates: dict[str, PromptTemplate] = {}
        self._shown = ""
        self._build(theme)
        self._show(PromptTemplate("", "", text))
        spawn(self._refresh("" if text else None))

    def _build(self, theme: Theme) -> None:
        add, remove = IconButton(theme, "plus", _("New template")), IconButton(theme, "trash", _("Delete"))
        add.clicked.connect(partial(self.leave_to, self._begin))
        remove.clicked.connect(starting(self._spawn, self._delete))
        self._remove = remove
        self.list = SideList(theme, _("Message templates"), "promptTemplateList", (add, remove))
        self.list.chosen.connect(partial(self.leave_to, self._choose))
        self.name = QLineEdit()
        self.name.setPlaceholderText(_("Name"))
        self.name.setAccessibleName(_("Name"))
        self.name.setMaxLength(LONGEST_NAME)
        self.text = QPlainTextEdit()
        self.text.setAccessibleName(_("Text"))
        self.text.setTabChangesFocus(True)
        self.told = SafeLabel(role="meta")
        self.told.setWordWrap(True)
        self.save_button = QPushButton(_("Save"))
        self.save_button.setObjectName("savePromptTemplate")
        self.save_button.setProperty("kind", "primary")
        self.save_button.setAutoDefault(False)
        self.save_button.clicked.connect(partial(self.save, None))
        self.name.textChanged.connect(self._judge)
        self.text.textChanged.connect(self._judge)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.space(1))
        buttons.addStretch(1)
        buttons.addWidget(self.save_button)
        detail = QWidget()
        right = QVBoxLayout(detail)
        right.setContentsMargins(theme.space(2), theme.space(2), theme.space(2), theme.space(2))
        right.setSpacing(theme.space(1))
        right.addWidget(self.name)
        right.addWidget(self.text, 1)
        right.addWidget(self.told)
        right.addLayout(buttons)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.split = MasterDetail(theme, self.list, detail, _("Message templates"))
        layout.addWidget(self.split)

    # ------------------------------------------------------------ slots

    async def _refresh(self, choose: str | None = None) -> None:
        """`choose`: the template to show, "" = the new one, None = the first."""
        self._templates = {one.id: one for one in await self._prompts.list()}
        if not shiboken6.isValid(self):
            return  # closed meanwhile
        self.list.show_rows([SideRow(one.id, one.name, "file") for one in self._templates.values()])
        if choose is None and self.is_dirty:
            return  # somebody writes already
        wanted = next(iter(self._templates), "") if choose is None else choose
        if wanted:
            self._choose(wanted)

    def _choose(self, id: str) -> None:
        if id in self._templates:
            self.list.select(id)
            self._show(self._templates[id])

    def _begin(self) -> None:
        self.begin_with("")

    def _show(self, template: PromptTemplate) -> None:
        self._shown = template.id
        self.name.setText(template.name)
        self.text.setPlainText(template.text)
        self._judge()

    def _judge(self) -> None:
        gaps = gaps_of(self.text.toPlainText())
        text = _("Write {{name}} where something is to be filled in, {{name=usual}} with what it usually is.")
        if gaps:
            text = _("To be filled in: {names}").format(names=", ".join(gap.name for gap in gaps))
        self.told.setText(text)
        self.save_button.setEnabled(bool(self.name.text().strip() and self.text.toPlainText().strip()))
        self._remove.setEnabled(bool(self._shown))

    # ------------------------------------------------------------ what is not saved

    @property
    def is_dirty(self) -> bool:
        stored = self._templates.get(self._shown, PromptTemplate("", "", ""))
        return (self.name.text(), self.text.toPlainText()) != (stored.name, stored.text)

    def changed_name(self) -> str:
        return self.name.text() or _("New template")

    def discard(self) -> None:
        self._show(self._templates.get(self._shown, PromptTemplate("", "", "")))

    def save(self, then: Callable[[], object] | None = None) -> None:
        self._spawn(self._keep(then))

    def begin_with(self, text: str) -> None:
        """A new template that begins with `text`, e.g. with what stands in the composer."""
        self.list.select("")
        self._show(PromptTemplate("", "", text))
        self.split.show_detail()
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def go_back(self) -> bool:
        return self.split.go_back()

    async def _keep(self, then: Callable[[], object] | None = None) -> None:
        try:
            template = await self._prompts.save(self.name.text(), self.text.toPlainText(), self._shown)
        except TriptychError as error:
            if shiboken6.isValid(self):
                self.told.setText(fault_text(error))
            return
        await self._refresh(template.id)
        if then is not None and shiboken6.isValid(self):
            then()

    async def _delete(self) -> None:
        if self._shown:
            await self._prompts.delete(self._shown)
            if not shiboken6.isValid(self):
                return
            self._begin()
            await self._refresh()
