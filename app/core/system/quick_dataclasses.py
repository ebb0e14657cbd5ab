"""Makes data classes several times faster to create.

WORKAROUND: up to Python 3.12, `@dataclass` writes the source of `__repr__`, `__eq__`, `__hash__`, `__setattr__` and
`__delattr__` of each class and compiles it. The 450 data classes of a start took a third of the time until a question
can be sent. None of these functions depends on more than the names of the fields, so closures do the same. From 3.13
on, Python compiles once per class, and nothing is changed here.
"""

# ruff: noqa: N807 - they become methods of the classes that are made

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Sequence
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any

Field = dataclasses.Field[Any]
Method = Callable[..., Any]
_NAMES = ("_repr_fn", "_cmp_fn", "_hash_fn", "_frozen_get_del_attr")


def quicken_dataclasses() -> bool:
    """Before classes are made; again is harmless. False on a Python whose `dataclasses` works in another way."""
    if sys.version_info >= (3, 13) or not all(hasattr(dataclasses, name) for name in _NAMES):
        return False
    for name, function in zip(_NAMES, (_repr, _comparison, _hash, _frozen), strict=True):
        setattr(dataclasses, name, function)
    return True


_compiled_comparison: Any = getattr(dataclasses, "_cmp_fn", None)


def _repr(fields: Sequence[Field], _globals: object) -> Method:
    names = [field.name for field in fields]

    def __repr__(self: Any) -> str:
        values = ", ".join([f"{name}={getattr(self, name)!r}" for name in names])
        return f"{self.__class__.__qualname__}({values})"

    return recursive_repr()(__repr__)


def _comparison(name: str, op: str, self_tuple: str, other_tuple: str, globals: dict[str, Any]) -> Method:
    """`self_tuple` is "(self.first,self.second,)"."""
    if (name, op) != ("__eq__", "=="):
        return _compiled_comparison(name, op, self_tuple, other_tuple, globals)  # type: ignore[no-any-return]
    values = _values([part.partition(".")[2] for part in self_tuple.strip("(),").split(",") if part])

    def __eq__(self: Any, other: Any) -> Any:
        if other.__class__ is self.__class__:
            return values(self) == values(other)
        return NotImplemented

    return __eq__


def _hash(fields: Sequence[Field], _globals: object) -> Method:
    values = _values([field.name for field in fields])

    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __hash__


def _frozen(cls: Any, fields: Sequence[Field], _globals: object) -> tuple[Method, Method]:
    names = frozenset(field.name for field in fields)

    def __setattr__(self: Any, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return __setattr__, __delattr__


def _values(names: list[str]) -> Callable[[Any], Any]:
    """Those of an object's fields, to be compared or hashed."""
    if not names:
        return _none
    if len(names) > 1:
        return attrgetter(*names)
    get = attrgetter(*names)
    return lambda one: (get(one),)


def _none(_one: object) -> tuple[()]:
    return ()
