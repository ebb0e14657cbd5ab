"""What stands in the composer while a run goes on: the stop button, and what else a person may ask of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.safe_text import set_safe_tooltip

if TYPE_CHECKING:
    from app.ui.chat.run_buttons import RunButtons

_ROOMY = 84
"""Steps of the grid from which on there is room for words beside the mode."""


class RunControls(QObject):
    running_changed = Signal()
    """Before a button goes that may have the focus."""
    answer_asked = Signal()
    """Answer now, with what there is."""
    round_asked = Signal()
    """One reflection round more than the limit."""

    def __init__(self, stop_button: QPushButton, row: QHBoxLayout, theme: Theme, parent: QWidget) -> None:
        """`row` has the stop button and the one to send; the others are put before them."""
        super().__init__(parent)
        self.is_running = False
        self.stop_button = stop_button
        self._composer, self._row, self._theme = parent, row, theme
        self._buttons: RunButtons | None = None
        stop_button.hide()
        self.set_stopping(is_stopping=False)

    def set_running(self, is_running: bool) -> None:
        if is_running == self.is_running:
            return
        self.is_running = is_running
        self.running_changed.emit()
        self.stop_button.setVisible(is_running)
        self.set_stopping(is_stopping=False)
        self.offer_answer(False)
        self.offer_round(False)

    def offer_answer(self, is_offered: bool) -> None:
        """Whether the run that goes on can be asked to answer at once."""
        if is_offered or self._buttons is not None:
            self._made().answer.setVisible(is_offered and self.is_running)

    def offer_round(self, is_offered: bool) -> None:
        """Whether the run reflects, so that a further round can be allowed."""
        if is_offered or self._buttons is not None:
            self._made().more.setVisible(is_offered and self.is_running)

    def set_stopping(self, *, is_stopping: bool) -> None:
        """The run has been asked to stop: the next press abandons what hangs."""
        words = _("Abandon what still hangs (Esc)") if is_stopping else _("Stop the run (Esc)")
        self.stop_button.setAccessibleName(_("Abandon") if is_stopping else _("Stop"))
        set_safe_tooltip(self.stop_button, words)
        self.stop_button.setIcon(self._theme.icon("x" if is_stopping else "stop", "on_accent", 18))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.stop_button.setIcon(theme.icon("stop", "on_accent", 18))
        self.stop_button.setIconSize(QSize(theme.space(2.25), theme.space(2.25)))
        if self._buttons is not None:
            self._buttons.set_theme(theme)

    def fit(self, width: int) -> None:
        """Icons alone, where there is no room for words."""
        if self._buttons is not None:
            self._buttons.set_short(width < self._theme.space(_ROOMY))

    def _made(self) -> RunButtons:
        """When they are needed first: every widget is felt before the first paint."""
        if self._buttons is None:
            from app.ui.chat.run_buttons import RunButtons

            buttons = self._buttons = RunButtons(self._theme, self._composer)
            buttons.answer_asked.connect(self.answer_asked)
            buttons.round_asked.connect(self.round_asked)
            self.fit(self._composer.width())
            self._row.insertWidget(self._row.count() - 2, buttons)
        return self._buttons
