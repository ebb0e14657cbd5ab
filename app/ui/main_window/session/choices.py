"""Agent, model and mode of the open session: what may be chosen, and what a choice does."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.core.acp_program import OWN
from app.core.errors import TriptychError, UnknownName
from app.core.profile import AgentProfile, in_language
from app.core.run.analysis.run_stats import measured
from app.core.run.mode import mode_ids
from app.core.run.price import money_text
from app.core.text.i18n import _, ngettext
from app.ui.main_window.session.expected_costs import ExpectedCosts
from app.ui.run_presenter.figures import figures_of
from app.ui.run_presenter.stored import AgentLabel
from app.ui.texts import mode_tip, mode_title
from app.ui.widgets.fields.mode_selector import ModeChoice
from app.ui.widgets.selectors.selector import Option

if TYPE_CHECKING:
    from app.core.session.summary import SessionRow
    from app.services.acp.service import AcpAgentService
    from app.services.data.sessions import SessionService
    from app.services.providers.models import ModelChoice, ModelService
    from app.services.runs.runs import RunService
    from app.services.settings.settings import SettingsService
    from app.ui.chat.composer import Composer
    from app.ui.main_window.header import WindowHeader
    from app.ui.tasks import Tasks
    from app.ui.widgets.fields.mode_selector import ModeSelector


_EARLIER = 200
"""So many runs back the figures look."""


class Choices(QObject):
    """Of a session that exists they are stored with it; of one to come they are kept here."""

    agent_shown = Signal(object)
    """The AgentProfile that answers now; also after its settings have changed."""
    model_shown = Signal(str)
    """The reference a question would go to now, "" if nobody can answer."""

    def __init__(
        self,
        header: WindowHeader,
        modes: ModeSelector,
        composer: Composer,
        tasks: Tasks,
        *,
        settings: SettingsService,
        models: ModelService,
        sessions: SessionService,
        runs: RunService,
        acp_agents: AcpAgentService,
    ) -> None:
        super().__init__(header)
        self._header, self._modes, self._tasks = header, modes, tasks
        self._settings, self._models, self._sessions, self._runs = settings, models, sessions, runs
        self._acp_agents = acp_agents
        self._expected = ExpectedCosts(composer, modes, models.price)
        self._session = ""
        self.agent = models.default_agent()
        self.mode = ""
        self.model = ""
        header.agent_chosen.connect(self._choose_agent)
        header.model_chosen.connect(self._choose_model)
        header.effort_chosen.connect(self._choose_effort)
        modes.mode_changed.connect(self._choose_mode)

    def show(self, row: SessionRow | None, agent: str = "") -> None:
        """Of this session, or of a new one with `agent`."""
        self._session = row.id if row else ""
        models = self._models
        self.agent = row.agent if row else agent or models.agent_that_answers(self.agent) or models.default_agent()
        self.mode = row.mode if row else ""
        self.model = row.model if row else ""
        self.refresh()

    def profile(self) -> AgentProfile:
        """The agent of the session; if it is gone, the default one."""
        try:
            return self._settings.profile(self.agent)
        except UnknownName:
            return self._settings.profile(self._models.default_agent())

    def model_in_use(self) -> str:
        """The reference a question would go to now, "" if nobody can answer."""
        return self._models.reference(self.profile(), session=self.model)

    def shortened_above(self) -> int:
        """Characters of conversation from which that model reads older results shortened; 0 = never."""
        return self._models.shortened_above(self.profile(), self.model_in_use())

    def faces(self) -> dict[str, AgentLabel]:
        return {profile.id: AgentLabel(profile.title, profile.icon) for profile in self._settings.profiles()}

    def refresh(self) -> None:
        """Settings have changed, or another session is open."""
        profile, header = self.profile(), self._header
        header.agent.set_options(
            [
                Option(one.id, one.title, one.icon, in_language(one.description), detail=_style_of(one))
                for one in self._settings.profiles()
                if not one.helper or one.id == self.agent
            ]
        )
        header.agent.set_chosen(profile.id)
        self._show_models()
        self._show_modes()
        self.agent_shown.emit(profile)
        self.tell_modes()

    def _show_modes(self) -> None:
        """Ours, or those an agent that is another program offers; where it offers none there is nothing to choose."""
        profile = self.profile()
        if profile.acp is None:
            choices = [ModeChoice(id, mode_title(id), mode_tip(id)) for id in mode_ids()]
            chosen = self.mode or profile.default_mode
        else:
            offers = self._acp_agents.offers(profile.id)
            choices = [ModeChoice(f"{OWN}{one.id}", one.title, one.about) for one in offers.modes]
            chosen = self.mode or f"{OWN}{profile.acp.mode or offers.mode}"
        if [choice.id for choice in choices] != self._modes.modes():
            self._modes.set_modes(choices)
        self._modes.setVisible(bool(choices))
        self._modes.set_mode(chosen)

    def tell_modes(self) -> None:
        """What each mode takes with this agent, once enough runs have shown it."""
        self._tasks.spawn(self._tell_modes(self.profile().id), "tell modes")

    async def _tell_modes(self, agent: str) -> None:
        rows = await self._runs.rows(limit=_EARLIER)
        mine = [figures_of(row) for row in rows if row.agent == agent]
        if agent != self.profile().id:
            return
        self._expected.show_runs(mine)
        if self.profile().acp is not None:  # what its modes are for it has said itself
            return
        for mode in self._modes.modes():
            self._modes.set_tip(mode, mode_tip(mode, measured(one for one in mine if one.ran_in(mode))))

    def _show_models(self) -> None:
        header, profile = self._header, self.profile()
        choices = self._models.choices(profile.id)
        usual = self._models.reference(profile)
        labels = {choice.ref: choice.label for choice in choices}
        offers = self._acp_agents.offers(profile.id)
        if profile.acp is not None:
            labels = {f"{usual}/{one.id}": one.title for one in offers.models}
            labels[usual] = labels.get(f"{usual}/{offers.model}", usual)
        name = labels.get(usual, usual)
        first = Option("", _("Default: {model}").format(model=name), short=name) if usual else None
        options = [
            Option(
                one.ref, one.label, tip=one.ref, enabled=one.available, group=one.provider_name, detail=_facts_of(one)
            )
            for one in choices
        ]
        if profile.acp is not None:
            options = [
                Option(f"{usual}/{one.id}", one.title, tip=one.about or one.id, group=profile.title)
                for one in offers.models
            ]
        lost = [Option(self.model, self.model, enabled=False)] if self.model and self.model not in labels else []
        header.model.set_options([*([first] if first else []), *options, *lost], empty=_("No model"))
        header.model.set_chosen(self.model)
        used = self.model_in_use()
        self._expected.show_model(used)
        self.model_shown.emit(used)
        words = {"auto": _("Auto"), "off": _("Off"), "low": _("Low"), "medium": _("Medium"), "high": _("High")}
        levels = [Option(id, title, "brain") for id, title in words.items()] if self._models.has_effort(used) else []
        header.show_effort(levels, profile.reasoning_effort)

    def _choose_effort(self, effort: str) -> None:
        self._tasks.spawn(self._save_effort(self.profile(), effort))

    async def _save_effort(self, profile: AgentProfile, effort: str) -> None:
        """For this agent, from the next question on."""
        changed = self._settings.changed_profile(profile, {"reasoning_effort": effort})
        with suppress(TriptychError):
            await self._settings.save_profile(changed)
        self.refresh()

    def offer_models(self) -> None:
        """The list of models, under its chip."""
        self._header.model.setFocus()
        self._header.model.showPopup()

    def choose_mode(self, mode: str) -> None:
        """As if it had been clicked."""
        self._modes.set_mode(mode)
        self._choose_mode(mode)

    def another_agent(self) -> tuple[str, str]:
        """Id and name of an agent that can answer, where the one of the session cannot; "" if none can."""
        id = self._models.agent_that_answers()
        return (id, self._settings.profile(id).title) if id and id != self.agent else ("", "")

    def choose_agent(self, agent: str) -> None:
        """As if it had been clicked."""
        self._choose_agent(agent)

    # ------------------------------------------------------------ slots

    def _choose_agent(self, agent: str) -> None:
        self.agent = agent
        self.mode = ""
        if self.model.startswith(OWN):  # no other agent knows it
            self.model = ""
        self._store(agent=agent, mode="", model=self.model)
        self.refresh()

    def _choose_model(self, model: str) -> None:
        self.model = model
        self._store(model=model)
        self._show_models()

    def _choose_mode(self, mode: str) -> None:
        self.mode = mode
        self._store(mode=mode)

    def _store(self, **fields: str) -> None:
        if self._session:
            self._tasks.spawn(self._sessions.update(self._session, **fields))


def _style_of(profile: AgentProfile) -> str:
    """How it usually works: the mode, and how often it looks back."""
    mode = mode_title(profile.default_mode)
    if not profile.enable_reflection or not profile.max_reflection_iterations:
        return mode
    rounds = ngettext("{n} round", "{n} rounds", profile.max_reflection_iterations)
    return f"{mode} · {rounds.format(n=profile.max_reflection_iterations)}"


def _facts_of(choice: ModelChoice) -> str:
    if not choice.available:
        return _("no key")
    facts = [_("on this computer")] if choice.is_local else []
    if (price := choice.price) is not None and price.currency:
        facts.append(f"{money_text({price.currency: price.input})} / {money_text({price.currency: price.output})}")
    return " · ".join(facts)
