from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from app.core.run.event_values import ErrorInfo
from app.core.run.events import Approval, BudgetLevel, LoopEnd, LoopError, PhaseStart, Question, RunEvent, Token
from app.core.run.view import RunView
from app.ui.main_window.notices.desktop_message import DesktopMessage, plain
from app.ui.main_window.notices.notifier import words_for


@pytest.mark.parametrize(
    ("event", "seconds", "words"),
    [
        (Approval("a", "c", "save", {}, "rule 1"), 1, "asks before a tool runs"),
        (Question("q", "Which?"), 1, "has a question"),
        (BudgetLevel("tokens", 10, 10, "pause"), 1, "has used up its budget and waits"),
        (BudgetLevel("tokens", 8, 10, "warn"), 1, ""),
        (PhaseStart("approval", ""), 1, "has a plan for you to look at"),
        (PhaseStart("planning", ""), 1, ""),
        (LoopEnd("yes", "answered"), 60, "is answered"),
        (LoopEnd("yes", "answered"), 3, ""),
        (LoopError("api", ErrorInfo("X", "x")), 60, "could not be answered"),
        (LoopError("cancelled", ErrorInfo("CANCELLED", "x")), 60, ""),
        (Token(1, "x"), 60, ""),
    ],
)
def test_what_is_news_to_who_looks_elsewhere(event: RunEvent, seconds: float, words: str) -> None:
    assert "".join(words_for(change, seconds) for change in RunView().apply(event)) == words


def test_T05_a_title_is_literal_on_every_desktop() -> None:
    assert plain("<b>X</b>\n&amp;\u202e" + "y" * 300).startswith("‹b›X‹/b› ＆amp;⟦U+202E⟧yyy")
    assert len(plain("y" * 300)) == 200


def test_a_message_goes_when_the_window_is_looked_at(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[object, ...]] = []
    window = QMainWindow()
    qtbot.addWidget(window)
    message = DesktopMessage(window)
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: False))
    assert not message.show("a", "b")
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: True))
    monkeypatch.setattr(QSystemTrayIcon, "supportsMessages", staticmethod(lambda: True))
    monkeypatch.setattr(QSystemTrayIcon, "showMessage", lambda _self, *words: shown.append(words[:2]))
    assert message.show("<b>Title</b>", "asks")
    assert shown == [("‹b›Title‹/b›", "asks")]
    with qtbot.waitSignal(message.clicked):
        assert message._tray is not None
        message._tray.messageClicked.emit()
    assert message._tray.isVisible()
    QApplication.sendEvent(window, QEvent(QEvent.Type.WindowActivate))
    assert not message._tray.isVisible()
