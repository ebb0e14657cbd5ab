"""The texts a person keeps: named, written, deleted. Each change is stored at once and can be undone."""

from __future__ import annotations

from collections.abc import Coroutine
from functools import partial
from typing import Any

import shiboken6
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from app.core.errors import TriptychError
from app.core.session.prompt_template import PromptTemplate, gaps_of
from app.core.text.i18n import _
from app.services.settings.message_templates import LONGEST_NAME, PromptService
from app.ui.dialogs.settings.history import History
from app.ui.dialogs.settings.page import SettingsPage
from app.ui.dialogs.settings.undo_line import UndoLine
from app.ui.texts import fault_text
from app.ui.theme import Theme
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.layout.master_detail import MasterDetail
from app.ui.widgets.layout.side_list import SideList, SideRow
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn, starting


class TemplatesPage(SettingsPage):
    """`text` begins a new template, e.g. with what stands in the composer; with a name and a text it is stored."""

    edited = Signal()

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
        self._history: History[PromptTemplate] = History()
        """Of the one that is shown; one without an id is none yet."""
        self._deleted: PromptTemplate | None = None
        self._is_begun = bool(text)
        """A new one is being written."""
        self._build(theme)
        self._saving = self.save_at_once(self.edited, self._store_changes, spawn)
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
        self.name.textChanged.connect(self._edited)
        self.text.textChanged.connect(self._edited)
        self.empty = EmptyState(
            theme, "tag", _("No template yet. One keeps a text that you ask again and again."), _("New template")
        )
        self.empty.button.clicked.connect(self._begin)
        self.saved = UndoLine(theme, self)
        self.saved.wanted.connect(self.undo)
        detail = QWidget()
        right = QVBoxLayout(detail)
        right.setContentsMargins(theme.space(2), theme.space(2), theme.space(2), theme.space(2))
        right.setSpacing(theme.space(1))
        right.addWidget(self.empty, 1)
        right.addWidget(self.name)
        right.addWidget(self.text, 1)
        right.addWidget(self.told)
        right.addWidget(self.saved)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.split = MasterDetail(theme, self.list, detail, _("Message templates"))
        layout.addWidget(self.split)

    # ------------------------------------------------------------ slots

    async def _refresh(self, choose: str | None = None) -> None:
        """`choose`: the template to show, "" = the new one, None = the first."""
        await self._list()
        if not shiboken6.isValid(self) or (choose is None and self.is_dirty):
            return  # closed meanwhile, or somebody writes already
        wanted = next(iter(self._templates), "") if choose is None else choose
        if wanted:
            self._choose(wanted)

    async def _list(self) -> None:
        self._templates = {one.id: one for one in await self._prompts.list()}
        if shiboken6.isValid(self):
            self.list.show_rows([SideRow(one.id, one.name, "file") for one in self._templates.values()])
            self._arrange()

    def _choose(self, id: str) -> None:
        if id in self._templates:
            self.list.select(id)
            self._is_begun = False
            self._show(self._templates[id])

    def _begin(self) -> None:
        self.begin_with("")

    def _show(self, template: PromptTemplate) -> None:
        self._shown = template.id
        self._history.clear()
        self._deleted = None
        self._fill(template)
        self._saving.drop()
        self.saved.tell("")
        self._arrange()

    def _fill(self, template: PromptTemplate) -> None:
        self.name.setText(template.name)
        self.text.setPlainText(template.text)

    def _edited(self) -> None:
        self._arrange()
        self.edited.emit()

    def _arrange(self) -> None:
        gaps = gaps_of(self.text.toPlainText())
        text = _("Write {{name}} where something is to be filled in, {{name=usual}} with what it usually is.")
        if gaps:
            text = _("To be filled in: {names}").format(names=", ".join(gap.name for gap in gaps))
        self.told.setText(text)
        is_empty = not (self._templates or self._is_begun or self.is_dirty)
        self.empty.setVisible(is_empty)
        for part in (self.name, self.text, self.told):
            part.setVisible(not is_empty)
        self._remove.setEnabled(bool(self._shown))
        self.saved.button.setVisible(self._history.last is not None or self._deleted is not None)

    # ------------------------------------------------------------ what is stored

    @property
    def is_dirty(self) -> bool:
        stored = self._stored()
        return (self.name.text(), self.text.toPlainText()) != (stored.name, stored.text)

    def _stored(self) -> PromptTemplate:
        return self._templates.get(self._shown, PromptTemplate("", "", ""))

    def changed_name(self) -> str:
        return self.name.text() or _("New template")

    def discard(self) -> None:
        self._show(self._stored())

    def begin_with(self, text: str) -> None:
        """A new template that begins with `text`, e.g. with what stands in the composer."""
        self.list.select("")
        self._is_begun = True
        self._show(PromptTemplate("", "", text))
        self.split.show_detail()
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def go_back(self) -> bool:
        return self.split.go_back()

    def _store_changes(self) -> Coroutine[Any, Any, None] | None:
        name, text = self.name.text(), self.text.toPlainText()
        if not self.is_dirty:
            return None
        if not self._shown and not (name.strip() and text.strip()):
            self.saved.tell(_("It is kept as soon as it has a name and a text."))
            return None
        return self._store(self._stored(), name, text)

    async def _store(self, before: PromptTemplate, name: str, text: str) -> None:
        try:
            template = await self._prompts.save(name, text, before.id)
        except TriptychError as error:
            if shiboken6.isValid(self):
                self.saved.tell(fault_text(error), is_error=True)
            return
        await self._list()
        if not shiboken6.isValid(self) or self._shown != before.id:
            return
        self._shown = template.id
        self.list.select(template.id)
        self._history.store(before, template)
        if self.name.text() == name != template.name:
            self.name.setText(template.name)  # without spaces at its ends
        self.saved.tell(_("Saved."))
        self._arrange()

    def undo(self) -> None:
        """The last change since the template was shown, or the deletion of the last one."""
        self._saving.now(self._take_back)

    def _take_back(self) -> None:
        before = self._history.last
        if self._deleted is not None:
            self._spawn(self._bring_back(self._deleted))
        elif before is not None and not before.id:
            self._spawn(self._delete())
        elif before is not None:
            self._fill(before)
            self._saving.now(again=True)

    async def _bring_back(self, template: PromptTemplate) -> None:
        await self._prompts.save(template.name, template.text, template.id)
        if shiboken6.isValid(self):
            await self._refresh(template.id)

    async def _delete(self) -> None:
        template = self._templates.get(self._shown)
        if template is None:
            return
        await self._prompts.delete(template.id)
        if not shiboken6.isValid(self):
            return
        self._is_begun = False
        self.list.select("")
        self._show(PromptTemplate("", "", ""))
        await self._refresh()
        if shiboken6.isValid(self) and not self.is_dirty:
            self._deleted = template
            self.saved.tell(_("{name} is deleted.").format(name=template.name))
            self._arrange()
