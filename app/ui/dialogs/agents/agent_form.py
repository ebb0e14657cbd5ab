"""The form of an agent's settings: which editor each field of the profile has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtWidgets import QWidget

from app.core.profile import AgentProfile
from app.core.run.mode import mode_ids
from app.core.setting import SettingInfo, describe
from app.core.text.i18n import _
from app.ui import texts
from app.ui.dialogs.agents.domain_fields import DomainFields, SettingsOf
from app.ui.dialogs.agents.hook_editor import HookEditor
from app.ui.dialogs.agents.hook_trial import LastCall
from app.ui.dialogs.agents.limit_editors import BudgetEditor, SchemaEditor
from app.ui.dialogs.agents.permission_rules import LastCallOf, PermissionRules
from app.ui.dialogs.agents.pick_editors import Option, PickEditor, SuccessorEditor
from app.ui.dialogs.agents.profile_costs import COSTS
from app.ui.dialogs.agents.profile_editors import IconEditor, LanguagesEditor, ModelEditor, ReflectionEditor
from app.ui.dialogs.agents.setting_labels import profile_words
from app.ui.dialogs.agents.tool_table import ToolInfo, ToolTable
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import ChoiceEditor, Editor, EditorFactory
from app.ui.widgets.fields.form import Form
from app.ui.widgets.spawn import Spawn

_NAMES = {
    "max_reflection_iterations": "reflectionSlider",
    "tool_result_max_length": "truncationField",
    "max_steps": "maxStepsField",
    "tools": "toolTable",
}


class AgentForm(Form):
    def __init__(
        self,
        theme: Theme,
        *,
        tools: Sequence[ToolInfo],
        models: Callable[[], Sequence[str]],
        others: Callable[[], Sequence[Option]],
        servers: Callable[[], Sequence[Option]] | None,
        bases: Callable[[], Sequence[Option]] | None = None,
        last_call: LastCall | None,
        last_call_of: LastCallOf | None,
        domain_settings: SettingsOf,
        spawn: Spawn,
        parent: QWidget | None = None,
    ) -> None:
        """`others` are the agents beside the one that is shown; without `servers` or `bases` none are chosen."""
        names = [tool.name for tool in tools]
        self.table, self.rules = ToolTable(tools, theme), PermissionRules(names, theme, spawn=spawn, last=last_call_of)
        self.rounds: ReflectionEditor | None = None
        self.domain = DomainFields(theme, domain_settings)

        def rounds(info: SettingInfo, theme: Theme) -> Editor:
            self.rounds = ReflectionEditor(info, theme)
            return self.rounds

        editors: dict[str, EditorFactory] = {
            "name": LanguagesEditor,
            "description": LanguagesEditor,
            "icon": IconEditor,
            "domain_settings": lambda _info, _theme: self.domain,
            "model": lambda _info, theme: ModelEditor(models, theme),
            "default_mode": _modes,
            "max_reflection_iterations": rounds,
            "budget": BudgetEditor,
            "tools": lambda _info, _theme: self.table,
            "permissions": lambda _info, _theme: self.rules,
            "hooks": lambda _info, theme: HookEditor(names, theme, spawn=spawn, last_call=last_call),
            "subagents": lambda info, theme: PickEditor(info, others, theme, empty=_("There is no other agent.")),
            "then": lambda _info, theme: SuccessorEditor(others, theme),
            "output_schema": SchemaEditor,
        }
        if servers is not None:
            none = _("No server is set up.")
            editors["mcp_servers"] = lambda info, theme: PickEditor(info, servers, theme, empty=none)
        if bases is not None:
            editors["knowledge"] = lambda info, theme: PickEditor(info, bases, theme, empty=_("No documents yet."))
        absent = {name for name, given in (("mcp_servers", servers), ("knowledge", bases)) if given is None}
        fields = [info for info in describe(AgentProfile) if info.name not in absent]
        super().__init__(
            fields, theme, editors=editors, words=profile_words(), names=_NAMES, costs=COSTS, parent=parent
        )

    def set_values(self, values: Mapping[str, Any]) -> None:
        self.domain.show_domain(str(values.get("domain", "")))
        self.leave_out("domain_settings", is_out=self.domain.is_empty)
        super().set_values(values)

    def arrange(self) -> None:
        """What follows from other fields: rules of tools, tools of servers, and whether there are rounds to choose."""
        self.table.show_rules(self.rules.count_for)
        self.table.show_servers(self.values().get("mcp_servers", ()))
        self.editor("max_reflection_iterations").setEnabled(bool(self.values()["enable_reflection"]))


def _modes(_info: SettingInfo, theme: Theme) -> Editor:
    return ChoiceEditor([(mode, texts.mode_title(mode)) for mode in mode_ids()], theme)
