"""A press on a picture that stands elsewhere: the address is shown, and asked once the person says so (T01)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.ui.dialogs import ask_to_load_picture

if TYPE_CHECKING:
    from app.ui.render.parts.pictures import PictureLoader
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent


class RemotePictures(QObject):
    """Each press is one question and at most one request; where the site sends on, that is asked anew."""

    def __init__(self, parent: DialogParent, pictures: PictureLoader, tasks: Tasks) -> None:
        super().__init__(parent)
        self._parent, self._pictures, self._tasks = parent, pictures, tasks
        pictures.wanted.connect(self._wanted)

    def _wanted(self, address: str, _name: str) -> None:
        self._ask(address, address, moved=False)

    def _ask(self, address: str, source: str, *, moved: bool) -> None:
        ask_to_load_picture(
            self._parent, self._parent.theme, source, partial(self._agreed, address, source), moved=moved
        )

    def _agreed(self, address: str, source: str) -> None:
        self._tasks.spawn(self._load(address, source))

    async def _load(self, address: str, source: str) -> None:
        location = await self._pictures.load(address, source)
        if location:
            self._ask(address, location, moved=True)
