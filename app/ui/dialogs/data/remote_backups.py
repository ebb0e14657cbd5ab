"""Backups at a place of the person's own: where, with which secrets, made now, looked into, brought back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.core.errors import TriptychError
from app.core.text.i18n import _, ngettext
from app.core.wording.backups import items_text
from app.services.remote_backup.schedule import moment_of
from app.services.remote_backup.settings import BackupPlace
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.texts import fault_text
from app.ui.texts.copies import moment_text
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import CalmCombo, CalmSpin
from app.ui.widgets.layout.flow import FlowRow
from app.ui.widgets.safe_text import SafeLabel, visible
from app.ui.widgets.spawn import Spawn, starting

if TYPE_CHECKING:
    from app.services.remote_backup.service import BackupPreview, RemoteBackupService
    from app.services.remote_backup.version import VersionRow

_KINDS = ("folder", "webdav", "s3")
_NAMED = 8


class RemoteBackups(QWidget):
    restored = Signal()
    """Sessions were added: what is shown must be read again."""

    def __init__(
        self, backups: RemoteBackupService, theme: Theme, *, spawn: Spawn, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._backups, self._theme, self._spawn = backups, theme, spawn
        self.kind = CalmCombo()
        for id, words in zip(_KINDS, (_("A folder"), "WebDAV", _("S3-compatible store")), strict=True):
            self.kind.addItem(words, id)
        self.address, self.user, self.bucket, self.region = (QLineEdit() for _field in range(4))
        self.password, self.passphrase = QLineEdit(), QLineEdit()
        self.keep = CalmSpin(1, 1_000)
        self.keep.setFixedWidth(theme.space(14))
        self.every = CalmCombo()
        for hours, words in ((24, _("Each day")), (168, _("Each week")), (1, _("Each hour")), (0, _("Only by hand"))):
            self.every.addItem(words, hours)
        self.version = CalmCombo()
        self.version.activated.connect(starting(spawn, self._choose))
        self.form = QFormLayout()
        self._rows = {
            "kind": (_("Place"), self.kind), "address": (_("Folder or address"), self.address),
            "user": (_("Name or key id"), self.user), "password": (_("Password or secret key"), self.password),
            "bucket": (_("Bucket"), self.bucket), "region": (_("Region"), self.region),
            "passphrase": (_("Passphrase"), self.passphrase), "keep": (_("Versions kept"), self.keep),
            "every": (_("By itself"), self.every), "version": (_("Versions there"), self.version),
        }  # fmt: skip
        for title, field in self._rows.values():
            field.setAccessibleName(title)
            self.form.addRow(title, field)
        for secret in (self.password, self.passphrase):
            secret.setEchoMode(QLineEdit.EchoMode.Password)
            secret.setPlaceholderText(_("unchanged while empty"))
        self.save = _button(_("Save place"), starting(spawn, self._save))
        self.now = _button(_("Back up now"), starting(spawn, self._back_up))
        self.look = _button(_("Look for backups…"), starting(spawn, self._look))
        self.note = SafeLabel(role="meta")
        self.note.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(1))
        layout.addLayout(self.form)
        row = FlowRow(theme.space(1))
        for button in (self.save, self.now, self.look):
            row.add(button)
        layout.addWidget(row)
        layout.addWidget(self.note)
        self.kind.currentIndexChanged.connect(self._fit)
        self.form.setRowVisible(self.version, False)
        self._show(backups.settings.place() or BackupPlace())
        if (fault := backups.schedule.fault) is not None:
            self._tell(_("Not backed up: {error}").format(error=fault_text(fault)))

    def _show(self, place: BackupPlace) -> None:
        self.kind.setCurrentIndex(_KINDS.index(place.kind))
        for field, text in (
            (self.address, place.address), (self.user, place.user), (self.bucket, place.bucket),
            (self.region, place.region),
        ):  # fmt: skip
            field.setText(text)
        self.keep.setValue(place.keep)
        if (at := self.every.findData(place.every)) < 0:
            at = self.every.count()
            hours = ngettext("Every {n} hour", "Every {n} hours", place.every)
            self.every.addItem(hours.format(n=place.every), place.every)
        self.every.setCurrentIndex(at)
        self._fit()

    def _fit(self) -> None:
        """Fields the chosen kind does not have are not shown."""
        kind = self.kind.currentData()
        for name, shown in (
            ("user", kind != "folder"), ("password", kind != "folder"), ("bucket", kind == "s3"),
            ("region", kind == "s3"),
        ):  # fmt: skip
            self.form.setRowVisible(self._rows[name][1], shown)
        is_set = self._backups.settings.place() is not None
        self.now.setEnabled(is_set)
        self.look.setEnabled(is_set)

    # ------------------------------------------------------------ what can be done

    async def _save(self) -> None:
        place = BackupPlace(
            self.kind.currentData(), self.address.text(), self.user.text(), self.bucket.text(), self.region.text(),
            self.keep.value(), self.every.currentData(),
        )  # fmt: skip
        try:
            await self._backups.settings.save(place, self.password.text() or None, self.passphrase.text() or None)
        except TriptychError as error:
            self._tell(fault_text(error))
            return
        if shiboken6.isValid(self):
            self.password.clear()
            self.passphrase.clear()
            self._fit()
        self._tell(_("Saved. Without the passphrase nobody can read the backups, you neither: keep it elsewhere, too."))

    async def _back_up(self) -> None:
        self._busy(_("Backing up…"))
        try:
            version = await self._backups.back_up()
        except TriptychError as error:
            words = _("Not backed up: {error}").format(error=fault_text(error))
        else:
            count = len(version.sessions)
            words = ngettext("{n} session is there now.", "{n} sessions are there now.", count).format(n=count)
        self._done(words)

    async def _look(self) -> None:
        self._busy(_("Looking…"))
        try:
            rows = await self._backups.versions()
        except TriptychError as error:
            self._done(fault_text(error))
            return
        if shiboken6.isValid(self):
            self._list(rows)
            await self._preview(rows[0].name if rows else "latest")

    def _list(self, rows: Sequence[VersionRow]) -> None:
        """Newest first; any of them can be looked into."""
        place = self._backups.settings.place()
        self.version.clear()
        for row in rows:
            whose = _("this computer") if place is not None and row.computer == place.computer else row.computer
            self.version.addItem(f"{moment_text(moment_of(row.stamp))} · {visible(whose)}", row.name)
        self.form.setRowVisible(self.version, len(rows) > 1)

    async def _choose(self, *_said: object) -> None:
        if (name := self.version.currentData()) is not None:
            self._busy(_("Looking…"))
            await self._preview(name)

    async def _preview(self, name: str) -> None:
        try:
            preview = await self._backups.preview(name)
        except TriptychError as error:
            self._done(fault_text(error))
            return
        self._done("")
        if shiboken6.isValid(self):
            self._ask(name, preview)

    def _ask(self, name: str, found: BackupPreview) -> None:
        """What this version would bring, before it brings anything."""
        version = found.version
        head = _("This one is of {computer}, {when}.").format(computer=version.name, when=moment_text(version.made))
        new = ngettext("{n} session is not here", "{n} sessions are not here", len(found.new)).format(n=len(found.new))
        both = ngettext(
            "{n} is here in another state and will be kept twice where both went on",
            "{n} are here in another state and will be kept twice where both went on",
            len(found.changed),
        ).format(n=len(found.changed))
        same = _("{n} are the same.").format(n=found.same)
        titles = [one.title for one in (*found.new, *found.changed)][:_NAMED]
        lines = [head, f"{new}; {both}; {same}", *titles, *_items_lines(found)]
        text = "\n".join(lines)
        buttons = [("", _("Cancel"), ""), ("add", _("Add to what is here"), "primary")]
        question = AskDialog(self, self._theme, _("Bring this backup here?"), text, buttons)
        question.agreed.connect(starting(self._spawn, self._restore, name))
        question.open()

    async def _restore(self, name: str, *_said: object) -> None:
        self._busy(_("Restoring…"))
        try:
            report = await self._backups.restore(name)
        except TriptychError as error:
            self._done(_("Not restored: {error}").format(error=fault_text(error)))
            return
        count = len(report.sessions)
        words = ngettext("{n} session was added.", "{n} sessions were added.", count).format(n=count)
        if items := items_text(one.kind for one in report.items):
            words += " " + _("Added as well: {items}.").format(items=items)
        self._done(words)
        self.restored.emit()

    def _busy(self, words: str) -> None:
        for part in (self.save, self.now, self.look, self.version):
            part.setEnabled(False)
        self._tell(words)

    def _done(self, words: str) -> None:
        if shiboken6.isValid(self):
            self.save.setEnabled(True)
            self.version.setEnabled(True)
            self._fit()
        self._tell(words)

    def _tell(self, words: str) -> None:
        if shiboken6.isValid(self):
            self.note.setText(words)


def _items_lines(preview: BackupPreview) -> list[str]:
    """What it would bring beside the sessions."""
    lines: list[str] = []
    if new := items_text(one.kind for one in preview.new_items):
        lines.append(_("Not here either: {items}.").format(items=new))
    if changed := items_text(one.kind for one in preview.changed_items):
        lines.append(_("Here in another state, both are kept: {items}.").format(items=changed))
    if any(one.kind == "settings" for one in preview.changed_items):
        lines.append(_("Settings you have changed here stay as they are."))
    if preview.version.items:
        lines.append(_("Keys, permissions and tool servers are in no backup; skills are looked at before use."))
    return lines


def _button(text: str, then: Callable[..., object]) -> QPushButton:
    button = QPushButton(text)
    button.setAutoDefault(False)
    button.clicked.connect(then)
    return button
