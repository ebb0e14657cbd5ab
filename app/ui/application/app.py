"""The application: paints first, loads while one looks, and shuts down in order.

The start has two phases. First the shell: window, session list, a composer that takes typing,
nothing that is heavy to import. After its first paint a thread imports the rest and makes the
services; then the event loop begins and the desk is set up. What was sent in between is sent then.
"""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSettings, QTimer, Signal

from app.core.system.stop_signals import StopSignals
from app.core.text.i18n import _, current_language, set_language
from app.services.data.first_look import FirstLook
from app.ui.application.appearance import Appearance
from app.ui.application.faults import Faults
from app.ui.application.further_starts import FurtherStarts, Then, asking, importing, visiting
from app.ui.application.garbage import GarbageCollection
from app.ui.application.loading import Loading
from app.ui.application.qt import start_qt
from app.ui.main_window import MainWindow

if TYPE_CHECKING:
    import asyncio

    from app.core.errors import TriptychError
    from app.services.container import Services
    from app.ui.application.compose import Composition
    from app.ui.main_window.window_controller import WindowController
    from app.ui.tasks import Tasks

_log = logging.getLogger(__name__)
GOODBYE_SECONDS = 4.0
"""What hangs longer than this is left behind."""
_LASTS_MS = 10_000


class Application(QObject):
    lasted = Signal()
    """The start went well: it has lasted for a while, or ended in order."""

    def __init__(self, first: FirstLook, compose: Callable[[], Composition]) -> None:
        """`compose` runs in a thread of its own, without an event loop; imports belong in there."""
        self._app = start_qt()
        super().__init__()
        if first.language:
            set_language(first.language)
        self.other_folder: Path | None = None
        """The folder to start again with, where the present one was named on the command line."""
        self.wants_restart = False
        """It ends only to start again; whoever has called `run` sees to that."""
        self._garbage = GarbageCollection(self, is_waiting=True)
        self._first = first
        self._loading = Loading(compose, self)
        self._parts: Composition | None = None
        self._desk: WindowController | None = None
        self._tasks: Tasks | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing: asyncio.Event | None = None
        self._ready: asyncio.Event | None = None
        self._trouble: TriptychError | None = None
        """Why the data could be read only."""
        self._cut_off: list[str] = []
        """Sessions whose last answer ended with the process before this one."""
        self._then: list[Then] = []
        self._is_leaving = self._is_closed = self._in_first_phase = self._is_open = False
        self.further_starts = FurtherStarts(self)
        self.further_starts.window_wanted.connect(self._come_forward)
        self.further_starts.ask_wanted.connect(self.quick_ask)
        self.further_starts.files_wanted.connect(self.open_files)
        self._retranslating: asyncio.Task[None] | None = None
        self._faults = Faults()
        self._faults.warning.connect(self._warn)
        self._loading.loaded.connect(self._begin)
        self._loading.failed.connect(self._cannot_begin)
        self._appearance = Appearance(self._app, first, self)
        self._appearance.theme_changed.connect(self._theme_changed)
        self._appearance.language_changed.connect(self._speak_another)
        settings = QSettings(str(first.data_dir / "window.ini"), QSettings.Format.IniFormat)
        self.window = self._make_window(first, settings)
        self._appearance.put_on()
        self.window.painted.connect(self._load)

    start_qt = staticmethod(start_qt)
    """What can be done, and fail, before anything of the program."""

    def _make_window(self, first: FirstLook, settings: QSettings) -> MainWindow:
        window = MainWindow(first, self._appearance.theme, settings)
        window.close_asked.connect(self._leave)
        window.restart_asked.connect(self._restart)
        return window

    # ------------------------------------------------------------ running

    def run(self) -> int:
        """Until the window is closed. Returns the exit code."""
        self._faults.install()
        signal.signal(signal.SIGINT, self._interrupted)
        self.window.show()
        try:
            if self._loop is None:
                self._in_first_phase = True
                self._app.exec()
                self._in_first_phase = False
            if self._is_leaving and self._loop is None:
                self.window.save_state()
                return 0
            return self._run_loop()
        finally:
            self._faults.uninstall()
            self.further_starts.stop()

    def _interrupted(self, _number: int, _frame: object) -> None:
        self._close_window()

    def _close_window(self) -> None:
        """Whichever is the window by now."""
        self.window.closes_at_once = True
        self.window.close()

    def _run_loop(self) -> int:
        loop, numbers = self._own_loop(), list[int]()
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            # Ignored: whoever started us wants it so (nohup).
            if sys.platform != "win32" and signal.getsignal(number := getattr(signal, name)) is not signal.SIG_IGN:
                numbers.append(number)
        signals = StopSignals(loop, numbers, self._close_window, exit_code=1)
        signals.install()
        try:
            loop.run_until_complete(self._until_closed())
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()
            signals.uninstall()
        return 0

    async def _until_closed(self) -> None:
        closing = self._closing_event()
        if self._parts is not None:
            self._set_up(self._parts)
        await closing.wait()
        await self.close()

    # ------------------------------------------------------------ the second phase

    @property
    def services(self) -> Services | None:
        """For who drives the window from outside; None until they are made."""
        return self._parts.services if self._parts is not None else None

    def _load(self) -> None:
        # What waits at the window, the first keys among it, goes before a thread that keeps the interpreter busy.
        QTimer.singleShot(0, self, self._loading.start)

    def _begin(self, parts: Composition) -> None:
        self._parts = parts
        self._garbage.begin()
        if self._is_leaving:
            return
        if self._in_first_phase:
            # `run` continues with the loop; a loop inside this one would be nested.
            self._app.exit()
        else:
            self._set_up(parts)

    def _set_up(self, parts: Composition) -> None:
        from app.ui.tasks import Tasks

        loop = self._own_loop()
        loop.set_exception_handler(self._faults.from_loop)
        self._tasks = Tasks(loop, self._faults.task_failed)
        self._appearance.translate()
        self._tasks.spawn(self._attach_or_tell(parts), "set up the window")

    async def _attach_or_tell(self, parts: Composition) -> None:
        try:
            await self._attach(parts)
        except Exception as error:  # noqa: BLE001 - told in the window; a silent empty shell would be worse
            self._cannot_begin(error)

    async def _attach(self, parts: Composition) -> None:
        assert self._tasks is not None
        opening = parts.data_opening(self.window, self._tasks)
        opening.folder_chosen.connect(self._use_folder)
        if not await opening.open():
            self.window.close()
            return
        self._is_open, self._cut_off, self._trouble = True, opening.cut_off, opening.trouble
        if self._trouble is None:
            parts.lifecycle.begin_keeping()
        self._desk = await self._compose_window(parts, self._tasks)
        self._appearance.follow(parts.settings)
        self._garbage.exempt_loaded()
        try:
            await self._desk.start.begin(self._first, self._cut_off, self._trouble)
        except Exception as error:  # noqa: BLE001 - one thing that cannot be shown does not keep the window shut
            self._faults.report(error)
            self._desk.questions.can_answer()
        self.window.set_ready()
        QTimer.singleShot(_LASTS_MS, self, self.lasted.emit)
        if self._ready is not None:
            self._ready.set()
        self._tasks.spawn(parts.warm_up(self._desk, serves=self._trouble is None))
        self._do_what_waited()

    def _use_folder(self, folder: Path) -> None:
        """The person chose another data folder: used from the next start on, which follows at once."""
        parts, self.wants_restart = self._parts, True
        if parts is None or self._tasks is None or not parts.data_folder.may_move:
            self.other_folder = folder
        else:
            self._tasks.spawn(parts.data_folder.use(folder), "keep draft")

    def _cannot_begin(self, error: BaseException) -> None:
        from app.ui.texts import fault_text

        _log.error("the services could not be started", exc_info=error)
        self.window.notice.tell(_("Triptych could not start: {error}").format(error=fault_text(error)), "error")

    def _do_what_waited(self) -> None:
        waiting, self._then = self._then, []
        assert self._tasks is not None
        assert self._desk is not None
        for then in waiting:
            self._tasks.spawn(then(self._desk))

    def when_ready(self, then: Then) -> None:
        """Start this as soon as questions can be sent."""
        self._then.append(then)

    async def ready(self) -> None:
        """Returns when questions can be sent. For tests and scripts that drive the window themselves."""
        import asyncio

        self._ready = self._ready or asyncio.Event()
        if self.window.is_ready:
            return
        self._loading.start()
        await self._ready.wait()

    # ------------------------------------------------------------ further starts

    def hear_at(self, address: str, deaf: Callable[[], None]) -> None:
        """From the first paint on, a further start of the program is heard there; `deaf` is called if none can be."""
        self.window.painted.connect(partial(self.further_starts.hear, address, deaf))

    def _come_forward(self, session: str, agent: str) -> None:
        self.window.come_forward()
        if session or agent:
            self._soon(visiting(session, agent))

    def quick_ask(self) -> None:
        """The small window for one question, as soon as questions can be sent."""
        self._soon(asking)

    def open_files(self, files: Sequence[str]) -> None:
        """Exported sessions, as soon as that can be done."""
        self.window.come_forward()
        self._soon(importing(files))

    def _soon(self, then: Then) -> None:
        self.when_ready(then)
        if self.window.is_ready:
            self._do_what_waited()

    # ------------------------------------------------------------ shutdown

    async def close(self) -> None:
        """Runs are stopped and written, services closed, the window let go; bounded, whatever hangs."""
        import asyncio

        if self._is_closed:
            return
        self._is_closed = self._is_leaving = True
        self.further_starts.stop()
        self.lasted.emit()
        self.window.save_state()
        self.window.hide()
        try:
            async with asyncio.timeout(GOODBYE_SECONDS):
                await self._close_services()
        except TimeoutError:
            _log.warning("the goodbye took too long; what hangs is left behind")
        if self._tasks is not None:
            await self._tasks.settle()
        self.window.allow_close()
        self.window.close()

    async def _close_services(self) -> None:
        if self._desk is not None:
            self._desk.close()
        if self._tasks is not None:
            await self._tasks.finish("keep draft")
        if self._parts is not None and self._is_open:
            await self._parts.stop_runs()
        if self._tasks is not None:
            await self._tasks.settle()  # what a click has started ends before the data it reads is closed
        if self._parts is not None and self._is_open:
            await self._parts.close()

    def _restart(self) -> None:
        self.wants_restart = True
        self.window.close()

    def _leave(self) -> None:
        """The person closed the window."""
        self._is_leaving = True
        if self._closing is not None:
            self._closing.set()
        if self._in_first_phase:
            self._app.exit()
        elif self._closing is None and self._loop is not None and self._tasks is not None:
            self._tasks.spawn(self.close(), "goodbye")

    # ------------------------------------------------------------ looks and words

    def _speak_another(self) -> None:
        if self._loop is not None and not self._is_leaving:
            self._retranslating = self._loop.create_task(self._make_anew(), name="window in another language")

    async def _make_anew(self) -> None:
        """Another window in the place of this one: session, draft and size stay, and what runs continues."""
        old, desk, tasks, parts = self.window, self._desk, self._tasks, self._parts
        if desk is None or tasks is None or parts is None:
            return
        row, agent, was_open = desk.conversation.row, desk.conversation.choices.agent, desk.settings.is_open
        old.save_state()
        desk.close()
        await tasks.finish("keep draft")
        await tasks.settle()
        self._appearance.translate()
        first = replace(
            self._first,
            language=current_language(),
            sessions=tuple(await parts.sessions.rows()),
            session=row.id if row is not None else None,
            agent="" if row is not None else agent,
        )
        self.window = self._make_window(first, old.settings)
        if not (old.isMaximized() or old.isFullScreen()):
            self.window.setGeometry(old.geometry())
        self._tasks = type(tasks)(tasks.loop, self._faults.task_failed)
        self._desk = await self._compose_window(parts, self._tasks)
        await self._desk.start.begin(first, (), self._trouble)
        self.window.set_ready()
        self.window.show()
        old.hide()
        old.allow_close()
        old.close()
        old.deleteLater()
        self._do_what_waited()
        if was_open:
            self._desk.settings.show()

    def _theme_changed(self, theme: Any) -> None:
        self.window.set_theme(theme)
        if self._desk is not None:
            self._desk.set_theme(theme)

    async def _compose_window(self, parts: Composition, tasks: Tasks) -> WindowController:
        desk = await parts.window_controller(self.window, tasks)
        desk.zoom.asked.connect(self._appearance.set_zoom)
        self._appearance.use_tasks(tasks)
        return desk

    def _warn(self, text: str) -> None:
        self.window.notice.tell(text, "warn")

    # ------------------------------------------------------------ the loop

    def _own_loop(self) -> asyncio.AbstractEventLoop:
        """The loop that runs already (a test's), or one of ours."""
        if self._loop is None:
            import asyncio

            from app.ui.application.loop import new_loop

            running = asyncio._get_running_loop()  # noqa: SLF001  asks without raising
            self._loop = running or new_loop(self._app)
        return self._loop

    def _closing_event(self) -> asyncio.Event:
        import asyncio

        if self._closing is None:
            self._closing = asyncio.Event()
        if self._is_leaving:
            self._closing.set()
        return self._closing
