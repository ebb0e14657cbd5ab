"""What a screen reader hears of a window, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QComboBox, QWidget

_TAG = re.compile(r"<p[ >]|style=|white-space|&(amp|lt|gt|quot);")
_SAID = (QAccessible.Text.Name, QAccessible.Text.Description, QAccessible.Text.Help)
_LABEL = QAccessible.RelationFlag.Label
_DEEPEST = 40


def interfaces(window: QWidget) -> Iterator[QAccessibleInterface]:
    """All that a screen reader can reach, from the window down; the pages that are not open too."""
    waiting = [(QAccessible.queryAccessibleInterface(window), 0)]
    while waiting:
        one, depth = waiting.pop()
        yield one
        if depth < _DEEPEST:
            children: list[QAccessibleInterface | None] = [one.child(n) for n in range(one.childCount())]
            waiting += [(child, depth + 1) for child in children if child is not None and child.isValid()]


def faults(window: QWidget) -> list[str]:
    """HTML that is read out, and drop-downs that say what is chosen but not what for."""
    found: list[str] = []
    for one in interfaces(window):
        said = {kind.name: one.text(kind) for kind in _SAID}
        found += [f"{kind} of {one.role().name}: {text[:80]}" for kind, text in said.items() if _TAG.search(text)]
    for combo in window.findChildren(QComboBox):
        interface = QAccessible.queryAccessibleInterface(combo)
        purpose, value = combo.accessibleName(), interface.text(QAccessible.Text.Value)
        # Linux has the value for a name there; the purpose is told by a label or in the description.
        heard = [interface.text(kind) for kind in _SAID]
        heard += [label.text(QAccessible.Text.Name) for label, kind in interface.relations() if kind == _LABEL]
        if not purpose or purpose not in " ".join(heard) or value != combo.currentText():
            found.append(f"drop-down {combo.objectName()} in {type(combo.parent()).__name__}: {heard}, {value!r}")
    return found


def without_role(window: QWidget) -> list[str]:
    """What takes the keys on the screen and is a plain widget to a screen reader."""
    return [
        one.text(QAccessible.Text.Name) or repr(one.object())
        for one in interfaces(window)
        if one.role() == QAccessible.Role.Client and one.state().focusable and not one.state().invisible
    ]
