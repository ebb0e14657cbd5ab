"""The plan card of the open session: what it needs to know of the agent, and what a person does with it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.core.errors import TriptychError
from app.core.text.i18n import _
from app.ui.run_presenter.figures import figures_of
from app.ui.texts import fault_text

if TYPE_CHECKING:
    from app.core.run.events import LoopStart
    from app.services.data.session_notes import SessionNotes
    from app.services.runs.runs import RunService
    from app.services.settings.plan_templates import TemplateService
    from app.services.tools.service import ToolService
    from app.ui.main_window.session.run_session import RunSession
    from app.ui.tasks import Tasks

_EARLIER = 200
"""So many runs back the estimate looks."""


class PlanController(QObject):
    again_asked = Signal(str, int)
    """The run once more from a step of its plan on."""
    told = Signal(str, str)
    """A sentence, and its level."""

    def __init__(
        self,
        talk: RunSession,
        tasks: Tasks,
        *,
        tools: ToolService,
        templates: TemplateService,
        runs: RunService,
        notes: SessionNotes,
    ) -> None:
        card, feed = talk.plan, talk.plan_feed
        super().__init__(card)
        self._card, self._talk, self._tasks = card, talk, tasks
        self._tools, self._templates, self._runs, self._notes = tools, templates, runs, notes
        self._agent = ""
        self._paused: set[str] = set()
        """Runs whose plan the person holds; the card forgets when another session is shown."""
        card.can_run_again = True
        card.submitted.connect(self._submit)
        card.kept.connect(self._keep)
        card.cancelled.connect(talk.stop)
        card.ordered.connect(self._order)
        tasks.spawn_on(card.template_saved, self._save_template)
        tasks.spawn_on(card.template_deleted, self._delete_template)
        tasks.spawn_on(card.draft_changed, self._keep_draft, "keep plan draft")
        tasks.spawn_on(feed.waiting, self._take_draft)
        feed.run_began.connect(self._run_began)
        talk.stored_plan_shown.connect(self._show_agent)

    def _run_began(self, start: LoopStart) -> None:
        if (handle := self._talk.handle) is not None:
            self._card.set_paused(handle.id in self._paused)
        self._show_agent(start.agent)

    def _show_agent(self, agent: str) -> None:
        self._agent = agent
        self._tasks.spawn(self._tell_earlier(agent))

    async def _tell_earlier(self, agent: str) -> None:
        try:
            tools = await self._tools.tools(agent)
        except TriptychError:
            tools = []  # the agent is gone; its runs can still be read
        if agent == self._agent:
            self._card.set_tools(tools)
        templates = await self._templates.list(agent)
        rows = await self._runs.rows(limit=_EARLIER)
        records = await self._runs.tool_records(agent)
        if agent == self._agent:
            self._card.set_templates(templates)
            self._card.set_earlier([figures_of(row) for row in rows if row.agent == agent], records)

    def _submit(self, goal: str, steps: list[Mapping[str, Any]]) -> None:
        if (handle := self._talk.handle) is not None:
            handle.submit_plan(goal, steps)

    def _keep(self) -> None:
        if (handle := self._talk.handle) is not None:
            handle.keep_plan()

    def _order(self, order: str, step: int, value: Any) -> None:
        if order == "again":
            self.again_asked.emit(self._card.run, step)
            return
        if (handle := self._talk.handle) is None:
            return
        if order in ("pause", "next"):
            self._paused.add(handle.id)
        elif order == "resume":
            self._paused.discard(handle.id)
        if order in ("pause", "next", "resume"):
            self._talk.hold(is_held=order != "resume")
        handle.control_plan(order, step, value)

    async def _take_draft(self) -> None:
        session = self._card.session
        with suppress(TriptychError):
            draft = await self._notes.plan_draft(session)
            if draft and session == self._card.session:
                self._card.take_draft(draft)

    async def _keep_draft(self, session: str, draft: dict[str, Any]) -> None:
        try:
            await self._notes.set_plan_draft(session, draft)
        except TriptychError as error:
            if draft:
                self.told.emit(fault_text(error), "warn")

    async def _save_template(self, name: str, goal: str, steps: list[dict[str, Any]]) -> None:
        agent = self._agent
        try:
            await self._templates.save(agent, name, goal, steps)
        except TriptychError as error:
            self.told.emit(fault_text(error), "warn")
            return
        self.told.emit(_("The plan is kept as a template: {name}").format(name=name), "info")
        await self._tell_earlier(agent)

    async def _delete_template(self, id: str) -> None:
        await self._templates.delete(id)
        await self._tell_earlier(self._agent)
