"""What a widget drawn by ourselves is, for a screen reader: to Qt every plain widget is a filler.

`speak_as` comes first in the constructor: naming a widget already makes its interface, which stays as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QAccessibleInterface

Role = QAccessible.Role
_ROLE, _INSTALLED = "spokenRole", "hasSpokenRoles"


def speak_as(widget: QWidget, role: QAccessible.Role) -> None:
    widget.setProperty(_ROLE, role)


def install_roles() -> None:
    """Once for the application; a second call changes nothing."""
    app = QApplication.instance()
    if app is not None and not app.property(_INSTALLED):
        app.setProperty(_INSTALLED, True)
        QAccessible.installFactory(_interface)


def _interface(_class_name: str, object: QObject) -> QAccessibleInterface | None:
    """Asked by Qt before its own; None leaves the object to Qt."""
    from PySide6.QtWidgets import QAccessibleWidget  # where nobody listens, nothing is asked

    if not isinstance(object, QWidget):
        return None
    role = object.property(_ROLE)
    return QAccessibleWidget(object, role) if isinstance(role, QAccessible.Role) else None
