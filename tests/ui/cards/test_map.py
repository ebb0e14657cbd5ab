from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.core.tools.card_markdown import card_markdown
from app.ui.cards import make_card
from app.ui.cards.map import MapDrawing
from app.ui.cards.map_plan import (
    KM_PER_DEGREE,
    MOST_PLACES,
    MapPlace,
    Projection,
    apart,
    degrees_text,
    read_legs,
    read_places,
    round_below,
)
from app.ui.theme import Theme

MAP: dict[str, Any] = {
    "points": [
        {"lat": 39.916, "lon": 116.397, "label": "1 Palace", "group": "Day 1"},
        {"lat": 39.924, "lon": 116.396, "label": "2 Hill", "group": "Day 1"},
        {"lat": 39.882, "lon": 116.407, "label": "3 Temple", "group": "Day 2"},
    ],
    "legs": [{"from": "1 Palace", "to": "2 Hill", "km": 1.1}],
}


def drawing(qtbot: QtBot, kind: str, payload: dict[str, Any]) -> tuple[QWidget, MapDrawing]:
    made = make_card({"card": kind, "payload": payload}, Theme())
    assert made is not None
    qtbot.addWidget(made)
    made.resize(700, 700)
    made.show()
    return made, made.findChildren(MapDrawing)[0]


def labels(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel))


def test_the_map_tells_its_places_days_and_lengths_without_eyes(qtbot: QtBot) -> None:
    _card, drawn = drawing(qtbot, "map", MAP)
    assert "1 Palace (Day 1), 2 Hill (Day 1), 3 Temple (Day 2)" in drawn.accessibleName()
    assert drawn.accessibleDescription() == "1–2: 1.1 km"


def test_the_key_names_every_number_by_day(qtbot: QtBot) -> None:
    shown = labels(drawing(qtbot, "map", MAP)[0])
    assert "1 Palace — 1.1 km — 2 Hill" in shown
    assert "Day 2" in shown


def test_an_itinerary_shows_its_map_above_its_days(qtbot: QtBot) -> None:
    days = {"groups": [{"label": "Day 1", "items": [{"time": "09:00", "title": "Palace"}]}], "map": MAP}
    card, drawn = drawing(qtbot, "timeline", days)
    assert "Palace" in labels(card)
    assert drawn.mapTo(card, QPoint(0, 0)).y() < 100


def test_a_marker_under_the_pointer_says_its_name(qtbot: QtBot) -> None:
    _card, drawn = drawing(qtbot, "map", MAP)
    point_at(drawn, drawn.marker(2))
    assert drawn.hovered() == "3 Temple (Day 2)"
    assert not drawn.grab().isNull()
    point_at(drawn, QPointF(1, 1))
    assert drawn.hovered() == ""


def point_at(widget: QWidget, place: QPointF) -> None:
    """The event itself: where the real pointer is, is nobody's business in a test."""
    nothing = Qt.MouseButton.NoButton
    event = QMouseEvent(
        QEvent.Type.MouseMove, place, widget.mapToGlobal(place), nothing, nothing, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(widget, event)


def test_positions_that_are_none_are_passed_over_and_a_map_of_none_is_listed(qtbot: QtBot) -> None:
    points = [{"lat": 91, "lon": 0, "label": "a"}, {"lat": "1", "lon": 2}, {"lat": math.nan, "lon": 1}, {"lat": True}]
    assert read_places({"points": points}) == []
    made = make_card({"card": "map", "payload": {"points": points}}, Theme())
    assert made is not None
    qtbot.addWidget(made)
    assert "points" in labels(made)


def test_what_is_not_drawn_is_told(qtbot: QtBot) -> None:
    points = [{"lat": 30 + n / 100, "lon": 110, "label": f"p{n}"} for n in range(MOST_PLACES + 3)]
    assert "3 more places are not drawn" in labels(drawing(qtbot, "map", {"points": points})[0])


def test_legs_join_places_by_label_and_unknown_ends_are_left_out() -> None:
    places = read_places(MAP)
    legs = read_legs({"legs": [*MAP["legs"], {"from": "1 Palace", "to": "nowhere", "km": 3}]}, places)
    assert [(leg.start, leg.end, leg.km) for leg in legs] == [(0, 1, 1.1)]


def test_a_journey_over_the_date_line_stays_together() -> None:
    tokyo_hawaii = {"points": [{"lat": 35, "lon": 139, "label": "a"}, {"lat": 21, "lon": -157, "label": "b"}]}
    assert [place.lon for place in read_places(tokyo_hawaii)] == [139, 203]
    assert degrees_text(203, "EW") == "157°W"


def test_the_scale_bar_is_as_long_as_it_says() -> None:
    places = [MapPlace(1, "a", "", 0.0, 10.0), MapPlace(2, "b", "", 1.0, 10.0)]
    projection = Projection(places, 600, 300, 20)
    km, pixels = projection.scale_bar(150)
    (_x, low), (_x2, high) = projection.point(0, 10), projection.point(1, 10)
    assert pixels <= 150
    assert km / pixels == pytest.approx(KM_PER_DEGREE / (low - high))


def test_east_is_right_and_north_is_up_at_the_same_scale() -> None:
    places = [MapPlace(1, "a", "", 60.0, 10.0), MapPlace(2, "b", "", 60.5, 11.0)]
    projection = Projection(places, 600, 300, 20)
    x, y = projection.point(60.0, 10.0)
    east, north = projection.point(60.0, 11.0)[0] - x, y - projection.point(61.0, 10.0)[1]
    assert east / north == pytest.approx(math.cos(math.radians(60.25)))


@pytest.mark.parametrize(("value", "below"), [(9.9, 5), (5, 5), (0.3, 0.2), (1000, 1000), (1999, 1000)])
def test_round_lengths_are_one_two_or_five(value: float, below: float) -> None:
    assert round_below(value) == pytest.approx(below)


def test_markers_of_one_place_stand_beside_each_other() -> None:
    drawn = apart([(100.0, 100.0)] * 6, 20, 600, 300)
    assert drawn[0] == (100.0, 100.0)
    assert all(math.dist(a, b) >= 19 for n, a in enumerate(drawn) for b in drawn[:n])


_DEGREE = {"lat": st.floats(-90, 90), "lon": st.floats(-180, 180)}


@given(st.lists(st.fixed_dictionaries(_DEGREE), min_size=1, max_size=12))
def test_every_place_of_earth_is_drawn_inside(points: list[dict[str, float]]) -> None:
    places = read_places({"points": points})
    projection = Projection(places, 600, 300, 20)
    for place in places:
        x, y = projection.point(place.lat, place.lon)
        assert 0 <= x <= 600
        assert 0 <= y <= 300
    assert len(list(projection.meridians())) <= 12
    assert len(list(projection.parallels())) <= 12


def test_the_map_copies_as_a_list_of_places_and_lengths() -> None:
    text = card_markdown("map", MAP)
    assert "- **1 Palace** (Day 1): 39.916, 116.397" in text
    assert "- 1 Palace → 2 Hill: 1.1 km" in text
