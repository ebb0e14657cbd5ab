"""Data classes made quickly do what Python's own do, in every form they are written in."""

from __future__ import annotations

import dataclasses
import importlib.util
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from app.core.system.quick_dataclasses import quicken_dataclasses
from tests.every import every

FORMS = {
    "none": ("", {}),
    "one": ("a: object", {}),
    "frozen": ("a: object\n b: object = 2", {"frozen": True}),
    "frozen with slots": ("a: object\n b: object = 2", {"frozen": True, "slots": True}),
    "frozen and empty": ("", {"frozen": True, "slots": True}),
    "ordered": ("a: object\n b: object = 2", {"order": True, "frozen": True}),
    "left out of repr, eq and hash": (
        (
            "a: object\n b: object = dataclasses.field(default=1, repr=False, compare=False)\n"
            " c: object = dataclasses.field(default=3, hash=False)"
        ),
        {"frozen": True, "slots": True},
    ),
    "compared by identity": ("a: object", {"eq": False}),
    "hashed though it changes": ("a: object\n b: object = 2", {"unsafe_hash": True}),
    "own repr": ("a: object\n def __repr__(self): return 'mine'", {"frozen": True}),
}


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Python's own module once more, as it is in the file."""
    assert dataclasses.__file__ is not None
    spec = importlib.util.spec_from_file_location("plain_dataclasses", dataclasses.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def outcome(act: Callable[[], object]) -> object:
    try:
        return act()
    except Exception as error:  # what it raises is compared
        return type(error).__name__, str(error)


def behaviour(module: ModuleType, body: str, options: dict[str, bool]) -> list[object]:
    names: dict[str, Any] = {"dataclasses": module, "__name__": __name__}
    exec(f"class Thing:\n {body or 'pass'}\nclass Sub(Thing):\n extra = 0", names)
    made = module.dataclass(**options)(names["Thing"])
    sub = type("Sub", (made,), {})
    values = {field.name: "x" for field in module.fields(made) if field.name == "a"}
    one, same = made(**values), made(**values)
    other = made(**{**values, "a": [1]}) if values else made()
    derived = sub(**values)
    acts: list[Callable[[], object]] = [
        lambda: repr(one), lambda: repr(derived), lambda: one == same, lambda: one == other, lambda: one == derived,
        lambda: one != same, lambda: one == 1, lambda: hash(one) == hash(same), lambda: hash(other) != 0,
        lambda: one < same, lambda: setattr(same, "a", 5), lambda: setattr(same, "new", 5), lambda: delattr(same, "a"),
        lambda: setattr(derived, "new", 5), lambda: setattr(derived, "a", 5), lambda: delattr(derived, "nothing"),
        lambda: repr(same), lambda: repr(module.replace(one)) == repr(one), lambda: module.astuple(one),
    ]  # fmt: skip
    # Of objects that are told apart by identity alone, the address is not compared.
    return [str(result).replace(hex(id(one)), "") for result in map(outcome, acts)]


def test_they_behave_as_pythons_own_do(plain: ModuleType) -> None:
    quicken_dataclasses()

    def check(form: tuple[str, dict[str, bool]]) -> None:
        assert behaviour(dataclasses, *form) == behaviour(plain, *form)

    every(FORMS.items(), check)


def test_one_that_holds_itself_is_written_without_end_nowhere() -> None:
    @dataclasses.dataclass
    class Node:
        next: object = None

    node = Node()
    node.next = node
    assert repr(node).endswith("Node(next=...)")
