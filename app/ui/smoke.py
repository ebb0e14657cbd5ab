"""`--smoke`: the window opens, asks the main question, shows the answer, closes. No key, no network.

Run on a built bundle it proves that everything the program needs has come along.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from app.core.profile import AgentProfile
from app.core.run.events import LoopEnd
from app.ui.application import Application

if TYPE_CHECKING:
    from app.ui.main_window.window_controller import WindowController

MODEL = "offline/rules"
_PATIENCE_MS = 60_000


def smoke(application: Application) -> int:
    """0 if the question was answered and the answer is in the chat."""
    outcome: list[str] = []

    async def ask(desk: WindowController) -> None:
        try:
            outcome.append(await _answer(desk, _flagship(application)))
        finally:
            application.window.close()

    application.when_ready(ask)
    QTimer.singleShot(_PATIENCE_MS, application.window.close)
    application.run()
    text = outcome[0] if outcome else ""
    sys.stdout.write(f"{text.strip() or 'no answer'}\n")
    return 0 if text.strip() else 1


def _flagship(application: Application) -> AgentProfile:
    profiles = application.services.settings.profiles() if application.services is not None else []
    return next(profile for profile in profiles if profile.flagship)


async def _answer(desk: WindowController, agent: AgentProfile) -> str:
    """To the first of the questions that are shown in an empty chat of the agent."""
    conversation = desk.conversation
    conversation.new(agent.id)
    conversation.choices.model = MODEL
    await desk.questions.send(next(iter(agent.examples["zh"])))
    handle = conversation.run.handle
    if handle is None:
        return ""
    end = await handle.result()
    await conversation.run.seen()
    is_on_screen = any(end.answer.strip() in text for text in desk.answers()) if isinstance(end, LoopEnd) else False
    return end.answer if isinstance(end, LoopEnd) and is_on_screen else ""
