"""Rules before and after tools, in the order they act (product.md S5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.core.text.i18n import _
from app.ui.dialogs.agents.hook_fields import KINDS, fresh
from app.ui.dialogs.agents.hook_row import HookRow
from app.ui.dialogs.agents.hook_trial import LastCall
from app.ui.theme import Theme
from app.ui.widgets.fields.rows_editor import EditRow, RowsEditor
from app.ui.widgets.spawn import Spawn


class HookEditor(RowsEditor):
    def __init__(self, tools: Sequence[str], theme: Theme, *, spawn: Spawn, last_call: LastCall | None) -> None:
        self._theme, self._tools, self._spawn, self._last_call = theme, tools, spawn, last_call
        super().__init__(
            theme,
            add=_("Add a rule"),
            empty=_("No rules: arguments and results pass as they are."),
            fresh=fresh(KINDS[0]),
        )
        self.add_button.setObjectName("addHookRule")

    def make_row(self, value: Any) -> EditRow:
        return HookRow(self._theme, dict(value), self._tools, spawn=self._spawn, last_call=self._last_call)
