"""The composed application, offscreen: real services, a disk of its own, a model that plays a script."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QInputMethodEvent, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QRadioButton, QWidget

from app.core.session.summary import SessionRow
from app.services.container import Services
from app.services.data.first_look import FirstLook
from app.ui.application import Application
from app.ui.chat.rows.items import AssistantRow, Row, UserRow
from tests.rigs.domain_imports import DomainImports
from tests.ui import screen

_W = TypeVar("_W", bound=QWidget)


class Driver:
    """What a person at the window can do and see; waits by watching, never by a nested loop."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.window = application.window

    @property
    def desk(self) -> Any:
        return self.application._desk

    @property
    def services(self) -> Services:
        services = self.application.services
        assert services is not None, "the window has its services"
        return services

    def start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """As the window does it: in a task of its own, whose failure it hears of."""
        tasks = self.application._tasks
        assert tasks is not None
        return tasks.start(work)

    def command(self, id: str) -> None:
        """As from the menu, by its key or from the palette."""
        self.desk.actions[id].trigger()

    @property
    def session(self) -> str:
        """The id of the open session, "" before its first question."""
        row = self.desk.conversation.row
        return row.id if row is not None else ""

    def draft(self) -> str:
        """The text in the composer."""
        return self.window.composer.text()

    def writes(self, text: str) -> None:
        """`text` in the composer, in the place of what was there."""
        self.window.composer.fill(text)

    def saves_draft(self) -> None:
        """Now, not a moment after the last key."""
        self.window.composer.flush_draft()

    def files(self) -> Sequence[Any]:
        """What is attached to the draft."""
        files: Sequence[Any] = self.window.composer._files
        return files

    def notice(self) -> str:
        """The sentence above the composer."""
        return self.window.notice.text()

    def notice_button(self) -> str:
        """What its button says; "" where it has none."""
        return "".join(button.text() for button in self.all_of(QPushButton) if button.objectName() == "noticeAction")

    def presses_notice(self) -> None:
        """A click on the button of the sentence above the composer."""
        (button,) = (one for one in self.all_of(QPushButton) if one.objectName() == "noticeAction")
        screen.click(button)

    def is_in_composer(self) -> bool:
        """Whether the composer has the focus."""
        focused: bool = self.window.composer.field.hasFocus()
        return focused

    def goes_to_composer(self) -> None:
        self.window.composer.focus()

    def state(self) -> str:
        """What goes on, as the chip of the agent says it; "" = nothing does."""
        return self.window.header.agent.suffix()

    def title(self) -> str:
        """That of the session, whole where the header shortens it."""
        return self.window.header.title.full_text()

    def is_open(self) -> bool:
        """Whether the window is on the screen."""
        return self.window.isVisible()

    def resize(self, width: int, height: int) -> None:
        self.window.resize(width, height)

    def comes_forward(self) -> None:
        """The window has the keys."""
        self.window.activateWindow()

    def focused(self) -> Any:
        """The widget that has the keys in the window, else None."""
        return self.window.focusWidget()

    def picture(self) -> QPixmap:
        """The window as it is painted."""
        return self.window.grab()

    def mode(self) -> str:
        return self.window.modes.mode()

    def all_of(self, kind: type[_W]) -> list[_W]:
        """What of this kind is on the screen, dialogs included."""
        return [one for one in self.window.findChildren(kind) if one.isVisible()]

    def one(self, kind: type[_W]) -> _W:
        """The only one of this kind on the screen."""
        found = self.all_of(kind)
        assert len(found) == 1, f"{len(found)} × {kind.__name__} on the screen"
        return found[0]

    async def sees(self, kind: type[_W]) -> _W:
        """The only one of this kind, once it is on the screen."""
        await self.until(lambda: self.all_of(kind), kind.__name__)
        return self.one(kind)

    def chooses_mode(self, mode: str) -> None:
        """A press on its position beside the composer."""
        modes = self.window.modes
        screen.click(modes.findChildren(QRadioButton)[modes.modes().index(mode)])
        assert modes.mode() == mode

    def type(self, text: str) -> None:
        self.window.composer.focus()
        QTest.keyClicks(self.window.composer.field, text)

    def composes(self, text: str) -> None:
        """An input method hands `text` to the composer: what stands on no key."""
        event = QInputMethodEvent()
        event.setCommitString(text)
        QCoreApplication.sendEvent(self.window.composer.field, event)

    def press(self, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.window.composer.field, key, held)

    def ask(self, text: str) -> None:
        self.window.composer.fill(text)
        self.press(Qt.Key.Key_Return)

    def rows(self) -> list[Row]:
        rows: list[Row] = self.desk.chat.rows()
        return rows

    def answers(self) -> list[str]:
        """The visible text of every answer, oldest first."""
        answers: list[str] = self.desk.answers()
        return answers

    def questions(self) -> list[str]:
        return [row.text for row in self.rows() if isinstance(row, UserRow)]

    def last(self) -> AssistantRow:
        return next(row for row in reversed(self.rows()) if isinstance(row, AssistantRow))

    def sessions(self) -> list[SessionRow]:
        """What the list shows at this moment; it is filled some moments after what changes it: see `listed`."""
        model = self.window.sessions.model
        return [row for n in range(model.rowCount()) if (row := model.lines.row_at(n)) is not None]

    def is_running(self) -> bool:
        return self.desk.conversation.run.handle is not None

    async def until(self, true: Callable[[], object], what: str, seconds: float = 60.0) -> None:
        end = time.monotonic() + seconds
        while not true():
            if time.monotonic() > end:
                pytest.fail(f"never happened: {what}; {self._seen()}")
            await asyncio.sleep(0.005)

    def _seen(self) -> str:
        """For who reads of a failure that does not come again."""
        try:
            return (
                f"answers {self.answers()}, questions {self.questions()}, running {self.is_running()}, "
                f"draft {self.draft()!r}, notice {self.notice()!r}"
            )
        except Exception as error:
            return f"nothing can be seen: {error!r}"

    async def listed(self, count: int = 1) -> list[SessionRow]:
        """The sessions in the list, once it shows as many."""
        await self.until(lambda: len(self.sessions()) == count, f"{count} sessions in the list")
        return self.sessions()

    async def asked(self, text: str) -> None:
        """Ask, and wait for the whole answer."""
        await self.begun(text)
        await self.done()

    async def begun(self, text: str) -> None:
        """Ask, and wait for the row of its answer: the one below the new question, not one more than there were. The
        row of a pressed button goes when it is read back, so the number of answers may stay."""
        before = len(self.questions())
        self.ask(text)
        await self.until(
            lambda: len(self.questions()) > before and isinstance(self.rows()[-1], AssistantRow), "an answer row"
        )

    async def ready(self) -> None:
        await self.application.ready()

    async def closes(self) -> None:
        """The program is closed; what its window shows may still be looked at."""
        await self.application.close()

    async def leave(self) -> None:
        """The program is closed, and nothing of its window is left: for tests that open hundreds."""
        await self.application.close()
        if self.application._tasks is not None:
            await self.application._tasks.finish("goodbye")  # the one that began when the test closed the window
        if shiboken6.isValid(self.window):
            self.window.deleteLater()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    async def done(self) -> None:
        """The answer is complete and on disk."""
        await self.until(lambda: not self.is_running(), "the end of the run")
        await self.application.services.chat.recorded()  # type: ignore[union-attr]

    async def settled(self) -> None:
        """And read again: the rows of the answer are painted anew then, and lose what was clicked a moment before."""
        await self.done()
        messages = self.desk.conversation.messages

        def is_read() -> bool:
            """Not the one before it."""
            shown = messages.message(self.last().id)
            return shown is not None and shown is messages.line.messages[-1] and shown.end is not None

        await self.until(is_read, "the line read again")


class Open(Protocol):
    async def __call__(
        self,
        *turns: dict[str, Any],
        agent: str = "assistant",
        model: str | None = None,
        ready: bool = True,
        session: str | None = None,
    ) -> Driver: ...


@pytest.fixture
async def open_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Open]:
    """Opens the application on the test's data folder; again = a second start after the first was closed."""
    opened: list[Application] = []
    # A slow disk is no hanging one; what hangs is tried by whole processes.
    monkeypatch.setattr("app.ui.application.app.GOODBYE_SECONDS", 60.0)
    monkeypatch.setattr("app.services.runs.active_runs.STOP_WAIT", 60.0)
    # What is loaded for good is so for this window only.
    monkeypatch.setattr("app.ui.application.garbage.GarbageCollection.exempt_loaded", lambda _self: None)
    imports = DomainImports(monkeypatch)

    async def open_it(
        *turns: dict[str, Any],
        agent: str = "assistant",
        model: str | None = None,
        ready: bool = True,
        session: str | None = None,
    ) -> Driver:
        if model is None:
            script = tmp_path / f"script{len(opened)}.json"
            script.write_text(json.dumps({"turns": turns or [{"content": "yes"}], "repeat_last": True}))
            model = f"script/{script}"
        monkeypatch.setenv("TRIPTYCH_MODEL", model)

        def start_services() -> Any:
            from app.compose import build
            from app.ui.application.compose import Composition

            monkeypatch.setattr("app.compose.BUILTIN", imports.fresh())
            return Composition(build(tmp_path / "data"))

        (tmp_path / "data").mkdir(exist_ok=True)
        application = Application(
            FirstLook(tmp_path / "data", language="en", theme="light", agent=agent, session=session), start_services
        )
        opened.append(application)
        application.window.resize(1280, 820)
        application.window.show()
        if ready:
            await application.ready()
        return Driver(application)

    yield open_it
    for application in opened:
        await Driver(application).leave()
    assert imports.by_window == [], "a domain is imported in a thread, before the window's asks for it"
