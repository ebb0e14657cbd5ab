"""The ordinary editor of a setting, by its kind."""

from __future__ import annotations

from collections.abc import Mapping

from app.core.setting import SettingInfo
from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.fields.choice_editors import choice_editor
from app.ui.widgets.fields.editors import (
    Editor,
    LongTextEditor,
    NumberEditor,
    OptionalNumberEditor,
    SliderEditor,
    SwitchEditor,
    TextEditor,
)


def make_editor(info: SettingInfo, theme: Theme, words: Mapping[str, str]) -> Editor:
    """The ordinary editor for a setting; `words` are the words of its choices."""
    match info.kind:
        case "choice":
            options = [(value, words.get(value, value)) for value in info.choices]
            return choice_editor(_(info.title), options, theme)
        case "bool":
            return SwitchEditor(info, theme)
        case "int" | "float" if info.optional:
            return OptionalNumberEditor(info, theme)
        case "int" | "float":
            return SliderEditor(info, theme) if info.widget == "slider" else NumberEditor(info, theme)
        case "str":
            return LongTextEditor(info, theme) if info.widget == "long_text" else TextEditor(info, theme)
        case _:
            raise TypeError(f"{info.name}: give the form an editor for it")
