"""Where the data is: shown, opened, moved to another folder, and what was left behind by that deleted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.errors import TriptychError
from app.core.text.i18n import _
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.texts import error_text, fault_text
from app.ui.theme import Theme
from app.ui.widgets.clipboard import copy_text
from app.ui.widgets.layout.flow import FlowRow
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip
from app.ui.widgets.spawn import Spawn, starting

if TYPE_CHECKING:
    from app.services.data.data_folder import Danger, DataFolderService

NAME = "Triptych"
"""Of the folder that is made in one that has other things in it."""


class DataPlace(QWidget):
    moved = Signal()
    """Everything is elsewhere: the program must start again."""

    def __init__(self, folder: DataFolderService, theme: Theme, *, spawn: Spawn, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folder, self._theme, self._spawn = folder, theme, spawn
        self.place = SafeLabel(str(folder.root), elide=True)
        self.place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.sizes = _wrapping(SafeLabel(_("Counting…"), role="meta"))
        self._danger = _wrapping(SafeLabel())
        self._danger_card = _card(theme, "warn", self._danger)
        self._old = _wrapping(SafeLabel())
        self.delete = _button(_("Delete the old folder…"), self._ask_delete)
        self._old_card = _card(theme, "plain", self._old, self.delete)
        self.move_button = _button(_("Move…"), self.choose)
        self.move_button.setEnabled(folder.may_move)
        if not folder.may_move:
            words = _("The folder is named by --data-dir or TRIPTYCH_DATA_DIR; name another one there.")
            set_safe_tooltip(self.move_button, words)
        root = folder.root
        buttons = (
            _button(_("Open the folder"), partial(QDesktopServices.openUrl, QUrl.fromLocalFile(str(root)))),
            _button(_("Copy the path"), partial(copy_text, str(root))),
            self.move_button,
        )
        row = FlowRow(theme.space(1))
        for button in buttons:
            row.add(button)
        self._note = _wrapping(SafeLabel(role="meta"))
        self._note.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(1))
        for widget in (self.place, self.sizes, self._danger_card, self._old_card):
            layout.addWidget(widget)
        layout.addWidget(row)
        layout.addWidget(self._note)
        self._show_old()
        spawn(self._look())

    # ------------------------------------------------------------ what is shown

    async def _look(self) -> None:
        danger = await self._folder.danger()
        if shiboken6.isValid(self) and danger is not None:
            self._danger.setText(danger_words(danger))
            self._danger_card.show()

    def _show_old(self) -> None:
        old = self._folder.old()
        if old is not None:
            words = _("The data was moved from {path}. What is there is kept until you delete it.")
            self._old.setText(words.format(path=old))
        self._old_card.setVisible(old is not None)

    def _tell(self, words: str) -> None:
        if shiboken6.isValid(self):
            self._note.setText(words)
            self._note.setVisible(bool(words))

    # ------------------------------------------------------------ moving

    def choose(self) -> None:
        chooser = QFileDialog(self, _("Where should the data be kept?"))
        chooser.setObjectName("moveDialog")
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.setFileMode(QFileDialog.FileMode.Directory)
        chooser.setOption(QFileDialog.Option.ShowDirsOnly)
        chooser.fileSelected.connect(self._ask_for)
        chooser.open()

    def _ask_for(self, path: str) -> None:
        self.ask(folder_in(Path(path)))

    def ask(self, target: Path) -> None:
        text = _(
            "Everything is copied to {path} and compared; then Triptych starts again from there. "
            "What is here now stays until you delete it."
        ).format(path=target)

        question = AskDialog(
            self,
            self._theme,
            _("Move the data?"),
            text,
            [("", _("Cancel"), ""), ("move", _("Move"), "primary")],
        )
        question.agreed.connect(starting(self._spawn, self._move, target))
        question.open()

    async def _move(self, target: Path) -> None:
        self.move_button.setEnabled(False)
        self._tell(_("Copying and comparing…"))
        try:
            there = await self._folder.move(target)
        except TriptychError as error:
            text = error_text(error.code, error.message, error.params)
            self._tell(_("Not moved: {error}").format(error=f"{text.what} {text.do}".strip()))
            if shiboken6.isValid(self):
                self.move_button.setEnabled(True)
            return
        self._tell("")
        if shiboken6.isValid(self):
            self._tell_moved(there)

    def _tell_moved(self, there: Path) -> None:
        note = AskDialog(
            self,
            self._theme,
            _("The data is at its new place"),
            _("Everything arrived in {path}. Triptych starts again from there now.").format(path=there),
            [("again", _("Start again"), "primary")],
        )
        note.answered.connect(self.moved)
        note.open()

    def _ask_delete(self) -> None:
        old = self._folder.old()
        if old is None:
            return

        question = AskDialog(
            self,
            self._theme,
            _("Delete the old folder?"),
            _("The data of Triptych in {path} is deleted. Your data in {here} is not touched.").format(
                path=old, here=self._folder.root
            ),
            [("", _("Cancel"), ""), ("delete", _("Delete"), "danger")],
        )
        question.agreed.connect(starting(self._spawn, self._delete))
        question.open()

    async def _delete(self) -> None:
        try:
            await self._folder.delete_old()
        except TriptychError as error:
            self._tell(fault_text(error))
        else:
            self._tell(_("The old folder was deleted."))
        if shiboken6.isValid(self):
            self._show_old()


def folder_in(chosen: Path) -> Path:
    """An empty folder as it is; in one that has other things in it, one of our own."""
    try:
        is_free = not any(chosen.iterdir())
    except OSError:
        is_free = True
    return chosen if is_free else chosen / NAME


def danger_words(danger: Danger) -> str:
    if danger.kind == "synced":
        return _(
            "This folder is synchronised by {name}. Such services can damage a database that is in use: move the data "
            "to a plain folder of this computer, and let the service have exports or copies."
        ).format(name=danger.name)
    return _(
        "This folder is on another machine ({name}). When the connection breaks, answers cannot be stored: move the "
        "data to a folder of this computer."
    ).format(name=danger.name)


def _card(theme: Theme, kind: str, *inside: QWidget) -> QFrame:
    card = QFrame()
    card.setProperty("card", kind)
    row = QHBoxLayout(card)
    row.setContentsMargins(theme.space(1.5), theme.space(1), theme.space(1.5), theme.space(1))
    row.setSpacing(theme.space(1))
    for n, widget in enumerate(inside):
        row.addWidget(widget, 0 if n else 1)
    card.hide()
    return card


def _wrapping(label: SafeLabel) -> SafeLabel:
    label.setWordWrap(True)
    return label


def _button(text: str, then: Callable[[], object]) -> QPushButton:
    button = QPushButton(text)
    button.setAutoDefault(False)
    button.clicked.connect(then)
    return button
