"""The folder of the open session: picked by the person, shown above the message field."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog

from app.core.errors import TriptychError
from app.core.text.i18n import N_, _
from app.ui.texts import fault_text
from app.ui.widgets.selectors.selector import Option

from .bars.folder_bar import FolderBar

if TYPE_CHECKING:
    from app.core.profile import AgentProfile
    from app.services.workspace.service import WorkspaceService
    from app.ui.chat.composer import Composer
    from app.ui.main_window.open_session import OpenSession
    from app.ui.main_window.session.choices import Choices
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent
    from app.ui.widgets.notice_bar import NoticeBar

_TIPS = {
    "plan": N_("Nothing in the folder can be changed"),
    "build": N_("Each change is shown before it is made"),
    "auto": N_("Edits and moves are made at once; the bin still asks. All of it can be undone"),
}


class FolderController(QObject):
    page_asked = Signal()
    """The page of the folder shall be shown, or put away."""

    def __init__(
        self,
        parent: DialogParent,
        composer: Composer,
        notice: NoticeBar,
        tasks: Tasks,
        *,
        open_session: OpenSession,
        choices: Choices,
        workspace: WorkspaceService,
    ) -> None:
        super().__init__(composer)
        self._parent, self._composer, self._notice, self._tasks = parent, composer, notice, tasks
        self._open_session, self._choices, self._workspace = open_session, choices, workspace
        self._bar: FolderBar | None = None
        self._profile: AgentProfile | None = None
        choices.agent_shown.connect(self._agent_shown)
        open_session.changed.connect(self._refresh)
        self._stop = workspace.listen(lambda _id: self._refresh())

    def close(self) -> None:
        self._stop()

    def set_theme(self) -> None:
        if self._bar is not None:
            self._bar.set_theme(self._parent.theme)

    def offer_page(self, is_offered: bool) -> None:
        self._made().page.setVisible(is_offered)

    def _agent_shown(self, profile: AgentProfile) -> None:
        self._profile = profile
        self._refresh()

    def _refresh(self) -> None:
        if self._profile is not None:
            self._tasks.spawn(self._show(self._open_session.id), "show the folder")

    async def _show(self, session: str) -> None:
        profile, workspace = self._profile, self._workspace
        if profile is None:
            return
        await workspace.ready_for(profile)
        can_have = workspace.can_have(profile)
        if self._bar is None and not can_have:
            return  # The bar is made for the first agent that needs it: a start without one costs nothing.
        choice = await workspace.choice(session)
        notes = await workspace.notes(profile, choice)
        if session != self._open_session.id or profile is not self._profile:
            return
        bar = self._made()
        bar.setVisible(can_have)
        bar.show_folder(str(choice.root or ""), notes.names)
        options = [Option(one.id, _(one.label), tip=_(_TIPS.get(one.id, ""))) for one in workspace.presets(profile)]
        preset = workspace.preset_of(profile, choice)
        bar.show_presets(options, preset.id if preset is not None else "")

    def _made(self) -> FolderBar:
        if self._bar is None:
            bar = self._bar = FolderBar(self._parent.theme)
            bar.pick_asked.connect(self._choose)
            bar.left.connect(lambda: self._tasks.spawn(self._pick(None)))
            bar.preset_chosen.connect(lambda one: self._tasks.spawn(self._workspace.set_preset(self._session, one)))
            bar.page_asked.connect(self.page_asked)
            self._composer.put_above_field(bar)
        return self._bar

    @property
    def _session(self) -> str:
        return self._open_session.id

    def _choose(self) -> None:
        dialog = QFileDialog(self._parent, _("Pick the folder to work in"))
        dialog.setObjectName("folderDialog")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda path: self._tasks.spawn(self._pick(Path(path))))
        dialog.open()

    async def _pick(self, folder: Path | None) -> None:
        try:
            await self._workspace.pick(self._session, folder)
        except TriptychError as error:
            self._notice.tell(fault_text(error), "warn")
