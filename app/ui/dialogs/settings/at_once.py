"""Stores what was changed on a page of the settings at once: a choice when it is made, a text when its field is left.

One store at a time: what changes while one is under way follows it.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import shiboken6
from PySide6.QtCore import QObject, QTimer, SignalInstance
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from app.ui.widgets.spawn import Spawn

_PAUSE_MS = 300
"""After the last choice: a slider that is drawn is not five settings."""
_TYPED = (QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox)

StoreChanges = Callable[[], Coroutine[Any, Any, None] | None]


class SaveAtOnce(QObject):
    def __init__(self, page: QWidget, changed: SignalInstance, store: StoreChanges, spawn: Spawn) -> None:
        """`store` stores what is valid and tells of what it could not store; None if there is nothing to store."""
        super().__init__(page)
        self._page, self._store, self._spawn = page, store, spawn
        self._is_waiting = self._is_running = self._is_due = False
        self._then: list[Callable[[], object]] = []
        self._entered: tuple[QWidget | None, str] = (None, "")
        """The field with the focus, and what stood in it when it got it or was stored last."""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self.now)
        changed.connect(self._changed)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._focus_moved)

    @property
    def is_waiting(self) -> bool:
        """Something changed that has not been stored or refused yet."""
        return self._is_waiting or self._is_running

    def drop(self) -> None:
        """What is shown is what is stored."""
        self._pause.stop()
        self._is_waiting = False

    def now(self, then: Callable[[], object] | None = None, *, again: bool = False) -> None:
        """`then` once all is stored or refused; `again` tries what was refused."""
        self._pause.stop()
        self._enter(QApplication.focusWidget())
        self._is_waiting = self._is_waiting or again
        if then is not None:
            self._then.append(then)
        if self._is_running:
            self._is_due = True
        else:
            self._go()

    def _go(self) -> None:
        work = self._store() if self._is_waiting else None
        self._is_waiting = self._is_due = False
        if work is not None:
            self._is_running = True
            self._spawn(self._run(work))
            return
        then, self._then = self._then, []
        for one in then:
            one()

    async def _run(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        finally:
            self._is_running = False
        if shiboken6.isValid(self) and (self._is_due or self._then):
            self._go()

    def _changed(self) -> None:
        self._is_waiting = True
        field = QApplication.focusWidget()
        if self._is_inside(field) and self._entered != (field, _text_of(field)):
            self._pause.stop()  # it is typed in: until it is left
        else:
            self._pause.start()

    def _focus_moved(self, before: QWidget | None, now: QWidget | None) -> None:
        if not shiboken6.isValid(self):
            return
        if self._is_waiting and self._is_inside(before):
            self.now()
        self._enter(now)

    def _enter(self, field: QWidget | None) -> None:
        self._entered = (field, _text_of(field)) if self._is_inside(field) else (None, "")

    def _is_inside(self, field: QWidget | None) -> bool:
        return isinstance(field, _TYPED) and shiboken6.isValid(self._page) and self._page.isAncestorOf(field)


def _text_of(field: QWidget | None) -> str:
    match field:
        case QPlainTextEdit() | QTextEdit():
            return field.toPlainText()
        case QLineEdit() | QAbstractSpinBox():
            return field.text()
        case _:
            return ""
