"""The viewport of a scroll area, got quickly.

WORKAROUND: asked for a widget that Qt itself has made, PySide first loads every kind of widget there is, to
find out which one it has. The first such question costs a tenth of the time to the first paint; found by its
name, the viewport is known to be a plain widget.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

_NAME = "qt_scrollarea_viewport"


def viewport_of(area: QAbstractScrollArea) -> QWidget:
    viewport = area.findChild(QWidget, _NAME, Qt.FindChildOption.FindDirectChildrenOnly)
    return viewport if viewport is not None else area.viewport()
