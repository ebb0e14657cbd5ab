"""Try from here: a step of a run that is over with other arguments or another result, in another mode or by another
model; what follows is a new variant of the answer, compared with the old one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.core.tools import finite
from app.ui.theme import Theme
from app.ui.widgets.fields.argument_form import ArgumentForm
from app.ui.widgets.fields.editors import CalmCombo
from app.ui.widgets.layout.flow import FlowRow
from app.ui.widgets.safe_text import SafeLabel, visible


@dataclass(frozen=True, slots=True)
class Trial:
    """What shall differ. `args` and `result` are None where the call stays as it was."""

    args: Mapping[str, Any] | None
    result: Any
    mode: str
    model: str


class TryCard(QFrame):
    tried = Signal(object)
    """A Trial."""
    left = Signal()

    def __init__(
        self,
        theme: Theme,
        title: str,
        args: Mapping[str, Any],
        parameters: Mapping[str, Any],
        *,
        has_call: bool = True,
        modes: Sequence[tuple[str, str]],
        models: Sequence[tuple[str, str]],
        parent: QWidget | None = None,
    ) -> None:
        """`title` names the step, `has_call` tells whether it called a tool. `modes` and `models` are ids with their
        names; those of the run come first.
        """
        super().__init__(parent)
        self.setObjectName("tryCard")
        self.setProperty("card", "waiting")
        self.setAccessibleName(_("Try from here: {tool}").format(tool=title))
        self._args = dict(args)
        self.form = ArgumentForm(theme, parameters, args)
        self.form.changed.connect(self._judge)
        self.result = QPlainTextEdit()
        self.result.setPlaceholderText(
            _("Another result, as text or JSON; empty: the call runs with the arguments above")
            if has_call
            else _("Another result, as text or JSON; empty: the step is done again")
        )
        self.result.setAccessibleName(_("Another result"))
        self.result.setFixedHeight(theme.space(8))
        self.result.setTabChangesFocus(True)
        self.mode, self.model = _combo(_("Mode"), modes), _combo(_("Model"), models)
        self.go = QPushButton(_("Try and compare"))
        self.go.setProperty("kind", "primary")
        self.go.clicked.connect(self._try)
        self.cancel = QPushButton(_("Cancel"))
        self.cancel.setProperty("kind", "quiet")
        self.cancel.clicked.connect(self.left)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(2), theme.space(1.5), theme.space(2), theme.space(1.5))
        layout.setSpacing(theme.space(1))
        layout.addWidget(SafeLabel(self.accessibleName(), role="strong"))
        layout.addWidget(self.form)
        self.form.setVisible(has_call)
        layout.addWidget(self.result)
        choices = FlowRow(theme.space(1))
        choices.add(self.mode)
        choices.add(self.model)
        layout.addWidget(choices)
        foot = QHBoxLayout()
        foot.addStretch(1)
        for button in (self.cancel, self.go):
            button.setAutoDefault(False)
            foot.addWidget(button)
        layout.addLayout(foot)

    def begin(self) -> None:
        """The focus comes here by keyboard."""
        self.result.setFocus() if self.form.isHidden() else self.form.focus_first()

    def take_escape(self) -> bool:
        self.left.emit()
        return True

    def _trial(self) -> Trial:
        text = self.result.toPlainText().strip()
        args = self.form.values()
        return Trial(
            None if text or args == self._args else args,
            _text_or_json(text) if text else None,
            self.mode.currentData(),
            self.model.currentData(),
        )

    def _try(self) -> None:
        self.tried.emit(self._trial())

    def _judge(self) -> None:
        self.go.setEnabled(not self.form.faults())


def _combo(name: str, options: Sequence[tuple[str, str]]) -> CalmCombo:
    combo = CalmCombo()
    combo.setAccessibleName(name)
    for id, words in options:
        combo.addItem(visible(words), id)
    return combo


def _text_or_json(text: str) -> Any:
    try:
        return finite.loads(text)
    except (ValueError, RecursionError):
        return text
