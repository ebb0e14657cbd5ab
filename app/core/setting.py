"""How one setting is declared: type, default, bounds, title, help – in one line of its model.

    max_steps: int = setting(8, ge=1, le=50, title=N_("Steps"), help=N_("Requests to the model in one run"))

The form, the validation, the storage and the list for translators follow from that line.
Values out of bounds are clamped where `clamp` is set, refused otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, Field, ValidationError
from pydantic.fields import FieldInfo

Widget = Literal["", "text", "long_text", "slider", "tools", "model", "json", "hidden"]


def setting(
    default: Any = ...,
    *,
    title: str = "",
    help: str = "",
    group: str = "",
    widget: Widget = "",
    unit: str = "",
    clamp: bool = False,
    factory: Callable[[], Any] | None = None,
    **bounds: Any,
) -> Any:
    """A pydantic field that also knows how it is shown. `bounds` are pydantic's (ge, le, max_length …)."""
    shown = {"title": title, "help": help, "group": group, "widget": widget, "unit": unit, "clamp": clamp}
    extra: dict[str, Any] = {"setting": shown}
    if factory is not None:
        return Field(default_factory=factory, json_schema_extra=extra, **bounds)
    return Field(default, json_schema_extra=extra, **bounds)


@dataclass(frozen=True, slots=True)
class SettingInfo:
    """What a form needs to know of one field."""

    name: str
    kind: Literal["bool", "int", "float", "choice", "str", "other"]
    optional: bool
    default: Any
    low: float | None
    high: float | None
    max_length: int | None
    choices: tuple[str, ...]
    title: str
    help: str
    group: str
    widget: str
    unit: str
    clamp: bool


def describe(model: type[BaseModel]) -> list[SettingInfo]:
    """The settings of a model in the order they are declared; fields without a title are not shown."""
    return [_describe(name, info) for name, info in model.model_fields.items() if _shown(info).get("title")]


def _shown(info: FieldInfo) -> Mapping[str, Any]:
    extra = info.json_schema_extra
    shown = extra.get("setting") if isinstance(extra, dict) else None
    return shown if isinstance(shown, dict) else {}


def _describe(name: str, info: FieldInfo) -> SettingInfo:
    shown = _shown(info)
    kind, optional, choices = _kind(info.annotation)
    bound: dict[str, Any] = {}
    for item in info.metadata:
        for key in ("ge", "le", "max_length"):
            value = getattr(item, key, None)
            if value is not None:
                bound[key] = value
    return SettingInfo(
        name=name,
        kind=kind,
        optional=optional,
        default=info.get_default(call_default_factory=True),
        low=bound.get("ge"),
        high=bound.get("le"),
        max_length=bound.get("max_length"),
        choices=choices,
        title=shown["title"],
        help=shown["help"],
        group=shown["group"],
        widget=shown["widget"],
        unit=shown["unit"],
        clamp=shown["clamp"],
    )


def _kind(annotation: Any) -> tuple[Any, bool, tuple[str, ...]]:
    args = get_args(annotation)
    if get_origin(annotation) is Literal:
        return "choice", False, tuple(str(arg) for arg in args)
    if type(None) in args:
        kind, _optional, choices = _kind(next(arg for arg in args if arg is not type(None)))
        return kind, True, choices
    names: dict[Any, str] = {bool: "bool", int: "int", float: "float", str: "str"}
    return names.get(annotation, "other"), False, ()


def clamped(model: type[BaseModel], values: Mapping[str, Any]) -> dict[str, Any]:
    """`values` with those fields that say `clamp` brought inside their bounds."""
    fixed = dict(values)
    for info in describe(model):
        value = fixed.get(info.name)
        if info.clamp and isinstance(value, int | float) and not isinstance(value, bool):
            low = info.low if info.low is not None else value
            high = info.high if info.high is not None else value
            fixed[info.name] = type(value)(min(max(value, low), high))
    return fixed


Model = TypeVar("Model", bound=BaseModel)


def read_leniently(model: type[Model], values: Any) -> tuple[Model, list[str]]:
    """Build `model` from a settings file: a wrong field falls back to its default, the rest is kept.

    Returns the object and the names of the fields that were wrong ("" if the whole is no table).
    Required fields that are missing or wrong still raise pydantic's ValidationError.
    """
    if not isinstance(values, Mapping):
        return model(), [""]
    given = clamped(model, values)
    wrong: list[str] = []
    for _attempt in range(len(given) + 1):
        try:
            return model.model_validate(given), wrong
        except ValidationError as error:
            bad = {str(fault["loc"][0]) for fault in error.errors() if fault["loc"]} & given.keys()
            if not bad:
                raise
            for name in bad:
                del given[name]
            wrong.extend(sorted(bad))
    raise AssertionError("every round removes a field")
