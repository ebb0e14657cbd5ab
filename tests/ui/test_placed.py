"""What is built is put somewhere: a button in a row that nobody places passes every test that calls its method.

Read from the source, so that forms which open late and rarely are seen as well.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from PySide6 import QtWidgets

UI = Path(__file__).resolve().parents[2] / "app" / "ui"
LAYOUTS = {"QHBoxLayout", "QVBoxLayout", "QGridLayout", "QFormLayout", "QStackedLayout"}
PLACES_ITSELF = {"move", "setGeometry", "setParent", "open"}
"""Called on a widget they put it on the screen without a layout; so does whatever begins with `show` or `popup`."""


@cache
def trees() -> dict[Path, ast.Module]:
    return {file: ast.parse(file.read_text("utf-8")) for file in sorted(UI.rglob("*.py"))}


@cache
def bases() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, set()).update(base.id for base in node.bases if isinstance(base, ast.Name))
    return found


@cache
def is_widget(name: str) -> bool:
    known = getattr(QtWidgets, name, None)
    if known is not None:
        return isinstance(known, type) and issubclass(known, QtWidgets.QWidget)
    return any(is_widget(base) for base in bases().get(name, ()) if base != name)


def key(node: ast.AST) -> str:
    """`name` or `self.name`; "" for everything else."""
    if isinstance(node, ast.Name):
        return node.id
    is_own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    return f"self.{node.attr}" if is_own else ""  # type: ignore[attr-defined]


def builds(node: ast.AST) -> bool:
    """A widget, or a layout that has no owner yet, is made here and given a name."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        return False
    maker = node.value.func.id if isinstance(node.value.func, ast.Name) else ""
    return not node.value.args if maker in LAYOUTS else is_widget(maker)


def hands_on(node: ast.AST, parent: ast.AST) -> bool:
    """The name is more than the owner of a method that is called: an argument, a result, a member of a list."""
    if not isinstance(getattr(node, "ctx", None), ast.Load):
        return False
    called = parent.attr if isinstance(parent, ast.Attribute) else ""
    return not called or called in PLACES_ITSELF or called.startswith(("show", "popup"))


@cache
def placed_by_others() -> set[str]:
    """Members that somebody else lays out: `layout.addWidget(bar.button)`."""
    calls = (node for tree in trees().values() for node in ast.walk(tree) if isinstance(node, ast.Call))
    members = (argument for call in calls for argument in call.args if isinstance(argument, ast.Attribute))
    return {f"self.{member.attr}" for member in members if not key(member)}


def forgotten(tree: ast.Module) -> list[tuple[int, str]]:
    built: list[tuple[int, list[tuple[int, str]]]] = []
    used: set[tuple[int, str]] = set()
    # Names belong to the outermost function, members to the outermost class.
    stack: list[tuple[ast.AST, ast.AST, int, int]] = [(tree, tree, 0, 0)]
    while stack:
        node, parent, function, owner = stack.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            function = function or id(node)
        elif isinstance(node, ast.ClassDef):
            owner, function = owner or id(node), 0

        def place(name: str, function: int = function, owner: int = owner) -> tuple[int, str]:
            return (owner if name.startswith("self.") else function), name

        if builds(node) and isinstance(node, ast.Assign):
            built.append((node.lineno, [place(name) for target in node.targets if (name := key(target))]))
        elif (name := key(node)) and hands_on(node, parent):
            used.add(place(name))
        stack += [(child, node, function, owner) for child in ast.iter_child_nodes(node)]
    return [
        (line, places[0][1])
        for line, places in built
        if places and not used & set(places) and not placed_by_others() & {name for _scope, name in places}
    ]


def test_whatever_is_built_is_put_somewhere() -> None:
    found = [
        f"{file.relative_to(UI.parent)}:{line}: {name}"
        for file, tree in trees().items()
        for line, name in forgotten(tree)
    ]
    assert found == []


def test_a_button_in_a_row_that_is_placed_nowhere_is_found() -> None:
    """The mistake this is about."""
    source = """
class Form(QWidget):
    def __init__(self):
        self.accept = QPushButton("ok")
        row = QHBoxLayout()
        row.addWidget(self.accept)
        self.lost = QLineEdit()
        self.lost.setText("x")
        self.hint = SafeLabel("x")
        layout = QVBoxLayout(self)
        layout.addWidget(self.hint)
"""
    assert sorted(name for _line, name in forgotten(ast.parse(source))) == ["row", "self.lost"]
