"""The open text of the page and its file: counted and saved while it is typed, read again when somebody else wrote it.

What is typed is in the file a moment later; what the text was before is a version first. A file that changed meanwhile
is never written over: the page shows what it holds now, and what was typed is a version beside it.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.core.errors import ToolError, TriptychError
from app.core.page import PageText
from app.core.text.i18n import _, current_language

if TYPE_CHECKING:
    from app.services.workspace.pages import OpenPage
    from app.ui.page import PagePane
    from app.ui.tasks import Tasks

SAVE_MS, LOOK_MS, COUNT_MS = 600, 2_000, 250
SAVING = "save the page"


class OpenText(QObject):
    def __init__(self, parent: QObject, tasks: Tasks) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._pane: PagePane | None = None
        self._page: OpenPage | None = None
        self._text: PageText | None = None
        self._wanted = ""
        """The text that is asked for, which may still be read."""
        self._saved = ""
        """What the file of the open text holds, as far as is known."""
        self._kept: set[str] = set()
        """Texts whose state before the person's first change is a version."""
        self._is_live = False
        """A tool writes into what is shown."""
        self._lock = asyncio.Lock()
        self._save_timer, self._count_timer = self._timer(SAVE_MS), self._timer(COUNT_MS)
        self._look = self._timer(LOOK_MS, is_repeated=True)
        tasks.spawn_on(self._save_timer.timeout, self._save, SAVING)
        self._count_timer.timeout.connect(self._count)
        tasks.spawn_on(self._look.timeout, self._look_at_file, "look at the page's file")

    @property
    def is_open(self) -> bool:
        return self._pane is not None and not self._pane.isHidden()

    # ------------------------------------------------------------ written

    def _typed(self) -> str:
        return self._pane.editor.text() if self._pane is not None else self._saved

    def _is_changed(self) -> bool:
        is_shown = self._pane is not None and self._text is not None and not self._pane.editor.isReadOnly()
        return is_shown and not self._is_live and self._typed() != self._saved

    def _edited(self) -> None:
        self._save_timer.start()
        self._count_timer.start()
        if self._pane is not None:
            self._pane.foot.state.setText("…")

    async def _save(self) -> None:
        if self._page is not None and self._text is not None and self._is_changed():
            await self._write(self._page, self._text, self._typed())

    async def _write(self, page: OpenPage, before: PageText, typed: str) -> None:
        async with self._lock:
            is_open = self._text is not None and self._text.id == before.id
            base = self._text.sha if self._text is not None and is_open else before.sha
            try:
                sha = await page.save(before.id, typed, base, keeps=before.id not in self._kept)
            except ToolError as error:
                self._tell_fault(error)
                if error.tool_code == "STALE":
                    await self._give_way(page, before.id, typed)
                return
            except OSError as error:
                self._tell_fault(error)
                return
            self._kept.add(before.id)
            if self._text is not None and self._text.id == before.id:
                self._text = PageText(
                    before.id, typed, sha, before.goal, before.draft, before.is_indented
                )  # fmt: skip
                self._saved = typed
                if self._pane is not None:
                    self._pane.foot.state.setText(_("Saved"))

    async def _give_way(self, page: OpenPage, id: str, typed: str) -> None:
        """What is typed is a version now, also what was typed in the meantime; what the file holds is shown."""
        while self._text is not None and self._text.id == id and (now := self._typed()) != typed:
            typed = now
            with suppress(ToolError):
                await page.save(id, typed, "", keeps=False)
        if self._text is not None and self._text.id == id:
            await self._reread(id)

    async def _reread(self, id: str) -> None:
        if self._page is not None and self._pane is not None:
            is_same = self._text is not None and self._text.id == id
            self._text = await self._page.text(id)
            self._saved = self._text.text
            self._pane.show_text(self._text, is_same=is_same)
            self._count()

    async def _look_at_file(self) -> None:
        """Another program may have written the open text."""
        page, text = self._page, self._text
        if page is None or text is None or not self.is_open or self._is_live or self._lock.locked():
            return
        try:
            sha = await page.sha(text.id)
            if sha == text.sha or self._text is not text or self._is_changed():
                return
            if not sha:
                self._tell(_("The file of this text is gone; what is shown here is kept when you change it."))
                return
            await self._reread(text.id)
        except (TriptychError, OSError) as error:
            self._tell_fault(error)
            return
        self._tell(_("The text was changed outside and has been read again."))

    def _count(self) -> None:
        if self._page is None or self._pane is None:
            return
        goal = self._text.goal if self._text is not None else 0
        count = self._page.count(self._typed())
        self._pane.foot.show_count(count, goal, self._page.count_text(count, goal))

    # ------------------------------------------------------------ small things

    def _tell(self, text: str) -> None:
        if self._pane is not None:
            self._pane.tell(text)

    def _tell_fault(self, error: Exception) -> None:
        words = error.worded(current_language())[0] if isinstance(error, ToolError) else str(error)
        self._tell(words)

    def _timer(self, milliseconds: int, *, is_repeated: bool = False) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(not is_repeated)
        timer.setInterval(milliseconds)
        return timer
