"""What one does with single messages of the open session: other variants, forks, thumbs, details, deleting."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import TYPE_CHECKING, Any

from app.core.errors import TriptychError
from app.core.run.events import ModeSelected
from app.core.run.messages import Fact
from app.core.run.mode import AUTO
from app.core.session.branches import Branch
from app.core.text.i18n import _
from app.ui.chat.places import pieces_of, text_of
from app.ui.chat.rows.items import Action, AssistantRow, LaterRow, NotePart, UserRow
from app.ui.chat.rows.row_actions import AskAgainIn, Plain
from app.ui.dialogs.data.answer_details import AnswerDetails
from app.ui.run_presenter.stored import question_actions, rated, variant_of
from app.ui.texts import mode_title

if TYPE_CHECKING:
    from app.core.run.messages import Message
    from app.core.session.summary import SessionRow
    from app.services.container import Services
    from app.ui.chat.view import ChatView
    from app.ui.main_window.window import MainWindow
    from app.ui.tasks import Tasks


class Messages:
    """`reload` shows the session anew, with a message in sight; `open_session` shows another one."""

    def __init__(
        self,
        window: MainWindow,
        services: Services,
        chat: ChatView,
        tasks: Tasks,
        *,
        row: Callable[[], SessionRow | None],
        reload: Callable[[str], Awaitable[None]],
        open_session: Callable[[str], Awaitable[None]],
        again: Callable[[str, dict[str, Any]], Coroutine[Any, Any, None]],
        on_error: Callable[[TriptychError], None],
    ) -> None:
        """`again` asks the question of a message once more with settings of an earlier answer."""
        self._window, self._services, self._chat, self._tasks = window, services, chat, tasks
        self._row, self._reload, self._open, self._again, self._on_error = row, reload, open_session, again, on_error
        self.line = Branch()
        self.ratings: dict[str, int] = {}

    async def read(self, id: str) -> Branch:
        """What is read of a session; `use` makes it the one that is shown."""
        return await self._services.sessions.line(id)

    def use(self, line: Branch, ratings: dict[str, int]) -> None:
        self.line, self.ratings = line, ratings

    async def refresh(self) -> bool:
        """A run has begun or ended: rows that were painted live learn their variants. False if others are shown."""
        if (row := self._row()) is None:
            return False
        try:
            line = await self._services.sessions.line(row.id)
        except TriptychError:
            return False  # the window closes, or the session is gone: there is nothing to tell any more
        if (now := self._row()) is None or now.id != row.id:
            return False
        self.line = line
        keys = set(self._chat.keys())
        for message in line.messages:
            row_id = self._row_of(message, keys)
            known = self._chat.peek(row_id) if row_id else None
            variant = variant_of(message.id, line.variants)
            if isinstance(known, AssistantRow) and known.variant != variant:
                self._chat.update_row(row_id, variant=variant)
            elif isinstance(known, UserRow) and (known.variant != variant or not known.actions):
                self._chat.update_row(row_id, variant=variant, actions=question_actions())
        return True

    async def suggest_mode(self) -> None:
        """Where Auto chose: the mode that earlier answers to such questions were rated higher in."""
        answer = self.line.messages[-1] if self.line.messages else None
        if answer is None or answer.start is None or answer.start.mode != AUTO:
            return
        better = await self._services.ratings.better_mode(answer.start.agent, answer.start.query, mode_of(answer))
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

    # ------------------------------------------------------------ what is asked for at a row

    def show_variant(self, row_id: str, number: int) -> None:
        if (at := self._place(row_id)) is not None:
            self._do(self._show_variant(*at, number))

    def fork(self, row_id: str) -> None:
        if (at := self._place(row_id)) is not None:
            self._do(self._fork(*at))

    def delete(self, row_id: str) -> None:
        if (at := self._place(row_id)) is not None:
            self._do(self._delete(*at))

    def rate(self, row_id: str, value: int) -> None:
        if (at := self._place(row_id)) is not None:
            self._do(self._rate(row_id, at[1], value))

    def details(self, row_id: str) -> None:
        if (at := self._place(row_id)) is not None:
            self._details(at[1])

    def _place(self, row_id: str) -> tuple[str, Message] | None:
        """The open session, and the stored message of a row in it."""
        message, row = self.message(row_id), self._row()
        return (row.id, message) if message is not None and row is not None else None

    # ------------------------------------------------------------ inner work

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        async def carefully() -> None:
            try:
                await work
            except TriptychError as error:
                self._on_error(error)

        self._tasks.spawn(carefully())

    async def _show_variant(self, session: str, message: Message, number: int) -> None:
        options = self.line.variants.get(message.id, ())
        if 1 <= number <= len(options):
            await self._services.sessions.choose(session, options[number - 1])
            await self._reload(options[number - 1])

    async def _fork(self, session: str, message: Message) -> None:
        row = await self._services.sessions.fork(session, message.id)
        await self._open(row.id)
        self._window.notice.tell(_("This is a new session with the messages up to there."), session=row.id)

    async def _delete(self, session: str, message: Message) -> None:
        place = next((n for n, one in enumerate(self.line.messages) if one.id == message.id), 0)
        near = self.line.messages[max(0, place - 1)].id
        await self._services.sessions.hide_message(session, message.id)
        await self._reload(near if near != message.id else "")
        notice = self._window.notice
        notice.offer_undo(
            _("The message was deleted."), lambda: self._do(self._take_back(session, message.id)), session=session
        )

    async def _take_back(self, session: str, message: str) -> None:
        await self._services.sessions.show_message(session, message)
        if (row := self._row()) is not None and row.id == session:
            await self._reload(message)

    async def _rate(self, row_id: str, message: Message, value: int) -> None:
        """The same thumb again takes it back."""
        value = 0 if self.ratings.get(message.id, 0) == value else value
        start = message.start
        await self._services.ratings.rate(
            message.id,
            value,
            agent=start.agent if start else "",
            mode=mode_of(message),
            query=start.query if start else "",
        )
        self.ratings = {**self.ratings, message.id: value}
        if row_id in self._chat.keys():  # noqa: SIM118  a method of the view
            row = self._chat.row(row_id)
            if isinstance(row, AssistantRow):
                self._chat.update_row(row_id, actions=rated(row.actions, value))

    def _details(self, message: Message) -> None:
        def again(settings: dict[str, Any]) -> None:
            self._tasks.spawn(self._again(message.id, settings))

        price = self._services.models.price(message.start.model) if message.start else None
        dialog = AnswerDetails(
            self._window.theme, message, mode_of(message), on_again=again, price=price, parent=self._window
        )
        dialog.open()

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
