"""What a run asks the person: approvals, questions and used-up budgets, as cards above the composer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from app.core.run.events import BudgetLevel
from app.core.run.run_handle import RunHandle
from app.core.run.view import WaitItem
from app.ui.dialogs import ApprovalCard
from app.ui.main_window.session.bars.budget_card import BudgetCard
from app.ui.main_window.session.bars.question import QuestionCard
from app.ui.texts import budget_state, state_title

if TYPE_CHECKING:
    from app.ui.main_window.composer_column import ComposerColumn
    from app.ui.main_window.session.approvals import Approvals
    from app.ui.widgets.dialog_parent import DialogParent

BUDGET_CARD = "budget"
"""Name of the card of a used-up budget; there is one at a time."""


class RunCards(QObject):
    """Of the run that is followed; the oldest card first."""

    answer_now_asked = Signal()
    stop_asked = Signal()

    def __init__(self, parent: DialogParent, column: ComposerColumn, approvals: Approvals) -> None:
        super().__init__(column)
        self._parent, self._column, self._approvals = parent, column, approvals
        self._handle: RunHandle | None = None
        self._question = self._agent = self._mode = ""
        self._cards: dict[str, QWidget] = {}

    def begin(self, handle: RunHandle, question: str, agent: str) -> None:
        """Another run is followed from now on."""
        self._handle, self._question, self._agent = handle, question, agent

    def set_mode(self, mode: str) -> None:
        self._mode = mode

    def ask(self, wait: WaitItem) -> None:
        card: ApprovalCard | QuestionCard
        if wait.budget is not None:
            self._ask_budget(wait.budget)
            return
        if wait.approval is not None:
            card = self._approvals.card(wait, self._question, self._agent, self._mode)
            card.answered.connect(self._approve)
        elif wait.question is not None:
            card = QuestionCard(self._parent.theme, wait.question)
            card.answered.connect(self._reply)
        else:
            return
        self._show(wait.id, card, state_title("waiting" if wait.approval is not None else "asking"))

    def answered(self, id: str) -> None:
        """An answer has arrived, from here or elsewhere; "" = the run is over, nobody asks any more."""
        for key in [id] if id else list(self._cards):
            if (card := self._cards.pop(key, None)) is not None:
                self._column.settle(card)

    def clear(self) -> None:
        """The run is left; what it asks is asked again when somebody comes back."""
        for card in self._cards.values():
            self._column.settle(card)
        self._cards.clear()
        self._handle = None

    def reply(self, text: str) -> bool:
        """To the oldest open question of the agent; False if it asks nothing."""
        id = next((id for id, card in self._cards.items() if isinstance(card, QuestionCard)), "")
        if id:
            self._reply(id, text)
        return bool(id)

    def first(self) -> QWidget | None:
        """The oldest that waits for an answer."""
        return next(iter(self._cards.values()), None)

    def focus_first(self) -> bool:
        """To what waits, by keyboard. False if nothing does, or it is not ready yet."""
        card = self.first()
        if card is None:
            return False
        if isinstance(card, ApprovalCard):
            return card.focus_answer()
        takes = (part for part in card.findChildren(QWidget) if part.focusPolicy() & Qt.FocusPolicy.TabFocus)
        target = next((part for part in takes if part.isVisible() and part.isEnabled()), None)
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)
        return target is not None

    # ------------------------------------------------------------ inner work

    def _show(self, id: str, card: QWidget, words: str) -> None:
        self._cards[id] = card
        self._column.ask(card)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._column, words))

    def _ask_budget(self, level: BudgetLevel) -> None:
        card = BudgetCard(self._parent.theme, level)
        card.raised.connect(self._raise_budget)
        card.answer_asked.connect(self.answer_now_asked)
        card.stop_asked.connect(self.stop_asked)
        self._show(BUDGET_CARD, card, budget_state(level.scope))

    def _raise_budget(self, limit: float) -> None:
        if self._handle is not None and self._handle.raise_budget(limit):
            self.answered(BUDGET_CARD)

    def _approve(self, id: str, choice: str, reason: str, args: Mapping[str, Any] | None) -> None:
        if self._handle is not None:
            self._handle.approve(id, choice, args=args, reason=reason)
            self._column.composer.focus()  # the buttons that had it are gone

    def _reply(self, id: str, text: str) -> None:
        if self._handle is not None:
            self._handle.answer(id, text)
            self._column.composer.focus()
