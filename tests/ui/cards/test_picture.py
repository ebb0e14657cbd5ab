"""A card as a picture: whole, unfolded, without buttons, bounded."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from app.core.tools.card import Card
from app.ui.cards import card_png
from app.ui.theme import Theme


def days(count: int) -> dict[str, Any]:
    groups = [
        {
            "label": f"Day {n}",
            "sub": "2 stops",
            "items": [{"time": "09:00", "end": "10:00", "title": "塔", "icon": "sight"}],
        }
        for n in range(1, count + 1)
    ]
    points = [
        {"lat": 31.2 + n / 100, "lon": 121.4, "label": f"{n} 塔", "group": f"Day {n}"} for n in range(1, count + 1)
    ]
    return {"title": "Trip", "groups": groups, "map": {"points": points, "legs": []}}


def image_of(content: bytes) -> QImage:
    assert content.startswith(b"\x89PNG")
    image = QImage.fromData(content)
    assert not image.isNull()
    return image


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_picture_is_painted_in_the_colours_of_the_window(qtbot: QtBot, scheme: Any) -> None:
    theme = Theme(scheme)
    image = image_of(card_png(Card("timeline", days(2)).to_json(), theme))
    assert image.width() >= theme.space(100)
    assert image.pixelColor(2, 2) == QColor(theme.color("surface"))
    colours = {image.pixelColor(x, y).name() for x in range(0, image.width(), 7) for y in range(0, image.height(), 7)}
    assert len(colours) > 3


def test_days_behind_show_more_are_in_the_picture_too(qtbot: QtBot) -> None:
    theme = Theme("light")
    few, many = (image_of(card_png(Card("timeline", days(n)).to_json(), theme)) for n in (4, 20))
    assert many.height() > few.height() + 15 * theme.space(4)


def test_a_long_journey_stays_within_what_can_be_painted(qtbot: QtBot) -> None:
    payload = days(60)
    for group in payload["groups"]:
        group["items"] *= 4
    image = image_of(card_png(Card("timeline", payload).to_json(), Theme("light")))
    assert image.width() * image.height() <= 20_100_000
    assert image.height() <= 30_001


def test_every_kind_of_card_has_a_picture(qtbot: QtBot) -> None:
    assert card_png(
        Card("table", {"columns": [{"key": "a", "label": "A"}], "rows": [{"a": 1}]}).to_json(), Theme("light")
    )
    assert card_png(Card("key_values", {"items": [{"label": "a", "value": "b"}]}).to_json(), Theme("light"))
