"""The application: paints first, loads while one looks, and says goodbye in order.

The start has two phases. First the shell: window, session list, a composer that takes typing,
nothing that is heavy to import. After its first paint a thread imports the rest and makes the
services; then the event loop begins and the desk is set up. What was sent in between is sent then.

Long because it is one life from the first paint to the goodbye, and each stage leans on the one before.
"""

from __future__ import annotations

import logging
import signal
import sys
import threading
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLibraryInfo, QObject, QSettings, QTimer, QTranslator, Signal

from app.core.stop_signals import StopSignals
from app.core.text.i18n import _, current_language, set_language
from app.services.data.first_look import FirstLook
from app.ui.application.faults import Faults
from app.ui.application.garbage import GarbageCollection
from app.ui.application.look import Look
from app.ui.application.qt import start_qt
from app.ui.main_window import MainWindow
from app.ui.texts import fault_text

if TYPE_CHECKING:
    import asyncio

    from app.core.errors import TriptychError
    from app.core.preferences import Preferences
    from app.services.container import Services
    from app.ui.application.loop import TriptychLoop
    from app.ui.application.single import Doorbell
    from app.ui.main_window.window_controller import WindowController
    from app.ui.tasks import Tasks

_log = logging.getLogger(__name__)
GOODBYE_SECONDS = 4.0
"""What hangs longer than this is left behind."""
_LASTS_MS = 10_000
_SWITCH_SECONDS = 0.001
"""Seconds after which a thread at work hands the interpreter back. Each call of the window into Qt lets go of it,
so with the usual 5 ms a thread that loads modules, reads a session or colours code would stall the window.
"""


class Application(QObject):
    _services_made = Signal(object)
    _services_failed = Signal(object)
    lasted = Signal()
    """The start went well: it has lasted for a while, or ended in order."""

    def __init__(self, first: FirstLook, start_services: Callable[[], Services]) -> None:
        """`start_services` runs in a thread of its own, without an event loop; imports belong in there."""
        self._app = start_qt()
        super().__init__()
        if first.language:
            set_language(first.language)
        self.other_folder: Path | None = None
        """The folder to start again with, where the present one was named on the command line."""
        self.wants_restart = False
        """It ends only to start again; whoever has called `run` sees to that."""
        self._garbage = GarbageCollection(self)
        self._first, self._start_services = first, start_services
        self._services: Services | None = None
        self._desk: WindowController | None = None
        self._tasks: Tasks | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing: asyncio.Event | None = None
        self._ready: asyncio.Event | None = None
        self._trouble: TriptychError | None = None
        """Why the data could be read only."""
        self._cut_off: list[str] = []
        """Sessions whose last answer ended with the process before this one."""
        self._then: list[Callable[[WindowController], Coroutine[Any, Any, None]]] = []
        self._is_loading = self._is_leaving = self._is_closed = self._in_first_phase = self._is_open = False
        self._doorbell: Doorbell | None = None
        self._translator = QTranslator(self)
        self._language = ""
        self._retranslating: asyncio.Task[None] | None = None
        self._faults = Faults()
        self._faults.reported.connect(self._tell_fault)
        self._services_made.connect(self._begin)
        self._services_failed.connect(self._cannot_begin)
        fonts = (first.text_font, first.code_font)
        self._is_keeping_zoom = False
        self._look = Look(self._app, first.theme, first.zoom, fonts=fonts, still=first.reduced_motion)
        settings = QSettings(str(first.data_dir / "window.ini"), QSettings.Format.IniFormat)
        self.window = self._make_window(first, settings)
        self._look.put_on()
        self.window.painted.connect(self._load)

    start_qt = staticmethod(start_qt)
    """What can be done, and fail, before anything of the program."""

    def _make_window(self, first: FirstLook, settings: QSettings) -> MainWindow:
        window = MainWindow(first, self._look.theme, settings)
        window.close_asked.connect(self._leave)
        window.restart_asked.connect(self._restart)
        return window

    # ------------------------------------------------------------ running

    def run(self) -> int:
        """Until the window is closed. Returns the exit code."""
        self._faults.install()
        signal.signal(signal.SIGINT, lambda *_args: self._close_window())
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
            self._stop_hearing()

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
        if self._services is not None:
            self._set_up(self._services)
        await closing.wait()
        await self.close()

    # ------------------------------------------------------------ the second phase

    def _load(self) -> None:
        if not self._is_loading:
            self._is_loading = True
            threading.Thread(target=self._load_in_thread, name="triptych-start", daemon=True).start()

    def _load_in_thread(self) -> None:
        sys.setswitchinterval(_SWITCH_SECONDS)
        try:
            from app.ui.application import loop
            from app.ui.main_window import compose

            del loop, compose
            services = self._start_services()
        except BaseException as error:  # noqa: BLE001  told in the window; a silent empty shell would be worse
            self._services_failed.emit(error)
        else:
            self._services_made.emit(services)

    @property
    def services(self) -> Services | None:
        """None until they are made."""
        return self._services

    def _begin(self, services: Services) -> None:
        self._services = services
        if self._is_leaving:
            return
        if self._in_first_phase:
            # `run` goes on with the loop; a loop inside this one would be nested.
            self._app.exit()
        else:
            self._set_up(services)

    def _set_up(self, services: Services) -> None:
        from app.ui.tasks import Tasks

        loop = self._own_loop()
        loop.set_exception_handler(self._faults.from_loop)
        self._tasks = Tasks(loop, self._task_failed)
        self._translate()
        self._tasks.spawn(self._attach_or_tell(services), "set up the desk")

    async def _attach_or_tell(self, services: Services) -> None:
        try:
            await self._attach(services)
        except Exception as error:  # noqa: BLE001 - told in the window; a silent empty shell would be worse
            self._cannot_begin(error)

    async def _attach(self, services: Services) -> None:
        from app.ui.application.data_opening import DataOpening
        from app.ui.main_window.compose import compose_window

        assert self._tasks is not None
        opening = DataOpening(
            self.window, self._tasks,
            lifecycle=services.lifecycle, sessions=services.sessions, backups=services.backups,
        )  # fmt: skip
        opening.folder_chosen.connect(self._use_folder)
        if not await opening.open():
            self.window.close()
            return
        self._is_open, self._cut_off, self._trouble = True, opening.cut_off, opening.trouble
        if self._trouble is None:
            services.lifecycle.begin_keeping()
        self._desk = await compose_window(self.window, services, self._tasks)
        self._desk.zoom.asked.connect(self._set_zoom)
        self._look.listen(self._theme_changed)
        self._look.ask_desktop()
        self._language = services.settings.preferences.language
        services.settings.listen(self._preferences_changed)
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
        self._tasks.spawn(self._desk.warm_up())
        self._do_what_waited()

    def _use_folder(self, folder: Path) -> None:
        """The person chose another data folder: used from the next start on, which follows at once."""
        services, self.wants_restart = self._services, True
        if services is None or self._tasks is None or not services.data_folder.may_move:
            self.other_folder = folder
        else:
            self._tasks.spawn(services.data_folder.use(folder), "keep draft")

    def _cannot_begin(self, error: BaseException) -> None:
        _log.error("the services could not be started", exc_info=error)
        self.window.notice.tell(_("Triptych could not start: {error}").format(error=fault_text(error)), "error")

    def _do_what_waited(self) -> None:
        waiting, self._then = self._then, []
        assert self._tasks is not None
        assert self._desk is not None
        for then in waiting:
            self._tasks.spawn(then(self._desk))

    def when_ready(self, then: Callable[[WindowController], Coroutine[Any, Any, None]]) -> None:
        """Start this as soon as questions can be sent."""
        self._then.append(then)

    async def ready(self) -> None:
        """Returns when questions can be sent. For tests and scripts that drive the window themselves."""
        import asyncio

        self._ready = self._ready or asyncio.Event()
        if self.window.is_ready:
            return
        self._load()
        await self._ready.wait()

    # ------------------------------------------------------------ further starts

    def hear_at(self, address: str, deaf: Callable[[], None]) -> None:
        """From the first paint on, a further start of the program is heard there; `deaf` is called if none can be."""
        self.window.painted.connect(partial(self._hear, address, deaf))

    def _hear(self, address: str, deaf: Callable[[], None]) -> None:
        from app.ui.application.single import Doorbell

        self._doorbell = Doorbell(self)
        self._doorbell.rung.connect(self._come_forward)
        self._doorbell.ask_wanted.connect(self.quick_ask)
        if not self._doorbell.listen(address):
            _log.warning("a further start of the program will not be heard")
            deaf()

    def _stop_hearing(self) -> None:
        if self._doorbell is not None:
            self._doorbell.close()

    def _come_forward(self, session: str, agent: str) -> None:
        self.window.come_forward()
        if not (session or agent):
            return

        async def visit(desk: WindowController) -> None:
            await desk.navigator.visit(session, agent)

        self.when_ready(visit)
        if self.window.is_ready:
            self._do_what_waited()

    def quick_ask(self) -> None:
        """The small window for one question, as soon as questions can be sent."""

        async def ask(desk: WindowController) -> None:
            desk.actions["ask"].trigger()

        self.when_ready(ask)
        if self.window.is_ready:
            self._do_what_waited()

    # ------------------------------------------------------------ goodbye

    async def close(self) -> None:
        """Runs are stopped and written, services closed, the window let go; bounded, whatever hangs."""
        import asyncio

        if self._is_closed:
            return
        self._is_closed = self._is_leaving = True
        self._stop_hearing()
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
        if self._services is not None and self._is_open:
            await self._services.chat.active.stop_all()
        if self._tasks is not None:
            await self._tasks.settle()  # what a click has started ends before the data it reads is closed
        if self._services is not None and self._is_open:
            await self._services.close()

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

    def _set_zoom(self, percent: int) -> None:
        if self._services is None or self._tasks is None:
            return
        settings, percent = self._services.settings, min(250, max(60, percent))
        # Shown at once, so that the next press counts from here; what was reached by then is kept.
        self._show_look(settings.preferences, percent)

        async def keep() -> None:
            self._is_keeping_zoom = True
            try:
                while self._look.zoom != settings.preferences.zoom:
                    zoomed = settings.preferences.model_copy(update={"zoom": self._look.zoom})
                    await settings.save_preferences(zoomed)
            finally:
                self._is_keeping_zoom = False

        if not self._is_keeping_zoom:
            self._tasks.spawn(keep(), "keep zoom")

    def _show_look(self, preferences: Preferences, zoom: int) -> None:
        fonts = (preferences.text_font, preferences.code_font)
        self._look.set(preferences.theme, zoom, fonts=fonts, still=preferences.reduced_motion)

    def _preferences_changed(self) -> None:
        if self._services is not None:
            preferences = self._services.settings.preferences
            self._show_look(preferences, self._look.zoom if self._is_keeping_zoom else preferences.zoom)
            if preferences.language != self._language:
                self._language = preferences.language
                self._speak_another()

    def _speak_another(self) -> None:
        """The language of the preferences, at once."""
        before = current_language()
        if set_language(self._language) != before and self._loop is not None and not self._is_leaving:
            self._retranslating = self._loop.create_task(self._make_anew(), name="window in another language")

    async def _make_anew(self) -> None:
        """Another window in the place of this one: session, draft and size stay, and what runs goes on."""
        from app.ui.main_window.compose import compose_window

        old, desk, tasks, services = self.window, self._desk, self._tasks, self._services
        if desk is None or tasks is None or services is None:
            return
        row, agent, was_open = desk.conversation.row, desk.conversation.choices.agent, desk.settings.is_open
        old.save_state()
        desk.close()
        await tasks.finish("keep draft")
        await tasks.settle()
        self._translate()
        first = replace(
            self._first,
            language=current_language(),
            sessions=tuple(await services.sessions.rows()),
            session=row.id if row is not None else None,
            agent="" if row is not None else agent,
        )
        self.window = self._make_window(first, old.settings)
        if not (old.isMaximized() or old.isFullScreen()):
            self.window.setGeometry(old.geometry())
        self._tasks = type(tasks)(tasks.loop, self._faults.report)
        self._desk = await compose_window(self.window, services, self._tasks)
        self._desk.zoom.asked.connect(self._set_zoom)
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

    def _translate(self) -> None:
        """Qt's own words: context menus, file dialogs."""
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        self._app.removeTranslator(self._translator)
        language = current_language()
        if language != "en" and self._translator.load(f"qtbase_{language}", folder):
            self._app.installTranslator(self._translator)

    def _task_failed(self, error: BaseException) -> None:
        """Of what the person asked for. What went wrong outside is said each time; only bugs go to the last net."""
        from app.core.errors import TriptychError
        from app.ui.texts import error_text

        if isinstance(error, TriptychError):
            _log.warning("not done: %s", error, exc_info=error)
            text = error_text(error.code, error.message, error.params)
            self.window.notice.tell(f"{text.what} {text.do}".strip(), "warn")
        else:
            self._faults.report(error)

    def _tell_fault(self, kind: str) -> None:
        text = _("Something unexpected happened ({kind}). The work goes on; the log has the details.")
        self.window.notice.tell(text.format(kind=kind), "warn")

    # ------------------------------------------------------------ the loop

    def _own_loop(self) -> asyncio.AbstractEventLoop:
        """The loop that runs already (a test's), or one of ours."""
        if self._loop is None:
            import asyncio

            running = asyncio._get_running_loop()  # noqa: SLF001  asks without raising
            self._loop = running or self._new_loop()
        return self._loop

    def _new_loop(self) -> TriptychLoop:
        from app.ui.application.loop import TriptychLoop
        from app.ui.application.workers import Workers

        loop = TriptychLoop(self._app)
        loop.set_default_executor(Workers())
        return loop

    def _closing_event(self) -> asyncio.Event:
        import asyncio

        if self._closing is None:
            self._closing = asyncio.Event()
        if self._is_leaving:
            self._closing.set()
        return self._closing
