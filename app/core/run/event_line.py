"""An event in its place in a run, and as a line of JSON: the form of the log and of `run --events`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from .chat_model import Usage
from .event_fields import check_fields
from .event_values import ErrorInfo
from .events import RunEvent
from .plan import PlanStep, step_from_json
from .understood import UnderstoodSlot

EVENT_TYPES: Mapping[str, type[Any]] = {cls.type: cls for cls in get_args(RunEvent)}

FORMAT = 1
"""`v` of every line."""


@dataclass(frozen=True, slots=True)
class Stamped:
    """An event in its place: `seq` counts from 0 without a gap, `t` is seconds since the run began.

    The live stream and the stored log count for themselves: in the log, text that came in pieces is gathered, so
    a line of it may be several of the live stream, with the `t` of the first.
    """

    seq: int
    t: float
    run: str
    session: str
    event: RunEvent
    parent: str | None = None
    """The id of the run this one was started by."""

    def to_json(self) -> dict[str, Any]:
        line: dict[str, Any] = {
            "v": FORMAT,
            "seq": self.seq,
            "t": round(self.t, 4),
            "run": self.run,
            "session": self.session,
        }
        if self.parent:
            line["parent"] = self.parent
        line.update(event_to_json(self.event))
        return line

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> Stamped:
        return cls(
            seq=int(line["seq"]),
            t=float(line["t"]),
            run=str(line["run"]),
            session=str(line["session"]),
            event=event_from_json(line),
            parent=line.get("parent"),
        )


def event_to_json(event: RunEvent) -> dict[str, Any]:
    """The event's own fields and its type. Optional fields that are None are left out, but those in _ALWAYS."""
    line: dict[str, Any] = {"type": event.type}
    cls: type[Any] = type(event)
    for name in _field_names(cls):
        value = getattr(event, name)
        if value is None and (event.type, name) not in _ALWAYS:
            continue
        line[name] = _plain(value)
    return line


_ALWAYS = {("tool_result", "repeat"), ("step_end", "ttft_ms")}
"""Fields the list of events has without a question mark: null, where there is nothing."""


def event_from_json(line: Mapping[str, Any]) -> RunEvent:
    """Raises KeyError for an unknown type, TypeError for a field that is missing or of another kind.

    Unknown fields are skipped.
    """
    kind = line["type"]
    cls = EVENT_TYPES[kind]
    fields = {name: _READERS.get((kind, name), _same)(line[name]) for name in _field_names(cls) if name in line}
    check_fields(cls, fields)
    event: RunEvent = cls(**fields)
    return event


_FIELD_NAMES: dict[type[Any], tuple[str, ...]] = {}


def _field_names(cls: type[Any]) -> tuple[str, ...]:
    names = _FIELD_NAMES.get(cls)
    if names is None:
        names = _FIELD_NAMES[cls] = tuple(f.name for f in dataclasses.fields(cls))
    return names


def _plain(value: Any) -> Any:
    if isinstance(value, str | int | float | dict):
        return value
    if isinstance(value, PlanStep):
        return value.to_json()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return dict(value)
    return value


def _same(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _known(cls: type[Any], value: Mapping[str, Any]) -> Any:
    fields = {name: value[name] for name in _field_names(cls) if name in value}
    check_fields(cls, fields)
    return cls(**fields)


def _usage(value: Mapping[str, Any]) -> Any:
    return _known(Usage, value)


_READERS: Mapping[tuple[str, str], Callable[[Any], Any]] = {
    ("step_end", "usage"): _usage,
    ("loop_end", "usage"): _usage,
    ("loop_error", "usage"): _usage,
    ("loop_error", "error"): lambda value: _known(ErrorInfo, value),
    ("understood", "slots"): lambda value: tuple(UnderstoodSlot.from_json(slot) for slot in value),
    ("plan", "steps"): lambda value: tuple(step_from_json(step, n) for n, step in enumerate(value, 1)),
}
"""Fields that are more than plain JSON, by event type and name."""
