"""The settings of one model, as rows of a form: its price, and what a person knows better than the catalogue.

A row that is left as it is says what the catalogue knows; only what is changed is kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from app.core.run.chat_model import ModelTraits
from app.core.run.price import Price
from app.core.setting import SettingInfo
from app.core.text.i18n import N_, _
from app.ui.widgets.fields.editors import EditorFactory, TextEditor

_PRICES, _ABLE, _SPEECH = N_("Price of a million tokens"), N_("What it can do"), N_("How it speaks")
_YES_NO: Mapping[str, str] = {"yes": N_("Yes"), "no": N_("No")}
_WORDS: Mapping[str, Mapping[str, str]] = {
    "tools": {"native": N_("As the service offers it"), "text": N_("As text"), "none": N_("None")},
    "echo_reasoning": {
        "never": N_("Never"),
        "tool_turns": N_("While tools are used"),
        "always": N_("Always"),
    },
    "json_schema": {
        "strict": N_("Schema, strictly"),
        "schema": N_("Schema"),
        "object": N_("Any JSON object"),
        "none": N_("None"),
    },
    "effort": {
        "levels": "reasoning_effort: low – high",
        "levels_minimal": "reasoning_effort: minimal – high",
        "levels_none": "reasoning_effort: none – high",
        "switch": "reasoning_effort: none, default",
        "reasoning": "reasoning: {effort}",
        "budget": "enable_thinking, thinking_budget",
        "thinking": "thinking: {type}",
        "thinking_levels": "thinking: {type}, reasoning_effort",
        "tokens": "thinking: {type, budget_tokens}",
        "template": "chat_template_kwargs: {enable_thinking}",
    },
    "id_style": {"any": N_("Any"), "mistral9": N_("Nine characters")},
    "system_role": {"system": "system", "developer": "developer", "user": "user"},
    "max_tokens_name": {"max_tokens": "max_tokens", "max_completion_tokens": "max_completion_tokens"},
}

Kind = Literal["choice", "yes_no", "int", "str", "names", "json"]
_TRAITS: tuple[tuple[str, Kind, str, str, str], ...] = (
    ("tools", "choice", N_("Tools"), _ABLE, N_("How it asks for tools.")),
    ("parallel_tools", "yes_no", N_("Several tools at once"), _ABLE, ""),
    ("tool_choice", "yes_no", N_("Tools can be demanded"), _ABLE, N_("It understands tool_choice.")),
    ("vision", "yes_no", N_("Sees pictures"), _ABLE, ""),
    (
        "effort",
        "choice",
        N_("How thinking is set"),
        _ABLE,
        N_("The field that says how long to think."),
    ),
    ("json_schema", "choice", N_("JSON answers"), _ABLE, N_("What it promises about their form.")),
    (
        "final_answer",
        "yes_no",
        N_("Gives JSON answers as a call"),
        _ABLE,
        N_("If it takes tools or a schema, not both."),
    ),
    ("context_chars", "int", N_("Longest conversation"), _ABLE, N_("Above this length older results are shortened.")),
    ("local", "yes_no", N_("Slow to begin"), _ABLE, N_("It thinks long or runs here: silence is borne for longer.")),
    ("reasoning_field", "str", N_("Field of its thinking"), _SPEECH, N_("Empty: as it comes.")),
    ("echo_reasoning", "choice", N_("Wants its thinking back"), _SPEECH, ""),
    ("think_tags", "yes_no", N_("<think> is thinking"), _SPEECH, ""),
    ("think_prefilled", "yes_no", N_("Only </think> is written"), _SPEECH, N_("Its template opens the tag already.")),
    ("ask_for_think", "yes_no", N_("Ask it to think first"), _SPEECH, N_("For models that do not by themselves.")),
    ("system_role", "choice", N_("Role of the system prompt"), _SPEECH, ""),
    ("max_tokens_name", "choice", N_("Name of the length limit"), _SPEECH, ""),
    ("drop_params", "names", N_("Parameters left out"), _SPEECH, N_("Names with commas, such as temperature, top_p.")),
    ("include_usage", "yes_no", N_("Asked for its token counts"), _SPEECH, ""),
    ("id_style", "choice", N_("Ids of tool calls"), _SPEECH, ""),
    ("extra_body", "json", N_("Further fields of a request"), _SPEECH, N_("A JSON object.")),
)
_PRICE_ROWS = (
    ("price_input", N_("Read"), N_("Tokens the model reads.")),
    ("price_cached", N_("Read from the cache"), N_("Empty: as any other.")),
    ("price_output", N_("Written"), N_("Tokens the model writes, its thinking included.")),
)


class JsonEditor(TextEditor):
    """One line that is a JSON object or nothing."""

    def error(self) -> str:
        text = self.value().strip()
        if not text:
            return ""
        try:
            return "" if isinstance(json.loads(text), dict) else _("Not a JSON object")
        except ValueError:
            return _("Not a JSON object")


def rows_of(known: ModelTraits) -> tuple[list[SettingInfo], dict[str, dict[str, str]]]:
    """The settings of a form and the words of their choices."""
    infos = [_info(name, "float", title, _PRICES, help) for name, title, help in _PRICE_ROWS]
    words: dict[str, dict[str, str]] = {}
    for name, kind, title, group, help in _TRAITS:
        value = getattr(known, name)
        if kind in ("choice", "yes_no"):
            options = _YES_NO if kind == "yes_no" else _WORDS[name]
            is_now = ("yes" if value else "no") if kind == "yes_no" else value
            labels = {option: _(word) for option, word in options.items()}
            words[name] = {"": _("As known: {value}").format(value=labels.get(str(is_now), str(is_now))), **labels}
            infos.append(_info(name, "choice", title, group, help, ("", *options)))
        elif kind == "int":
            infos.append(_info(name, "int", title, group, help, unit=N_("characters")))
        else:
            infos.append(_info(name, "str", title, group, help))
    return infos, words


EDITORS: Mapping[str, EditorFactory] = {"extra_body": JsonEditor}


def values_of(price: Price | None, traits: Mapping[str, Any]) -> dict[str, Any]:
    """As the form shows them."""
    values: dict[str, Any] = {
        "price_input": price.input if price else None,
        "price_cached": price.cached if price else None,
        "price_output": price.output if price else None,
    }
    for name, kind, *_rest in _TRAITS:
        value = traits.get(name)
        match kind:
            case "yes_no":
                values[name] = "" if value is None else "yes" if value else "no"
            case "names":
                values[name] = ", ".join(value or ())
            case "json":
                values[name] = json.dumps(dict(value), ensure_ascii=False) if value else ""
            case "int":
                values[name] = value
            case _:
                values[name] = value or ""
    return values


def price_in(values: Mapping[str, Any], currency: str) -> Price | None:
    read, wrote = values["price_input"], values["price_output"]
    if read is None or wrote is None:
        return None
    cached = values["price_cached"]
    return Price(float(read), float(wrote), None if cached is None else float(cached), currency)


def is_half(values: Mapping[str, Any]) -> bool:
    """A price that says only one of what is read and what is written, and so counts nothing."""
    typed = [values[name] is not None for name in ("price_input", "price_output")]
    return typed[0] != typed[1] or (values["price_cached"] is not None and not all(typed))


def traits_in(values: Mapping[str, Any]) -> dict[str, Any]:
    """Only what was changed."""
    found: dict[str, Any] = {}
    for name, kind, *_rest in _TRAITS:
        value = values[name]
        if value in ("", None):
            continue
        match kind:
            case "yes_no":
                found[name] = value == "yes"
            case "names":
                found[name] = [part.strip() for part in value.split(",") if part.strip()]
            case "json":
                found[name] = json.loads(value)
            case _:
                found[name] = value.strip() if isinstance(value, str) else value
    return found


def _info(
    name: str, kind: Any, title: str, group: str, help: str, choices: tuple[str, ...] = (), unit: str = ""
) -> SettingInfo:
    is_number = kind in ("int", "float")
    return SettingInfo(
        name=name,
        kind=kind,
        optional=is_number,
        default=None,
        low=(1_000 if kind == "int" else 0) if is_number else None,
        high=(10_000_000 if kind == "int" else 1_000_000) if is_number else None,
        max_length=None,
        choices=choices,
        title=title,
        help=help,
        group=group,
        widget="",
        unit=unit,
        clamp=False,
    )
