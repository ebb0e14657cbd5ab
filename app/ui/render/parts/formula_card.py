"""A formula on a line of its own: in the middle, scrolled sideways where it is wider than the column."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import (
    QEnterEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolButton, QWidget

from app.core.text.i18n import _
from app.ui.render.markdown.blocks import Formula
from app.ui.render.markdown.inline import CODE, TextRun
from app.ui.render.markdown.sanitize import displayable
from app.ui.render.parts.formats import Formats
from app.ui.render.parts.formulas import Asked
from app.ui.render.parts.rich_text import RichText
from app.ui.widgets.clipboard import copy_current
from app.ui.widgets.safe_text import set_safe_tooltip


class FormulaCard(RichText):
    """One that cannot be drawn stays there as its source."""

    def __init__(self, parent: QWidget, formats: Formats, block: Formula) -> None:
        super().__init__(parent, formats)
        self.block = block
        self.nesting = block.depth
        self._widest = 0
        theme = formats.theme
        self.setAccessibleName(_("Formula: {tex}").format(tex=block.tex[:300]))
        self.document().setDefaultFont(theme.font("body"))
        self.document().setDocumentMargin(0)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDefaultTextOption(option)
        self._copy = QToolButton(self)
        self._copy.setIcon(theme.icon("copy", "muted", 14))
        self._copy.setIconSize(QSize(theme.space(1.75), theme.space(1.75)))
        self._copy.setAccessibleName(_("Copy formula as TeX"))
        set_safe_tooltip(self._copy, _("Copy formula as TeX"))
        self._copy.clicked.connect(partial(copy_current, self.written))
        self._copy.hide()
        self._show()

    def written(self) -> str:
        return f"$$\n{self.block.tex}\n$$"

    def wanted(self, width: int) -> int:
        height = self.text_height(max(width, self._widest))
        is_wide = self._widest > width
        self.setHorizontalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAlwaysOn if is_wide else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )
        return height + (self.horizontalScrollBar().sizeHint().height() if is_wide else 0)

    def formulas_ready(self) -> None:
        self._show()
        self.grew.emit()

    def _show(self) -> None:
        formulas, theme = self.formats.formulas, self.formats.theme
        request = Asked(self.block.tex, theme.size("body") + 1, theme.color("text").name(), display=True)
        picture = formulas.picture(request, self) if formulas is not None else None
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
        form = QTextBlockFormat()
        if picture is not None:
            self._widest = round(picture.width) + 2
            form.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            cursor.setBlockFormat(form)
            self._insert_picture(cursor, picture, self.written())
        else:
            cursor.setBlockFormat(form)
            text = displayable(self.written().replace("\n", "\u2028"))
            cursor.insertText(text, self.formats.of_run(TextRun(text, CODE)))

    def wheelEvent(self, event: QWheelEvent) -> None:
        bar = self.horizontalScrollBar()
        if bar.maximum() and abs(event.angleDelta().x()) > abs(event.angleDelta().y()):
            bar.setValue(bar.value() - event.angleDelta().x())
            event.accept()
        else:
            event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        size = self._copy.sizeHint()
        self._copy.setGeometry(self.width() - size.width(), 0, size.width(), size.height())

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._copy.show()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._copy.hide()
