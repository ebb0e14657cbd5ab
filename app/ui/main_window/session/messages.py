"""The messages of the open session: the line of them that is shown, and which row shows which."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.core.errors import TriptychError
from app.core.run.events import ModeSelected
from app.core.run.messages import Fact, tools_named_in
from app.core.run.mode import AUTO
from app.core.session.branches import Branch
from app.core.text.i18n import _
from app.core.wording.tools import look_up
from app.ui.chat.places import pieces_of, text_of
from app.ui.chat.rows.items import Action, AssistantRow, LaterRow, NotePart, UserRow
from app.ui.chat.rows.row_actions import AskAgainIn, Plain
from app.ui.run_presenter.stored import question_actions, variant_of
from app.ui.texts import mode_title

if TYPE_CHECKING:
    from app.core.run.messages import Message
    from app.services.data.sessions import SessionService
    from app.services.runs.ratings import RatingService
    from app.ui.chat.view import ChatView
    from app.ui.main_window.open_session import OpenSession


class Messages(QObject):
    def __init__(
        self, chat: ChatView, open_session: OpenSession, *, sessions: SessionService, ratings: RatingService
    ) -> None:
        super().__init__(chat)
        self._chat, self._open_session = chat, open_session
        self._sessions, self._ratings = sessions, ratings
        self.line = Branch()
        self.ratings: dict[str, int] = {}
        self._reads = 0

    async def read(self, id: str) -> Branch:
        """What is stored of a session; `use` makes it the one that is shown. Where a newer read has begun before this
        one came back, it is read again: what is older never takes the place of what is newer. The tools it names are
        loaded then.
        """
        self._reads += 1
        while True:
            newest = self._reads
            line = await self._sessions.line(id)
            await look_up(tools_named_in(line.messages))
            if newest == self._reads:
                return line

    def use(self, line: Branch, ratings: dict[str, int]) -> None:
        self.line, self.ratings = line, ratings

    async def refresh(self) -> bool:
        """A run has begun or ended: rows that were painted live learn their variants. False if others are shown."""
        if (row := self._open_session.row) is None:
            return False
        try:
            line = await self.read(row.id)
        except TriptychError:
            return False  # the window closes, or the session is gone: there is nothing to tell any more
        if (now := self._open_session.row) is None or now.id != row.id:
            return False
        self.line = line
        keys = set(self._chat.keys())
        for message in line.messages:
            row_id = self._row_of(message, keys)
            stored = self._chat.peek(row_id) if row_id else None
            variant = variant_of(message.id, line.variants)
            if isinstance(stored, AssistantRow) and stored.variant != variant:
                self._chat.update_row(row_id, variant=variant)
            elif isinstance(stored, UserRow) and (stored.variant != variant or not stored.actions):
                self._chat.update_row(row_id, variant=variant, actions=question_actions())
        return True

    async def suggest_mode(self) -> None:
        """Where Auto chose: the mode that earlier answers to such questions were rated higher in."""
        answer = self.line.messages[-1] if self.line.messages else None
        if answer is None or answer.start is None or answer.start.mode != AUTO:
            return
        better = await self._ratings.better_mode(answer.start.agent, answer.start.query, mode_of(answer))
        row_id = f"answer-{answer.run}"
        if better and row_id in self._chat.keys():  # noqa: SIM118  a method of the view
            words = _("You usually rate {mode} higher for such questions.").format(mode=mode_title(better))
            again = Action(AskAgainIn(better), _("Ask again in {mode}").format(mode=mode_title(better)))
            forget = Action(Plain.FORGET_RATINGS, _("Forget my ratings"))
            self._chat.put_part(row_id, NotePart("suggestion", words, actions=(again, forget)))

    def message(self, row_id: str) -> Message | None:
        """The stored message a row shows; a row that was painted live has a name of its own."""
        run = row_id.partition("-")[2]
        for place, message in enumerate(self.line.messages):
            if message.id == row_id:
                return message
            if run and message.run == run:
                if row_id.startswith("answer-"):
                    return message
                return self.line.messages[place - 1] if place else None
        return None

    def sources(self) -> Iterator[tuple[str, str]]:
        """The text of every row, in order, without making rows nobody has seen."""
        messages = {message.id: message for message in self.line.messages}
        for row_id in self._chat.keys():  # noqa: SIM118  a method of the view
            if isinstance(self._chat.peek(row_id), LaterRow):
                yield row_id, text_of(messages[row_id]) if row_id in messages else ""
            else:
                yield row_id, "\n".join(piece.text for piece in pieces_of(self._chat.row(row_id)))

    def _row_of(self, message: Message, shown: set[str]) -> str:
        names = [message.id, f"answer-{message.run}"]
        if message.role == "user":
            answers = [one.run for one in self.line.messages if self.line.follows.get(one.id) == message.id]
            names = [message.id, *(f"question-{run}" for run in answers)]
        return next((name for name in names if name in shown), "")


def mode_of(message: Message) -> str:
    """How the run proceeded: what Auto chose, if it did."""
    events = [part.event for part in message.parts if isinstance(part, Fact)]
    chosen = [event.mode for event in events if isinstance(event, ModeSelected)]
    return chosen[-1] if chosen else message.start.mode if message.start else ""
