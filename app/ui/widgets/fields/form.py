"""A form made from a list of settings: title, editor, help and what is wrong, in groups.

form = Form(describe(Preferences), theme, words={"theme": {"dark": _("Dark")}})
form.set_values(preferences.model_dump())
changed = Preferences(**form.values())
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from app.core.setting import SettingInfo
from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import Editor, EditorFactory
from app.ui.widgets.fields.make_editor import make_editor
from app.ui.widgets.found_label import FoundLabel
from app.ui.widgets.safe_text import SafeLabel

TITLE, SEARCHED, GROUP = "settingTitle", "settingSearched", "settingGroup"
"""Properties of a row: what it is called, and all it is found by."""


_UNLIMITED = 16_777_215


class Form(QWidget):
    changed = Signal()

    def __init__(
        self,
        settings: Sequence[SettingInfo],
        theme: Theme,
        *,
        editors: Mapping[str, EditorFactory] | None = None,
        words: Mapping[str, Mapping[str, str]] | None = None,
        names: Mapping[str, str] | None = None,
        also: Mapping[str, str] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """By name of the setting: `editors` replace the ordinary ones, `words` say choices, `names` are objectNames.

        `also` are further words a setting is found by.
        """
        super().__init__(parent)
        self._rows: dict[str, _Row] = {}
        self._headings: dict[str, QLabel] = {}
        self._groups: Collection[str] | None = None
        self._left_out: set[str] = set()
        self._is_setting = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(2))
        for group in dict.fromkeys(info.group for info in settings):
            if group:
                heading = self._headings[group] = SafeLabel(_(group), role="title")
                heading.setContentsMargins(0, theme.space(1) if self._rows else 0, 0, 0)
                layout.addWidget(heading)
            for info in (info for info in settings if info.group == group):
                make = (editors or {}).get(info.name)
                editor = make(info, theme) if make else make_editor(info, theme, (words or {}).get(info.name, {}))
                if objectname := (names or {}).get(info.name):
                    editor.control.setObjectName(objectname)
                choices = (words or {}).get(info.name, {}).values() if info.kind == "choice" else ()
                found_by = " ".join(((also or {}).get(info.name, ""), *choices))
                row = self._rows[info.name] = _Row(info, editor, theme, found_by)
                editor.changed.connect(self._edited)
                layout.addWidget(row)
        layout.addStretch(1)

    def values(self) -> dict[str, Any]:
        return {name: row.editor.value() for name, row in self._rows.items()}

    def set_values(self, values: Mapping[str, Any]) -> None:
        """Show these; names the form does not know are skipped. Says `changed` for none of them."""
        self._is_setting = True
        try:
            for name, row in self._rows.items():
                if name in values:
                    row.editor.set_value(values[name])
        finally:
            self._is_setting = False
        self._judge()

    def errors(self) -> dict[str, str]:
        return {name: error for name, row in self._rows.items() if (error := row.error())}

    def valid_changes(self, stored: Mapping[str, Any]) -> dict[str, Any]:
        """What is valid and differs from `stored`."""
        wrong = self.errors()
        return {name: value for name, value in self.values().items() if name not in wrong and stored[name] != value}

    def refuse(self, faults: Mapping[str, str]) -> None:
        """What only the whole shows: each fault is beside its field until that is changed."""
        for name, fault in faults.items():
            self._rows[name].refuse(fault)
        self._judge()

    def follow(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        """Fields that still show what they showed `before` show `after`; what is being typed stays."""
        wrong, values = self.errors(), self.values()
        names = [name for name in values if name in before and name in after and name not in wrong]
        self.set_values({name: after[name] for name in names if values[name] == before[name] != after[name]})

    def editor(self, name: str) -> Editor:
        return self._rows[name].editor

    def stack_titles(self, *, on: bool) -> None:
        """The title of each field above it, where there is no room beside it."""
        for row in self._rows.values():
            row.stack(on=on)

    def headings(self) -> dict[str, QLabel]:
        """By group, in order; of a group that the filter hides the heading is hidden."""
        return dict(self._headings)

    def leave_out(self, name: str, *, is_out: bool) -> None:
        """A setting that makes no sense here is not shown; its value stays."""
        (self._left_out.add if is_out else self._left_out.discard)(name)
        row = self._rows[name]
        row.setVisible(not is_out and (self._groups is None or row.group in self._groups))
        row.setProperty(TITLE, "" if is_out else row.title)  # a search does not find it either

    def show_groups(self, groups: Collection[str]) -> None:
        """These alone."""
        self._groups = groups
        for name, row in self._rows.items():
            row.setVisible(name not in self._left_out and row.group in groups)
        for group, heading in self._headings.items():
            heading.setVisible(group in groups)

    def group_of(self, inside: QWidget) -> str:
        """Of a part of one of its rows; "" for anything else."""
        rows = (row for row in self._rows.values() if row is inside or row.isAncestorOf(inside))
        return next((row.group for row in rows), "")

    def filter(self, text: str) -> int:
        """Show what matches, marked where it does, and how many that are."""
        needle = text.strip().casefold()
        shown: set[str] = set()
        count = 0
        for row in self._rows.values():
            fits = row.name not in self._left_out and all(word in row.searched for word in needle.split())
            row.setVisible(fits)
            row.mark(needle)
            if fits:
                shown.add(row.group)
                count += 1
        for group, heading in self._headings.items():
            heading.setVisible(group in shown)
        return count

    def _edited(self) -> None:
        if not self._is_setting:
            self._judge()
            self.changed.emit()

    def cost_of(self, name: str) -> str:
        """What the value of a setting costs, in words beside it; "" says nothing."""
        del name
        return ""

    def _judge(self) -> None:
        for name, row in self._rows.items():
            is_right = row.judge()
            row.show_cost(self.cost_of(name) if is_right else "")


class _Row(QWidget):
    def __init__(self, info: SettingInfo, editor: Editor, theme: Theme, found_by: str) -> None:
        super().__init__()
        self.editor, self.name, self.group = editor, info.name, info.group
        self._marked: list[FoundLabel] = []
        self._refused: tuple[Any, str] | None = None
        title, help = _(info.title), _(info.help) if info.help else ""
        own = (title, help, _(info.group) if info.group else "", info.name, info.title, info.group)
        self.searched = " ".join((*own, found_by)).casefold()
        self.title = title
        self.setProperty(TITLE, title)
        self.setProperty(SEARCHED, self.searched)
        self.setProperty(GROUP, _(info.group) if info.group else "")
        label = FoundLabel(title)
        self._marked.append(label)
        label.setBuddy(editor.control)
        label.setWordWrap(True)
        editor.control.setAccessibleName(title)
        editor.control.setAccessibleDescription(help)
        self._error = SafeLabel(role="error")
        self._error.setWordWrap(True)
        self._error.hide()
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.space(2))
        grid.setVerticalSpacing(theme.space(0.5))
        grid.setColumnStretch(1, 1)
        self._label, self._label_width, self._is_stacked = label, theme.space(18), editor.is_wide
        self._help: FoundLabel | None = None
        # A group of one has its title already. Shown only inside its row: without a parent it would be a window.
        label.setParent(self)
        label.setVisible(not editor.is_wide or info.title != info.group)
        if help:
            self._help = FoundLabel(help, role="meta")
            self._marked.append(self._help)
            self._help.setWordWrap(True)
        self._cost = SafeLabel(role="meta")
        self._cost.setWordWrap(True)
        self._cost.hide()
        self._place()

    def stack(self, *, on: bool) -> None:
        """The title above the field instead of beside it."""
        if (on or self.editor.is_wide) != self._is_stacked:
            self._is_stacked = on or self.editor.is_wide
            self._place()

    def _place(self) -> None:
        grid, editor, label = self._grid, self.editor, self._label
        for part in (label, editor, self._help, self._cost, self._error):
            if part is not None:
                grid.removeWidget(part)
        column = 0 if self._is_stacked else 1
        grid.setColumnMinimumWidth(0, 0 if self._is_stacked else self._label_width)
        label.setMinimumSize(0, 0)
        label.setMaximumWidth(_UNLIMITED)
        if self._is_stacked:
            grid.addWidget(label, 0, 0, 1, 2)
            grid.addWidget(editor, 1, 0, 1, 2)
        else:
            label.setMaximumWidth(self._label_width)
            line = editor.control.sizeHint().height()
            if editor.sizeHint().height() > 2 * line:
                # Beside the first line of an editor with several, not beside their middle.
                label.setMinimumHeight(line)
                grid.addWidget(label, 0, 0, Qt.AlignmentFlag.AlignTop)
            else:
                grid.addWidget(label, 0, 0, Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(editor, 0, 1)
        if self._help is not None:
            grid.addWidget(self._help, 2, column, 1, 2 - column)
        grid.addWidget(self._cost, 3, column, 1, 2 - column)
        grid.addWidget(self._error, 4, column, 1, 2 - column)

    def mark(self, needle: str) -> None:
        for label in self._marked:
            label.mark(needle)

    def error(self) -> str:
        if error := self.editor.error():
            return error
        is_refused = self._refused is not None and self._refused[0] == self.editor.value()
        return self._refused[1] if self._refused is not None and is_refused else ""

    def refuse(self, fault: str) -> None:
        self._refused = (self.editor.value(), fault)

    def judge(self) -> bool:
        error = self.error()
        self._error.setText(error)
        self._error.setVisible(bool(error))
        return not error

    def show_cost(self, cost: str) -> None:
        if cost != self._cost.full_text():
            self._cost.setText(cost)
            self._cost.setVisible(bool(cost))
