"""What the person wrote: a tinted bubble on the right, the text as it was typed."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QWidget

from app.core.text.i18n import _
from app.ui.chat.rows.base import HoverBar, RowTools, RowView, VariantBar
from app.ui.chat.rows.items import File, UserRow
from app.ui.render.markdown.blocks import TextLine
from app.ui.render.markdown.inline import TextRun
from app.ui.render.markdown.sanitize import displayable
from app.ui.render.parts.picture_card import PictureCard
from app.ui.render.parts.plain import Rest
from app.ui.render.parts.prose import Prose
from app.ui.render.parts.text_view import TextView
from app.ui.widgets.attachment_chip import AttachmentChip
from app.ui.widgets.safe_text import SafeLabel

SHARE = 0.8
"""Of the column, at most."""

_SHOWN = 8_000
_PICTURE = 220
"""Pixels a picture is high at most."""


class UserRowView(RowView):
    def __init__(self, parent: QWidget, tools: RowTools, item: UserRow) -> None:
        super().__init__(parent, tools, _("You: {text}").format(text=item.text))
        self._item = item
        self.bubble = QFrame(self)
        self.bubble.setObjectName("bubble")
        self._prose = Prose(self.bubble, tools.formats)
        self._prose.setAccessibleName(_("Your message"))
        text = displayable(item.text[:_SHOWN].replace("\n", "\u2028"))
        self._prose.put([TextLine("p", (TextRun(text),))], settled=True)
        self._attachments = [self._attachment(file) for file in item.attachments]
        self._rest: Rest | None = None
        if len(item.text) > _SHOWN:
            label = _("Show the rest as plain text ({count} more characters)").format(
                count=f"{len(item.text) - _SHOWN:,}"
            )
            self._rest = Rest(self, tools.formats, label, lambda: item.text[_SHOWN:])
            self._rest.grew.connect(self.height_changed)
        self._time = SafeLabel(item.time, self, role="meta")
        self._hover: HoverBar = self.show_bar(item.actions)
        self._variants: VariantBar | None = None
        if item.variant is not None:
            self._variants = VariantBar(self, tools.theme, item.variant)
            self._variants.action.connect(self.action)

    def wanted(self, width: int) -> int:
        theme = self.tools.theme
        across, down = theme.space(1.75), theme.space(1.25)
        widest = int(width * SHARE)
        self._prose.text_height(widest - 2 * across)
        ideal = min(widest - 2 * across, int(self._prose.document().idealWidth()) + 2)
        height = self._prose.wanted(ideal)
        self._prose.setGeometry(across, down, ideal, height)
        y = self._place_attachments(width)
        self.bubble.setGeometry(width - ideal - 2 * across, y, ideal + 2 * across, height + 2 * down)
        y += height + 2 * down
        if self._rest is not None:
            below = self._rest.wanted(widest)
            self._rest.setGeometry(width - widest, y + theme.space(0.5), widest, below)
            y += below + theme.space(0.5)
        return self._place_footer(width, y)

    def text_views(self) -> list[TextView]:
        return [self._prose]

    def _place_attachments(self, width: int) -> int:
        y = 0
        for part in self._attachments:
            size = part.size_in(width) if isinstance(part, PictureCard) else part.sizeHint()
            across = min(size.width(), width)
            part.setGeometry(width - across, y, across, size.height())
            y += size.height() + self.tools.theme.space(0.5)
        return y

    def _attachment(self, file: File) -> QWidget:
        if not file.picture:
            return AttachmentChip(self.tools.theme, file.name, file.note, parent=self)
        pictures = self.tools.formats.pictures
        card = PictureCard(self, self.tools.theme, pictures, file.picture, file.name, highest=_PICTURE)
        card.grew.connect(self.height_changed)
        return card

    def _place_footer(self, width: int, y: int) -> int:
        theme = self.tools.theme
        height = theme.space(3.5)
        bar = self._hover.width_wanted()
        self._hover.place(width - bar, y + theme.space(0.25), bar, height - theme.space(0.25))
        time = self._time.sizeHint().width()
        variants = 0
        if self._variants is not None:
            variants = self._variants.sizeHint().width()
            self._variants.setGeometry(width - variants, y + theme.space(0.25), variants, height - theme.space(0.25))
            self._hover.move(width - bar - variants - theme.space(1), self._hover.y())
            variants += theme.space(1)
        self._time.setGeometry(width - variants - bar - time - theme.space(1), y, time, height)
        self._time.setVisible(not self._hover.isHidden())
        return y + height
