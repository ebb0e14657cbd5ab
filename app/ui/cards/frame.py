"""The frame of every card: a title, copying, and the body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.core.tools.card import CARD_KINDS
from app.core.tools.card_markdown import as_text, card_markdown
from app.ui.cards.action_bar import CardActions
from app.ui.cards.csv_export import csv_of
from app.ui.cards.document import Written
from app.ui.cards.file_card import FileCard
from app.ui.cards.map.geo_address import geo_address
from app.ui.cards.parts.flow import Flow
from app.ui.cards.parts.title_line import TitleLine
from app.ui.cards.timeline.day_list import DayList
from app.ui.theme import Theme
from app.ui.widgets.clipboard import copy_current
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel


class CardFrame(QFrame):
    """Its height follows from its width (`heightForWidth`)."""

    grew = Signal()
    """The body wants another height than before."""
    link_activated = Signal(str)
    picture_wanted = Signal()
    pressed = Signal(str, object)
    """The id of one of its buttons, and what the person gave in the card for it."""

    def __init__(
        self,
        kind: str,
        payload: Mapping[str, Any],
        body: QWidget,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        actions: CardActions | None = None,
        is_answer: bool = False,
    ) -> None:
        """An answer has its copies in the row of its buttons, beside what was asked for stands only what it is."""
        super().__init__(parent)
        self.setProperty("card", "answer" if is_answer else "plain")
        self.body = body
        title = as_text(payload.get("title"))
        self.setAccessibleName(title or kind)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(theme.space(0.5))
        name = SafeLabel(title, role="heading" if is_answer else "strong", elide=is_answer)
        name.setWordWrap(not is_answer)  # of a look-up it is a sentence, with the figures one wants
        aside = as_text(payload.get("aside"))
        words = SafeLabel(aside, role="meta", elide=True) if aside else None
        self.title_line = TitleLine(name, words, theme) if is_answer else None
        """Of an answer: what was understood of the question may stand in it."""
        head.addWidget(self.title_line or name, 1)
        if words is not None and self.title_line is None:
            head.addWidget(words)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(2), theme.space(1), theme.space(1.5), theme.space(1.5))
        layout.setSpacing(theme.space(1))
        is_file = isinstance(body, FileCard)  # one row that says all: what it is called, and what can be done
        copies = [] if is_file else self._copies(kind, payload, theme)
        if is_file:
            self.setAccessibleName(as_text(payload.get("name")))
            layout.setContentsMargins(theme.space(1.5), theme.space(1), theme.space(1.5), theme.space(1))
        else:
            layout.addLayout(head)
        layout.addWidget(body)
        bar: Sequence[QWidget] = ()
        if actions is not None:
            actions.setParent(self)
            actions.pressed.connect(self._press)
            bar = actions.buttons()
            for part in bar:
                part.setMinimumHeight(theme.space(getattr(body, "touch_height", 0)))
        if is_answer:
            layout.setContentsMargins(theme.space(1.5), theme.space(1.5), theme.space(1.5), theme.space(1.5))
            layout.addWidget(Flow([*bar, None, *copies], theme))
        else:
            for button in copies:
                head.addWidget(button)
            if bar:
                layout.addWidget(Flow([*bar, None], theme))
        self._actions = actions
        self._wanted = 0
        if isinstance(body, Written):
            body.link_activated.connect(self.link_activated)
        if isinstance(body, DayList):
            body.place_wanted.connect(self._show_place)

    def _show_place(self, lat: float, lon: float, name: str) -> None:
        self.link_activated.emit(geo_address(lat, lon, name))

    def _press(self, button: str) -> None:
        self.pressed.emit(button, self.values(button))

    def values(self, button: str) -> Mapping[str, Any]:
        """What the person gave in the card, as far as this button takes it."""
        give = getattr(self.body, "values", None)
        wanted = self._actions.fills(button) if self._actions is not None else ()
        return {name: value for name, value in give().items() if name in wanted} if give is not None and wanted else {}

    def _copies(self, kind: str, payload: Mapping[str, Any], theme: Theme) -> list[IconButton]:
        buttons = []
        if csv_of(kind, payload):
            buttons.append(_copy_button(theme, "table", _("Copy as CSV"), partial(csv_of, kind, payload)))
        if kind in CARD_KINDS:
            picture = IconButton(theme, "image", _("Copy as picture"), size=14)
            picture.setObjectName("copyCardPicture")
            picture.clicked.connect(self.picture_wanted)
            buttons.append(picture)
        buttons.append(_copy_button(theme, "copy", _("Copy as Markdown"), partial(card_markdown, kind, payload)))
        return buttons

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:
            wanted = self.heightForWidth(self.width()) if self.hasHeightForWidth() else self.sizeHint().height()
            if wanted != self._wanted:
                self._wanted = wanted
                self.grew.emit()
        return done


def _copy_button(theme: Theme, icon: str, text: str, make: Any) -> IconButton:
    button = IconButton(theme, icon, text, size=14)
    button.clicked.connect(partial(copy_current, make))
    return button
