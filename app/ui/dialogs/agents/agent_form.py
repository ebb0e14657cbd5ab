"""The form of an agent's settings: which editor each field of the profile has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtWidgets import QWidget

from app.core.profile import AgentProfile
from app.core.run.mode import mode_ids
from app.core.setting import SettingInfo, describe
from app.core.text.i18n import _
from app.ui import texts
from app.ui.dialogs.agents.choices import AgentChoices
from app.ui.dialogs.agents.domain_fields import DomainFields, SettingsOf
from app.ui.dialogs.agents.hook_editor import HookEditor
from app.ui.dialogs.agents.limit_editors import BudgetEditor, SchemaEditor
from app.ui.dialogs.agents.permission_rules import PermissionRules
from app.ui.dialogs.agents.pick_editors import Option, PickEditor, SuccessorEditor
from app.ui.dialogs.agents.profile_costs import COSTS
from app.ui.dialogs.agents.profile_editors import IconEditor, LanguagesEditor, ModelEditor, ReflectionEditor
from app.ui.dialogs.agents.setting_labels import profile_words
from app.ui.dialogs.agents.tool_table import ToolInfo, ToolTable
from app.ui.theme import Theme
from app.ui.widgets.fields.choice_editors import choice_editor
from app.ui.widgets.fields.editors import Editor, EditorFactory
from app.ui.widgets.fields.form import Form
from app.ui.widgets.spawn import Spawn

_FIRST = ("Agent", "Mode", "Reflection", "Model")
"""Groups."""
_NAMES = {
    "max_reflection_iterations": "reflectionSlider",
    "tool_result_max_length": "truncationField",
    "max_steps": "maxStepsField",
    "tools": "toolTable",
}


class ProfileForm(Form):
    def __init__(
        self,
        theme: Theme,
        *,
        tools: Sequence[ToolInfo],
        choices: AgentChoices,
        domain_settings: SettingsOf,
        spawn: Spawn,
        parent: QWidget | None = None,
    ) -> None:
        names = [tool.name for tool in tools]
        self.table = ToolTable(tools, theme)
        self.rules = PermissionRules(names, theme, spawn=spawn, last=choices.past_call)
        self.rounds: ReflectionEditor | None = None
        self.domain = DomainFields(theme, domain_settings)
        self._choices = choices

        def rounds(info: SettingInfo, theme: Theme) -> Editor:
            self.rounds = ReflectionEditor(info, theme)
            return self.rounds

        def hooks(_info: SettingInfo, theme: Theme) -> Editor:
            return HookEditor(names, theme, spawn=spawn, last_call=choices.last_call)

        editors: dict[str, EditorFactory] = {
            "name": LanguagesEditor,
            "description": LanguagesEditor,
            "icon": IconEditor,
            "domain_settings": partial(_ready, self.domain),
            "model": partial(ModelEditor, choices.models()),
            "default_mode": _modes,
            "max_reflection_iterations": rounds,
            "budget": BudgetEditor,
            "tools": partial(_ready, self.table),
            "permissions": partial(_ready, self.rules),
            "hooks": hooks,
            "subagents": partial(PickEditor, _("There is no other agent.")),
            "mcp_servers": partial(PickEditor, _("No server is set up.")),
            "skills": partial(PickEditor, _("There is no skill.")),
            "knowledge": partial(PickEditor, _("No documents yet.")),
            "then": SuccessorEditor,
            "output_schema": SchemaEditor,
        }
        super().__init__(
            _in_order(describe(AgentProfile)),
            theme,
            editors=editors,
            words=profile_words(),
            names=_NAMES,
            parent=parent,
        )

    def offer(self, others: Sequence[Option]) -> None:
        """What may be chosen, from the next `set_values` on; `others` are the agents beside the one that is shown."""
        offers = {"subagents": others, "then": others}
        offers |= {"mcp_servers": self._choices.servers(), "knowledge": self._choices.bases()}
        offers |= {"skills": self._choices.skills()}
        for name, options in offers.items():
            editor = self.editor(name)
            assert isinstance(editor, (PickEditor, SuccessorEditor))
            editor.offer(options)

    def set_values(self, values: Mapping[str, Any]) -> None:
        if "domain" in values:
            self.domain.show_domain(str(values["domain"]))
            self.leave_out("domain_settings", is_out=self.domain.is_empty)
        super().set_values(values)

    def cost_of(self, name: str) -> str:
        return COSTS[name](self.editor(name).value()) if name in COSTS else ""

    def arrange(self) -> None:
        """What follows from other fields: rules of tools, tools of servers, and whether there are rounds to choose."""
        self.table.show_rules(self.rules.count_for)
        self.table.show_servers(self.values().get("mcp_servers", ()))
        self.editor("max_reflection_iterations").setEnabled(bool(self.values()["enable_reflection"]))


def _ready(editor: Editor, _info: SettingInfo, _theme: Theme) -> Editor:
    return editor


def _modes(info: SettingInfo, theme: Theme) -> Editor:
    return choice_editor(_(info.title), [(mode, texts.mode_title(mode)) for mode in mode_ids()], theme)


def _in_order(settings: Sequence[SettingInfo]) -> list[SettingInfo]:
    """What a person decides first stands first: how an answer is made, before the model's own fields."""
    order = list(dict.fromkeys([*_FIRST, *(info.group for info in settings)]))
    return sorted(settings, key=lambda info: (order.index(info.group), info.name == "max_steps"))
