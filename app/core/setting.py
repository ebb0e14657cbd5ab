"""How one setting is declared: type, default, bounds, title, help – in one line of its model.

    max_steps: int = setting(8, ge=1, le=50, title=N_("Steps"), help=N_("Requests to the model in one run"))

The form, the validation, the storage and the list for translators follow from that line.
Of a file, values out of bounds are brought inside where `clamp` is set. What a person says – in a form, by `--set`,
in an agent they import – is refused with the bounds named (`range_fault`), but for the fields that interfaces.md
calls clamped (`clamp_input`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import to_jsonable_python

from .text.i18n import N_, languages
from .text.value_faults import ValueFault

Widget = Literal["", "text", "long_text", "slider", "tools", "model", "json", "hidden", "language"]


def setting(
    default: Any = ...,
    *,
    title: str = "",
    help: str = "",
    group: str = "",
    widget: Widget = "",
    unit: str = "",
    clamp: bool = False,
    clamp_input: bool = False,
    factory: Callable[[], Any] | None = None,
    **bounds: Any,
) -> Any:
    """A pydantic field that also knows how it is shown. `bounds` are pydantic's (ge, le, max_length …)."""
    form = {
        "title": title, "help": help, "group": group, "widget": widget, "unit": unit,
        "clamp": clamp or clamp_input, "clamp_input": clamp_input,
    }  # fmt: skip
    extra: dict[str, Any] = {"setting": form}
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
    clamp_input: bool = False


def describe(model: type[BaseModel]) -> list[SettingInfo]:
    """The settings of a model in the order they are declared; fields without a title are not shown."""
    return [_describe(name, info) for name, info in model.model_fields.items() if _shown(info).get("title")]


@cache
def _described(model: type[BaseModel]) -> tuple[SettingInfo, ...]:
    """For the bounds, which are asked for at every file that is read; defaults may be made again, bounds are not."""
    return tuple(describe(model))


def _shown(info: FieldInfo) -> Mapping[str, Any]:
    extra = info.json_schema_extra
    value = extra.get("setting") if isinstance(extra, dict) else None
    return value if isinstance(value, dict) else {}


def _describe(name: str, info: FieldInfo) -> SettingInfo:
    extra = _shown(info)
    kind, optional, choices = _kind(info.annotation)
    if extra["widget"] == "language":
        kind, choices = "choice", ("", *languages())
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
        title=extra["title"],
        help=extra["help"],
        group=extra["group"],
        widget=extra["widget"],
        unit=extra["unit"],
        clamp=extra["clamp"],
        clamp_input=extra["clamp_input"],
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
    for info in _described(model):
        value = fixed.get(info.name)
        if info.clamp and isinstance(value, int | float) and not isinstance(value, bool):
            low = info.low if info.low is not None else value
            high = info.high if info.high is not None else value
            fixed[info.name] = type(value)(min(max(value, low), high))
    return fixed


def range_fault(model: type[BaseModel], values: Mapping[str, Any]) -> ValueFault | None:
    """The first field whose value is out of its bounds and may not be; it names them."""
    for info in _described(model):
        value = values.get(info.name)
        if info.clamp_input or isinstance(value, bool) or not isinstance(value, int | float):
            continue
        low = -math.inf if info.low is None else info.low
        high = math.inf if info.high is None else info.high
        if not low <= value <= high:
            return _out_of_range(info, value)
    return None


def _out_of_range(info: SettingInfo, value: float) -> ValueFault:
    bounds = {"low": f"{info.low or 0:.15g}", "high": f"{info.high or 0:.15g}"}
    if info.high is None:
        words = N_("{value} is out of range: at least {low}")
    elif info.low is None:
        words = N_("{value} is out of range: at most {high}")
    else:
        words = N_("{value} is out of range: {low} to {high}")
    return ValueFault(info.name, words, {"value": value, **bounds})


class Fields(dict[str, Any]):
    """The fields of a table in a settings file: None removes one, fields that are not named stay unchanged.

    `defaults` are the values of fields that are absent; a field written with its default may stay in the file.
    """

    def __init__(self, values: Mapping[str, Any], defaults: Mapping[str, Any] | None = None) -> None:
        super().__init__(values)
        self.defaults = defaults or {}

    def also(self, values: Mapping[str, Any]) -> Fields:
        """These with further ones, or other values."""
        return Fields({**self, **values}, self.defaults)


def stored_values(model: BaseModel) -> Fields:
    """A model as a settings file holds it: every field is named, one at its default as None.

    A field that was merely left out would keep the value that is in the file, and come back at the next start.
    """
    dumped = model.model_dump(mode="json", exclude_defaults=True)
    values: dict[str, Any] = {}
    defaults: dict[str, Any] = {}
    for name, info in type(model).model_fields.items():
        value = getattr(model, name)
        values[name] = stored_values(value) if isinstance(value, BaseModel) else _with_null(dumped.get(name))
        if not info.is_required():
            defaults[name] = to_jsonable_python(info.get_default(call_default_factory=True))
    return Fields(values, defaults)


def _with_null(value: Any) -> Any:
    """TOML has no null: a value that holds one is written as JSON text (`from_json_text` reads it)."""
    if isinstance(value, list):
        return [_with_null(item) for item in value]
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) and _holds_null(value) else value


def _holds_null(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_null, value.values()))
    return any(map(_holds_null, value)) if isinstance(value, list) else value is None


def from_json_text(value: Any) -> Any:
    """An object of JSON that a settings file may hold as text, alone or in a list."""
    if isinstance(value, list | tuple):
        return [from_json_text(item) for item in value]
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except json.JSONDecodeError as error:
        raise ValueError(N_("is no JSON")) from error
    except RecursionError as error:
        raise ValueError(N_("is nested too deeply")) from error


Model = TypeVar("Model", bound=BaseModel)


def read_leniently(model: type[Model], values: Any) -> tuple[Model, list[str]]:
    """Build `model` from a settings file: a wrong field falls back to its default, the rest is kept.

    Returns the object and the names of the fields that were wrong ("" if the whole is no table).
    Required fields that are missing or wrong still raise pydantic's ValidationError.
    """
    if not isinstance(values, Mapping):
        return model(), [""]
    wanted = clamped(model, values)
    wrong: list[str] = []
    for _attempt in range(len(wanted) + 1):
        try:
            return model.model_validate(wanted), wrong
        except ValidationError as error:
            bad = {str(fault["loc"][0]) for fault in error.errors() if fault["loc"]} & wanted.keys()
            if not bad:
                raise
            for name in bad:
                del wanted[name]
            wrong.extend(sorted(bad))
    raise AssertionError("every round removes a field")
