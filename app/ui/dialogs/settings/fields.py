"""What there is to find on a page of the settings: its fields, buttons and the names in its lists.

Read from the widgets themselves, so that a new field is found without being named anywhere else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QSlider,
    QTableWidget,
    QWidget,
)

from app.ui.widgets.fields.form import GROUP, SEARCHED, TITLE
from app.ui.widgets.fields.search_field import SearchField
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.sheet import GROUND

_CONTROLS = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit, QSlider, QTableWidget)
_LONGEST = 400
"""Characters of a value that are searched."""


@dataclass(frozen=True, slots=True)
class SettingField:
    title: str
    searched: str
    """All it is found by, in lower case."""
    widget: QWidget
    row: int = -1
    """Of a list."""
    group: str = ""
    """Of the form it stands in."""

    def fits(self, words: list[str]) -> bool:
        return all(word in self.searched for word in words)

    def is_same(self, other: SettingField) -> bool:
        """Whatever value stands in it now."""
        return (self.widget, self.row, self.title) == (other.widget, other.row, other.title)


def fields_of(page: QWidget) -> Iterator[SettingField]:
    """In the order of the page; a row of a form counts once, whatever it is made of."""
    seen: set[QWidget] = set()
    for widget in page.findChildren(QWidget):
        row = _row_of(widget, page)
        if row is not None:
            if row not in seen:
                seen.add(row)
                yield SettingField(
                    row.property(TITLE),
                    f"{row.property(SEARCHED)} {_values(row)}".casefold(),
                    row,
                    group=str(row.property(GROUP) or ""),
                )
        elif isinstance(widget, QListWidget) and not _is_part(widget):
            for place in range(widget.count()):
                text = widget.item(place).text()
                yield SettingField(text, text.casefold(), widget, place)
        elif isinstance(widget, _CONTROLS) and not widget.isHidden() and not _is_part(widget):
            title = _title(widget)
            if title:
                words = f"{title} {widget.accessibleDescription()} {_value(widget)}"
                yield SettingField(title, words.casefold(), widget)


def _row_of(widget: QWidget, page: QWidget) -> QWidget | None:
    """The row of a form it belongs to."""
    walk: QWidget | None = widget
    while walk is not None and walk is not page:
        if walk.property(TITLE):
            return walk
        walk = walk.parentWidget()
    return None


def _is_part(widget: QWidget) -> bool:
    """Of a compound of Qt's, of a table or of a sheet; searches and icons of lists are no settings."""
    parent = widget.parentWidget()
    inside = parent is not None and isinstance(parent, (QComboBox, QAbstractSpinBox, QLineEdit, QTableWidget))
    if inside or isinstance(widget, (SearchField, IconButton)) or widget.objectName().startswith("qt_"):
        return True
    while parent is not None:
        if isinstance(parent, QTableWidget) or parent.objectName() == GROUND:
            return True
        if parent.inherits("QComboBoxPrivateContainer"):
            return True
        parent = parent.parentWidget()
    return False


def _title(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return (text or widget.accessibleName()).replace("&", "").strip()


def _values(row: QWidget) -> str:
    return " ".join(_value(one) for one in row.findChildren(QWidget) if isinstance(one, _CONTROLS))


def _value(widget: QWidget) -> str:
    """What stands in it; never a key."""
    if isinstance(widget, QLineEdit):
        return widget.text()[:_LONGEST] if widget.echoMode() is QLineEdit.EchoMode.Normal else ""
    if isinstance(widget, QPlainTextEdit):
        return widget.toPlainText()[:_LONGEST]
    if isinstance(widget, QComboBox):
        return widget.currentText()[:_LONGEST]
    if isinstance(widget, QTableWidget):
        items = (widget.item(row, 0) for row in range(min(widget.rowCount(), 200)))
        return " ".join(item.text() for item in items if item is not None)
    return ""
