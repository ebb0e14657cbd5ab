"""Skills: those that ship and those of the data folder; taken in after a review, written, given out, removed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

import shiboken6
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout

from app.core.errors import TriptychError
from app.core.skills import Skill
from app.core.text.i18n import _
from app.services.skills.reading import FoundSkill
from app.services.skills.service import SkillService
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.settings.at_once import SaveAtOnce
from app.ui.dialogs.settings.page import SettingsPage
from app.ui.dialogs.skills.detail import SkillDetail
from app.ui.dialogs.skills.editor import SkillEditor
from app.ui.dialogs.skills.review import SkillReview
from app.ui.dialogs.skills.words import state_words
from app.ui.texts import fault_text
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.layout.master_detail import MasterDetail
from app.ui.widgets.layout.side_list import SideList, SideRow
from app.ui.widgets.spawn import Spawn, starting

_BLANK = Skill("", "", "")


class SkillsPage(SettingsPage):
    def __init__(
        self,
        skills: SkillService,
        known_tools: Collection[str],
        theme: Theme,
        *,
        spawn: Spawn,
        open_url: Callable[[QUrl], bool] = QDesktopServices.openUrl,
    ) -> None:
        super().__init__(theme)
        self.setObjectName("skillsPage")
        self._skills, self._known, self._spawn, self._open_url = skills, frozenset(known_tools), spawn, open_url
        self._found: dict[str, FoundSkill] = {}
        self._shown = ""
        self._editor: SkillEditor | None = None
        self._changed: FoundSkill | None = None
        """What the editor was opened on; None = a new one."""
        self.add = IconButton(theme, "plus", _("New skill"))
        self.zip = IconButton(theme, "upload", _("Import a zip…"))
        self.folder = IconButton(theme, "folder", _("Import a folder…"))
        self.add.clicked.connect(partial(self.begin_with, _BLANK))
        self.zip.clicked.connect(partial(self._choose_source, QFileDialog.FileMode.ExistingFile))
        self.folder.clicked.connect(partial(self._choose_source, QFileDialog.FileMode.Directory))
        self.list = SideList(theme, _("Skills"), "skillList", (self.add, self.zip, self.folder))
        self.list.chosen.connect(self.show_item)
        self.detail = SkillDetail(theme, self._known)
        self.detail.accept_wanted.connect(self._accept)
        self.detail.edit_wanted.connect(self._edit)
        self.detail.export_wanted.connect(self._choose_target)
        self.detail.folder_wanted.connect(self._open_folder)
        self.detail.remove_wanted.connect(self._ask_to_remove)
        self.split = MasterDetail(theme, self.list, self.detail, _("Skills"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.split)
        self.refresh()

    # ------------------------------------------------------------ what the window asks of a page

    def refresh(self) -> None:
        self._spawn(self._read())

    def show_item(self, item: str) -> None:
        self._shown = item
        self.list.select(item)
        self.detail.show_skill(self._found.get(item))

    def go_back(self) -> bool:
        return self.split.go_back()

    @property
    def is_dirty(self) -> bool:
        return self._editor is not None and self._editor.is_dirty

    def changed_name(self) -> str:
        return (self._editor.written().name if self._editor is not None else "") or _("New skill")

    def save(self, then: Callable[[], object] | None = None) -> None:
        if self._editor is not None:
            self._spawn(self._write(self._editor.written(), then))

    def discard(self) -> None:
        if self._editor is not None:
            self._editor.done(QDialog.DialogCode.Rejected.value)

    # ------------------------------------------------------------ what a person does

    def begin_with(self, skill: Skill, changed: FoundSkill | None = None) -> None:
        """The editor, e.g. with the draft made of a conversation; of one that is there, if `changed` says which."""
        if self._editor is not None:
            return
        editor = self._editor = SkillEditor(self._theme, skill, self._known, self, is_new=changed is None)
        self._changed = changed
        editor.create_wanted.connect(starting(self._spawn, self._write))
        editor.finished.connect(self._forget_editor)
        if changed is not None:
            self._at_once = SaveAtOnce(editor, editor.changed, self._store_changes, self._spawn)
            editor.left.connect(partial(self.leave, editor.accept))
        editor.open()

    def _edit(self) -> None:
        one = self._found.get(self._shown)
        if one is not None and one.skill is not None:
            self.begin_with(one.skill, one)

    def _forget_editor(self) -> None:
        self._editor = self._at_once = None

    def _store_changes(self) -> Coroutine[Any, Any, None] | None:
        editor = self._editor
        is_due = editor is not None and editor.is_dirty and editor.is_whole
        return self._write(editor.written()) if editor is not None and is_due else None

    def _choose_source(self, mode: QFileDialog.FileMode) -> None:
        is_zip = mode is QFileDialog.FileMode.ExistingFile
        chooser = QFileDialog(self, _("Import a zip…") if is_zip else _("Import a folder…"))
        chooser.setFileMode(mode)
        if is_zip:
            chooser.setNameFilter(_("Skills (*.zip)"))
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.fileSelected.connect(self._look_at)
        chooser.open()

    def _look_at(self, path: str) -> None:
        self._spawn(self._review(Path(path)))

    def _choose_target(self) -> None:
        chooser = QFileDialog(self, _("Export…"))
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setOption(QFileDialog.Option.DontConfirmOverwrite)  # what is there is kept, and that is said
        chooser.setDefaultSuffix("zip")
        chooser.selectFile(f"{self._shown}.zip")
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.fileSelected.connect(partial(self._export_to, self._shown))
        chooser.open()

    def _export_to(self, name: str, path: str) -> None:
        self._do(partial(self._skills.export, name, Path(path)), name)

    def _accept(self) -> None:
        """Exactly what the page shows: what has changed since is not agreed to."""
        if (one := self._found.get(self._shown)) is not None:
            self._do(partial(self._skills.agree, one.name, one.sha256), one.name)

    def _open_folder(self) -> None:
        if (one := self._found.get(self._shown)) is not None:
            self._open_url(QUrl.fromLocalFile(str(one.folder)))

    def _ask_to_remove(self) -> None:
        title = _("Remove the skill {name}?").format(name=self._shown)
        answers = [("", _("Cancel"), ""), ("remove", _("Remove"), "danger")]
        text = _("Its folder is deleted for good. Agents go on without it.")
        question = AskDialog(self, self._theme, title, text, answers)
        question.agreed.connect(partial(self._do, partial(self._skills.remove, self._shown), self._shown))
        question.open()

    # ------------------------------------------------------------ work

    async def _read(self, why: str = "") -> None:
        await self._skills.refresh()
        if not shiboken6.isValid(self):
            return
        self._found = {one.name: one for one in self._skills.listed}
        if self._shown not in self._found:
            self._shown = next(iter(self._found), "")
        self.list.show_rows([_row(one) for one in self._found.values()])
        self.show_item(self._shown)
        if why:
            self.detail.tell(why)

    def _do(self, work: Callable[[], object], name: str) -> None:
        self._spawn(self._done(work, name))

    async def _done(self, work: Callable[[], object], name: str) -> None:
        why = ""
        try:
            await asyncio.to_thread(work)
        except FileExistsError as error:
            why = _("{file} is there already").format(file=error.filename)
        except (TriptychError, OSError) as error:
            why = fault_text(error)
        self._shown = name
        await self._read(why)

    async def _review(self, path: Path) -> None:
        try:
            package = await self._skills.look(path)
        except (TriptychError, OSError) as error:
            if shiboken6.isValid(self):
                self.detail.tell(fault_text(error))
            return
        if shiboken6.isValid(self):
            there = self._found.get(package.name)
            replaces = there is not None and there.origin == "own"
            review = SkillReview(self._theme, package, self._known, self, replaces=replaces)
            review.accepted.connect(starting(self._spawn, self._take, path, package))
            review.open()

    async def _take(self, path: Path, found: FoundSkill) -> None:
        why = ""
        try:
            await self._skills.take(path, found.sha256)
        except (TriptychError, OSError) as error:
            why = fault_text(error)
        else:
            self._shown = found.name
        await self._read(why)

    async def _write(self, skill: Skill, then: Callable[[], object] | None = None) -> None:
        editor = self._editor
        try:
            written = await asyncio.to_thread(self._skills.write, skill, self._changed)
        except (TriptychError, OSError) as error:
            if editor is not None and shiboken6.isValid(editor):
                editor.tell(fault_text(error))
            return
        self._shown = skill.name
        if editor is not None and shiboken6.isValid(editor):
            if self._at_once is None:
                editor.accept()
            else:
                self._changed = written
                editor.set_stored(skill)
        await self._read()
        if then is not None and shiboken6.isValid(self):
            then()


def _row(one: FoundSkill) -> SideRow:
    if one.state == "ready":
        return SideRow(one.name, one.title, "book", "muted" if one.origin == "shipped" else "accent")
    return SideRow(one.name, f"{one.name} · {state_words(one)}", "alert", "warn")
