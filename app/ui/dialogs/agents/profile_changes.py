"""The changes to the agent that a form shows: what of them is stored, refused, taken back, or made elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any

import shiboken6
from pydantic import ValidationError

from app.core.profile import AgentProfile
from app.core.text.i18n import _
from app.ui.dialogs.agents.agent_form import ProfileForm
from app.ui.dialogs.settings.history import History
from app.ui.texts import faults_text

if TYPE_CHECKING:
    from app.services.settings.settings import SettingsService


class ProfileChanges:
    def __init__(self, form: ProfileForm, settings: SettingsService, tell: Callable[[str, bool], None]) -> None:
        """`tell` shows a sentence, and whether it is about an error."""
        self._form, self._settings, self._tell = form, settings, tell
        self.profile: AgentProfile | None = None
        """As it is stored."""
        self._history: History[Mapping[str, Any]] = History()
        """What the changed fields were, since the agent was shown."""
        self._first_errors: Mapping[str, str] = {}
        self._raised = ""

    @property
    def is_dirty(self) -> bool:
        if self.profile is None:
            return False
        return bool(self._form.valid_changes(self.profile.model_dump())) or self._form.errors() != self._first_errors

    @property
    def can_undo(self) -> bool:
        return self._history.last is not None

    def show_stored(self) -> None:
        assert self.profile is not None
        self._history.clear()
        self._raised = ""
        self._form.set_values(self.profile.model_dump())
        self._first_errors = self._form.errors()

    def follow(self) -> bool:
        """Stored here or elsewhere: fields that nobody is changing show it. Whether anything is new."""
        if self.profile is None or all(one.id != self.profile.id for one in self._settings.profiles()):
            return False
        before, self.profile = self.profile, self._settings.profile(self.profile.id)
        self._form.follow(before.model_dump(), self.profile.model_dump())
        return before != self.profile

    def edited(self) -> None:
        if not self._form.editor("max_steps").control.hasFocus():  # 1 may be the beginning of 12
            self._raise_steps()

    def store(self) -> Coroutine[Any, Any, None] | None:
        """What is valid of the changes, on top of what is stored by now; None if there is nothing to store."""
        if self.profile is None:
            return None
        self._raise_steps()
        before = self.profile.model_dump()
        while changes := self._form.valid_changes(before):
            stored = self._settings.profile(self.profile.id).model_dump()
            try:
                profile = AgentProfile.model_validate({**stored, **changes})
            except ValidationError as error:
                names = {str(fault["loc"][0]) for fault in error.errors() if fault["loc"]} & changes.keys()
                if not names:
                    self._tell(faults_text(error), True)
                    return None
                self._form.refuse(dict.fromkeys(names, faults_text(error)))
            else:
                return self._store(profile, changes, {name: before[name] for name in changes})
        return None

    def take_back(self) -> bool:
        """The form shows what was before the last change; whether there was one."""
        before = self._history.last
        if before is None or self.profile is None:
            return False
        shown = self.profile.model_dump()
        if all(shown[name] == value for name, value in before.items()):
            self._history.drop_last()
        self._form.set_values(before)
        return True

    async def _store(self, profile: AgentProfile, changes: Mapping[str, Any], before: Mapping[str, Any]) -> None:
        await self._settings.save_profile(profile)
        if not shiboken6.isValid(self._form) or self.profile is None or self.profile.id != profile.id:
            return
        self._form.follow(changes, profile.model_dump())  # a text may have been trimmed
        self._history.store(before, changes)
        self._tell(" ".join(filter(None, (self._raised, _("Saved. It acts from the next turn.")))), False)
        self._raised = ""

    def _raise_steps(self) -> None:
        values = self._form.values()
        rounds, steps = values["max_reflection_iterations"], values["max_steps"]
        if values["enable_reflection"] and steps < rounds + 1 and "max_steps" not in self._form.errors():
            self._raised = _("Steps were raised to {n}, so that the rounds fit.").format(n=rounds + 1)
            self._form.editor("max_steps").set_value(rounds + 1)
            self._tell(self._raised, False)
