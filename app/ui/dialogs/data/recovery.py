"""What a person sees instead of an empty window when the stored conversations cannot be opened.

Damaged, emptied or missing data is never a first start: nothing is made anew before somebody says
so, and whatever is there is put aside, not deleted.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import shiboken6
from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QFileDialog, QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.core.errors import DataDamaged, DataNewer, InternalError, TriptychError
from app.core.text.i18n import _, ngettext
from app.ui.texts import fault_text
from app.ui.texts.copies import moment_text, size_text, why_title
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn, starting

if TYPE_CHECKING:
    from app.services.data.backups import Backup, BackupService, Restored

_log = logging.getLogger(__name__)
Answer = Literal["again", "quit"]


class RecoveryDialog(QDialog):
    """Answers once: "again" = open the data once more, "quit" = leave."""

    answered = Signal(str)
    folder_chosen = Signal(object)
    """Another data folder, where that can help."""

    def __init__(
        self,
        backups: BackupService,
        error: TriptychError,
        theme: Theme,
        *,
        spawn: Spawn,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("recoveryDialog")
        self.setWindowTitle(_("Your conversations could not be opened"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._backups, self._error, self._spawn = backups, error, spawn
        self._answer: Answer = "quit"
        self._copy: Backup | None = None
        self._is_asking = False
        self._may_mend = isinstance(error, DataDamaged)
        self._told = _wrapping(SafeLabel(self._first_words()))
        self._told.setMinimumWidth(theme.space(60))
        self._detail = _wrapping(
            SafeLabel("\n".join(filter(None, (fault_text(error), str(error.params.get("path", ""))))), role="meta")
        )
        self._detail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._offer = QFrame()
        self._offer.setProperty("card", "plain")
        self._offered = SafeLabel(_("Looking for a good backup…"), role="strong")
        self._offered_detail = _wrapping(SafeLabel(role="meta"))
        inside = QVBoxLayout(self._offer)
        inside.setContentsMargins(theme.space(2), theme.space(1.5), theme.space(2), theme.space(1.5))
        inside.setSpacing(theme.space(0.5))
        inside.addWidget(self._offered)
        inside.addWidget(self._offered_detail)
        self._offer.setVisible(self._may_mend)
        head = QHBoxLayout()
        head.setSpacing(theme.space(1.5))
        icon = QLabel()
        icon.setPixmap(theme.pixmap("alert", "warn", 22, ratio=self.devicePixelRatioF()))
        head.addWidget(icon)
        head.addWidget(SafeLabel(self.windowTitle(), role="title"), 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(1.5))
        layout.addLayout(head)
        layout.addWidget(self._told)
        layout.addWidget(self._detail)
        layout.addWidget(self._offer)
        layout.addSpacing(theme.space(1))
        layout.addLayout(self._make_buttons(theme))
        self.finished.connect(self._tell)
        if self._may_mend:
            spawn(self._look())

    def _tell(self) -> None:
        self.answered.emit(self._answer)

    def _make_buttons(self, theme: Theme) -> QHBoxLayout:
        self.folder = _button(_("Open the folder"), self._open_folder)
        self.other = _button(_("Use another folder…"), self._choose_folder)
        self.other.setVisible(not self._may_mend)
        self.anew = _button(_("Start with nothing"), self._start_anew, "danger")
        self.anew.setVisible(self._may_mend)
        self.quit = _button(_("Quit"), self.reject)
        self.again = _button(_("Retry"), self._leave_again)
        self.restore = _button(_("Restore this backup"), starting(self._spawn, self._restore), "primary")
        self.restore.hide()
        row = QHBoxLayout()
        row.setSpacing(theme.space(1))
        for button in (self.folder, self.other, self.anew):
            row.addWidget(button)
        row.addStretch(1)
        for button in (self.quit, self.again, self.restore):
            row.addWidget(button)
        return row

    def _first_words(self) -> str:
        if self._may_mend:
            return _(
                "The file with your conversations is damaged, empty or gone. Nothing was deleted and nothing was "
                "made anew: you decide what happens now."
            )
        if isinstance(self._error, DataNewer):
            return _("A newer version of Triptych has used this data. Open it with that version; it was left as it is.")
        return _("The data folder cannot be used just now. Nothing was written anywhere else.")

    # ------------------------------------------------------------ what can be done

    async def _look(self) -> None:
        try:
            copy = await self._backups.newest_good()
        except OSError as error:
            _log.warning("the copies could not be read: %s", error)
            copy = None
        if not shiboken6.isValid(self):
            return
        self._copy = copy
        if copy is None:
            self._offered.setText(_("There is no backup that could be restored."))
            self._offered_detail.setText(_("You can put the file back yourself and try again, or start with nothing."))
            return
        self._offered.setText(_("The newest good backup: {when}").format(when=moment_text(copy.made)))
        words = _("{size}, made {why}. What can still be read in the damaged file is added to it.")
        self._offered_detail.setText(words.format(size=size_text(copy.size), why=why_title(copy.why)))
        self.restore.show()
        self.restore.setDefault(True)
        self.restore.setFocus(Qt.FocusReason.OtherFocusReason)

    async def _restore(self) -> None:
        if self._copy is None:
            return
        self._set_busy(_("Restoring…"))
        try:
            done = await self._backups.restore(self._copy.name)
        except Exception as error:  # noqa: BLE001 - told, and another way can be taken
            self._failed(error)
        else:
            self._mended(_("The backup is restored."), restored_words(done))

    def _start_anew(self) -> None:
        if not self._is_asking:
            self._is_asking = True
            self.anew.setText(_("Yes, start with nothing"))
            self._offered.setText(_("Start without your conversations?"))
            self._offered_detail.setText(
                _("The damaged file is put aside and the backups stay, so that they can be restored later.")
            )
            return
        self._spawn(self._begin_empty())

    async def _begin_empty(self) -> None:
        self._set_busy(_("Starting with nothing…"))
        try:
            aside = await self._backups.begin_empty()
        except Exception as error:  # noqa: BLE001 - told, and another way can be taken
            self._failed(error)
        else:
            note = _("The old file is kept: {path}").format(path=aside) if aside else ""
            self._mended(_("Triptych starts without earlier conversations."), note)

    # ------------------------------------------------------------ what is told

    def _set_busy(self, words: str) -> None:
        self._offered.setText(words)
        for button in (self.restore, self.anew, self.again, self.quit):
            button.setEnabled(False)

    def _failed(self, error: Exception) -> None:
        if not isinstance(error, TriptychError):
            _log.error("the data could not be mended", exc_info=error)
            error = InternalError(f"{type(error).__name__}: {error}")
        if not shiboken6.isValid(self):
            return
        self._offered.setText(_("That did not work."))
        self._offered_detail.setText(fault_text(error))
        for button in (self.restore, self.anew, self.again, self.quit):
            button.setEnabled(True)

    def _mended(self, title: str, detail: str) -> None:
        if not shiboken6.isValid(self):
            return
        self._answer = "again"  # from now on also when the dialog is closed
        self._offer.setProperty("card", "ok")
        self._offer.style().unpolish(self._offer)
        self._offer.style().polish(self._offer)
        self._offered.setText(title)
        self._offered_detail.setText(detail)
        for button in (self.restore, self.anew, self.quit):
            button.hide()
        self.again.setText(_("Continue"))
        self.again.setEnabled(True)
        self.again.setProperty("kind", "primary")
        self.again.style().unpolish(self.again)
        self.again.style().polish(self.again)
        self.again.setDefault(True)
        self.again.setFocus(Qt.FocusReason.OtherFocusReason)

    def _leave_again(self) -> None:
        self._answer = "again"
        self.accept()

    def _choose_folder(self) -> None:
        chooser = QFileDialog(self, _("Use another folder"))
        chooser.setObjectName("folderDialog")
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.setFileMode(QFileDialog.FileMode.Directory)
        chooser.setOption(QFileDialog.Option.ShowDirsOnly)
        chooser.fileSelected.connect(self._use_folder)
        chooser.open()

    def _use_folder(self, path: str) -> None:
        self.folder_chosen.emit(Path(path))
        self.reject()

    def _open_folder(self) -> None:
        path = Path(str(self._error.params.get("path") or ""))
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path if path.is_dir() else path.parent)))


def restored_words(done: Restored) -> str:
    """What a restore did, in sentences."""
    lines = [_("Restored the backup of {when}.").format(when=moment_text(done.backup.made))]
    salvaged = done.salvaged
    if salvaged.messages:
        words = ngettext(
            "{n} newer message was read out of the damaged file and added.",
            "{n} newer messages were read out of the damaged file and added.",
            salvaged.messages,
        )
        lines.append(words.format(n=salvaged.messages))
    if done.damaged is not None:
        lines.append(_("The file that was there is kept: {path}").format(path=done.damaged))
    if done.before is not None:
        lines.append(_("What was there before is kept as a backup as well."))
    return " ".join(lines)


def _wrapping(label: SafeLabel) -> SafeLabel:
    label.setWordWrap(True)
    return label


def _button(text: str, then: Callable[[], object], kind: str = "") -> QPushButton:
    button = QPushButton(text)
    button.setAutoDefault(False)
    if kind:
        button.setProperty("kind", kind)
    button.clicked.connect(then)
    return button
