"""What a tool result shows: one renderer per kind of card, from its stored payload.

`make_card` turns `{card, payload}` into a widget; a kind without a renderer, of ours or of a plug-in
(`added`), is listed by its keys.
Payloads are data of tools and imports: every text in them is shown literally, nothing is fetched.
Where a card stands, and when, is for chat and panes to say.

To add a kind: its payload in `core/tools/card.py`, a function `(payload, theme) -> QWidget` in a file
here, one line in `RENDERERS`, and how it is written in `core/tools/card_markdown.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QWidget

from app.core.tools.card import actions_of, is_answer
from app.ui.cards import plugin_cards as added
from app.ui.cards.action_bar import CardActions
from app.ui.cards.activity import activity
from app.ui.cards.chart import chart
from app.ui.cards.choice import Answer, choice
from app.ui.cards.diff_progress import diff, progress
from app.ui.cards.document import document
from app.ui.cards.file_card import FileCard, FileDeeds
from app.ui.cards.frame import CardFrame
from app.ui.cards.gallery import gallery
from app.ui.cards.graph import graph
from app.ui.cards.interests import interests
from app.ui.cards.lists import PassageOpener, checklist, key_values, listing, sources
from app.ui.cards.manuscript import manuscript
from app.ui.cards.map.card import map_card
from app.ui.cards.parts.timers import Timers, ended_timer
from app.ui.cards.picture import png_of
from app.ui.cards.report.card import report
from app.ui.cards.review.card import review
from app.ui.cards.table import table
from app.ui.cards.timeline.card import timeline
from app.ui.render.parts.pictures import PictureLoader
from app.ui.theme import Theme

RENDERERS: Mapping[str, added.Renderer] = {
    "table": table,
    "key_values": key_values,
    "timeline": timeline,
    "map": map_card,
    "gallery": gallery,
    "checklist": checklist,
    "graph": graph,
    "chart": chart,
    "sources": sources,
    "diff": diff,
    "document": document,
    "choice": choice,
    "progress": progress,
    "file": lambda payload, theme: FileCard(payload, theme, None),
    "report": report,
    "review": review,
    "activity": activity,
    "interests": interests,
    "manuscript": manuscript,
}


def make_card(
    display: object,
    theme: Theme,
    parent: QWidget | None = None,
    *,
    answer: Answer | None = None,
    pictures: PictureLoader | None = None,
    files: FileDeeds | None = None,
    passages: PassageOpener | None = None,
    timers: Timers | None = None,
) -> CardFrame | None:
    """The widget of a stored `{card, payload}`; None if it is no card at all.

    Where `parent` is a row that keeps track of its height, it is notified when the card grows.
    `answer` takes the option somebody chose, as the words it stands for.
    `pictures` shows kept ones that the card names; `files` opens, shows and saves what a tool wrote; `passages` shows
    one of a knowledge base; `timers` keeps what runs while the card is out of sight.
    """
    if not isinstance(display, Mapping):
        return None
    kind, payload = display.get("card"), display.get("payload")
    if not isinstance(kind, str) or not isinstance(payload, Mapping):
        return None
    if timers is not None and (ended := ended_timer(payload)):
        timers.end(ended)
    actions = CardActions(actions_of(display), payload, theme)
    body = _body(kind, payload, theme, answer, pictures, files, actions, passages, timers)
    frame = CardFrame(kind, payload, body, theme, parent, actions=actions, is_answer=is_answer(display))
    frame.picture_wanted.connect(partial(_copy_picture, display, theme))
    height_changed = getattr(parent, "height_changed", None)
    if height_changed is not None:
        frame.grew.connect(height_changed)
    link_activated = getattr(parent, "link_activated", None)
    if link_activated is not None:
        frame.link_activated.connect(link_activated)
    return frame


def card_png(display: object, theme: Theme) -> bytes:
    """The card as a picture of its own; b"" for what cannot be drawn."""
    plain = {**display, "actions": []} if isinstance(display, Mapping) else display
    frame = make_card(plain, theme)
    return b"" if frame is None else png_of(frame, theme)


def _copy_picture(display: object, theme: Theme) -> None:
    image = QImage.fromData(card_png(display, theme))
    if not image.isNull():
        QGuiApplication.clipboard().setImage(image)


def _body(
    kind: str,
    payload: Mapping[str, Any],
    theme: Theme,
    answer: Answer | None,
    pictures: PictureLoader | None,
    files: FileDeeds | None,
    actions: CardActions,
    passages: PassageOpener | None,
    timers: Timers | None,
) -> QWidget:
    match kind:
        case "activity":
            return activity(payload, theme, timers)
        case "form":
            from app.ui.cards.form import form

            return form(payload, theme, timers)
        case "sources":
            return sources(payload, theme, passages)
        case "manuscript":
            return manuscript(payload, theme, passages)
        case "timeline":
            return timeline(payload, theme, actions)
        case "checklist":
            return checklist(payload, theme, actions.icons, passages)
        case "choice":
            return choice(payload, theme, answer)
        case "file":
            return FileCard(payload, theme, files)
        case "gallery":
            return gallery(payload, theme, pictures)
        case "document":
            return document(payload, theme, pictures)
        case "report":
            return report(payload, theme, pictures)
    if (renderer := RENDERERS.get(kind)) is not None:
        return renderer(payload, theme)
    return added.drawn(kind, payload, theme) or listing(payload, theme)


__all__ = ["RENDERERS", "CardFrame", "card_png", "make_card"]
