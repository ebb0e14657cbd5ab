"""Where the button of an error leads: asked again, a new session, the providers, the agent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, assert_never

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from app.ui.main_window.dialogs.settings import SettingsController
    from app.ui.main_window.session.choices import Choices
    from app.ui.main_window.session.error_notices import ErrorNotices
    from app.ui.main_window.session_actions.rerun import RerunController
    from app.ui.main_window.session_list.navigator import Navigator
    from app.ui.tasks import Tasks
    from app.ui.texts import NextAction
    from app.ui.widgets.notice_bar import NoticeBar


class WaysOut(QObject):
    def __init__(
        self,
        notice: NoticeBar,
        errors: ErrorNotices,
        tasks: Tasks,
        *,
        rerun: RerunController,
        navigator: Navigator,
        choices: Choices,
        settings: SettingsController,
    ) -> None:
        super().__init__(notice)
        self._notice, self._tasks = notice, tasks
        self._rerun, self._navigator, self._choices, self._settings = rerun, navigator, choices, settings
        errors.followed.connect(self.follow)

    def follow(self, way: NextAction) -> None:
        match way:
            case "retry" | "regenerate":
                self._tasks.spawn(self._rerun.ask())
            case "report":
                QGuiApplication.clipboard().setText(self._notice.text())
            case "new_session":
                self._navigator.new_session()
            case "providers":
                self._settings.show("providers")
            case "model":
                self._choices.offer_models()
            case "agent":
                self.show_agent()
            case "":
                pass
            case _:
                assert_never(way)

    def show_facts(self, ids: Sequence[str]) -> None:
        """These of the memory; the switch of each agent is said beside them."""
        self._settings.show("knowledge", " ".join(ids))

    def show_agent(self) -> None:
        """The settings of the agent that answers now."""
        self._settings.show("agents", self._choices.agent)
