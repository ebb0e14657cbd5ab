"""The line at the bottom: what the run is doing in words, for how long, and with which model."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QTimer, Signal
from PySide6.QtWidgets import QStatusBar, QWidget

from app.core.text.i18n import _
from app.ui.texts import clock_text
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, visible


class StatusLine(QStatusBar):
    clock_told = Signal(str)
    """What goes on and for how long, once a second while something does."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusBar")
        self.setAccessibleName(_("Status"))
        self.setSizeGripEnabled(False)
        self._state = ""
        self._before = 0.0
        self._clock = QElapsedTimer()
        self._tick = QTimer(self)
        self._tick.setInterval(1_000)
        self._tick.timeout.connect(self._tell)
        self._model = SafeLabel(role="meta", parent=self)
        self._model.setAccessibleName(_("Model in use"))
        self.addPermanentWidget(self._model)
        self.set_theme(theme)

    def set_state(self, text: str, *, seconds: float | None = None) -> None:
        """What goes on; with `seconds` a clock counts on from there."""
        self._state = visible(text)
        if seconds is None:
            self._tick.stop()
        else:
            self._before = seconds
            self._clock.start()
            self._tick.start()
        self._tell()

    def set_words(self, text: str) -> None:
        """The same goes on under other words; the clock counts on."""
        self._state = visible(text)
        self._tell()

    def set_model(self, text: str) -> None:
        self._model.setText(text)

    def set_theme(self, theme: Theme) -> None:
        self.setContentsMargins(theme.space(1), 0, theme.space(1), 0)
        self.setFont(theme.font("meta"))
        self.setMinimumHeight(theme.space(3))  # Chinese words are taller: with them the line would push the window up

    def _tell(self) -> None:
        if self._tick.isActive():
            passed = self._before + self._clock.elapsed() / 1_000
            text = f"{self._state} · {clock_text(passed)}" if passed >= 1 else self._state
            self.showMessage(text)
            self.clock_told.emit(text)
        else:
            self.showMessage(self._state)
