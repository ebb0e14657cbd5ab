from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QEnterEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.tools.card_markdown import card_markdown
from app.ui.cards import make_card
from app.ui.cards.map.card import MapDrawing, map_drawing
from app.ui.cards.map.geo_address import geo_address, service_address
from app.ui.cards.map.plan import (
    KM_PER_DEGREE,
    MOST_PLACES,
    MapPlace,
    Projection,
    apart,
    far_places,
    read_legs,
    read_places,
    round_below,
)
from app.ui.cards.map.tiles import MOST_TILES, TileLayer, place_of, use_tiles
from app.ui.cards.timeline.stop_row import StopRow
from app.ui.theme import Theme
from tests.pictures import png

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


DAYS: dict[str, Any] = {
    "groups": [
        {"label": "Day 1", "day": 1, "items": [{"time": "09:00", "title": "Palace", "number": 1, "icon": "sight"}]},
        {"label": "Day 2", "day": 2, "items": [{"time": "09:00", "title": "Temple", "number": 3, "icon": "sight"}]},
    ],
    "map": {**MAP, "points": [{**point, "number": n} for n, point in enumerate(MAP["points"], 1)]},
}


def test_an_itinerary_has_its_map_beside_a_day_and_above_it_where_it_is_narrow(qtbot: QtBot) -> None:
    card, drawn = drawing(qtbot, "timeline", DAYS)
    row = card.findChild(StopRow)
    assert row is not None
    assert drawn.mapTo(card, QPoint()).x() > row.mapTo(card, QPoint()).x() + row.width()
    card.resize(400, 700)
    qtbot.waitUntil(lambda: drawn.mapTo(card, QPoint()).y() + drawn.height() <= row.mapTo(card, QPoint()).y())


def test_a_chip_shows_its_day_alone_with_its_map_and_arrows_go_on(qtbot: QtBot) -> None:
    card, _drawn = drawing(qtbot, "timeline", DAYS)
    chips = [button for button in card.findChildren(QPushButton) if button.objectName().startswith("dayChip")]
    assert [chip.text() for chip in chips] == ["All", "Day 1", "Day 2"]
    QTest.mouseClick(chips[1], Qt.MouseButton.LeftButton)
    QTest.keyClick(chips[1], Qt.Key.Key_Right)
    shown = [row for row in card.findChildren(StopRow) if row.isVisible()]
    assert [row.number for row in shown] == [3]
    seen = next(one for one in card.findChildren(MapDrawing) if one.isVisible())
    assert set(seen._placed().pins) == {2}, "only the stop of that day"


def test_lines_run_between_the_true_places_even_where_pins_give_way() -> None:
    """Four places within a few metres: pins stand apart, and no line changes its direction for that."""
    points = [{"lat": 39.9 + n * 1e-5, "lon": 116.4 + n * 2e-5, "label": f"p{n}"} for n in range(4)]
    points.append({"lat": 39.93, "lon": 116.45, "label": "far"})
    legs = [{"from": f"p{n}", "to": "far"} for n in range(4)]
    drawn = map_drawing({"points": points, "legs": legs}, Theme())
    assert drawn is not None
    drawn.resize(300, 300)
    layout = drawn._placed()
    assert any((layout.pins[n] - layout.true[n]).manhattanLength() > 5 for n in range(4))
    for leg in layout.legs:
        assert layout.line_of(leg) == QLineF(layout.true[leg.start], layout.true[leg.end])


def test_a_stop_far_outside_is_an_arrow_at_the_edge_on_the_way_to_it() -> None:
    points = [*MAP["points"], {"lat": 40.354, "lon": 116.006, "label": "Wall", "group": "Day 2"}]
    drawn = map_drawing({"points": points, "legs": [{"from": "3 Temple", "to": "Wall", "km": 62}]}, Theme())
    assert drawn is not None
    drawn.resize(300, 300)
    assert far_places(drawn.places, range(4)) == {3}
    assert set(drawn.arrows()) == {3}
    spot, temple = drawn.arrows()[3], drawn.marker(2)
    assert drawn.rect().contains(spot.toPoint())
    true = drawn._placed().true[3]
    assert QLineF(temple, spot).angleTo(QLineF(temple, true)) % 360 == pytest.approx(0, abs=1)
    assert "4 Wall 62 km" in drawn._placed().words.values()


def test_of_a_far_place_it_stays_how_far_it_is_however_narrow_the_map() -> None:
    spots = {"Palace": (39.917, 116.397), "Hill": (39.925, 116.396), "Gate": (39.903, 116.398)}
    points = [{"lat": lat, "lon": lon, "label": name} for name, (lat, lon) in spots.items()]
    points.append({"lat": 40.354, "lon": 116.006, "label": "The Great Wall of ten thousand miles"})
    names = [point["label"] for point in points]
    legs = [{"from": names[n], "to": names[n + 1], "km": 81.7} for n in range(3)]
    drawn = map_drawing({"points": points, "legs": legs}, Theme())
    assert drawn is not None
    for width in (560, 340, 296):
        drawn.resize(width, 200)
        assert 3 in [label.position for label in drawn.labels()], width
        assert drawn._placed().words[3].endswith("81.7 km")


def test_names_never_cover_each_other_or_a_pin() -> None:
    points = [{"lat": 39.9 + n % 4 / 300, "lon": 116.4 + n // 4 / 300, "label": f"A place {n}"} for n in range(16)]
    drawn = map_drawing({"points": points}, Theme())
    assert drawn is not None
    drawn.resize(300, 300)
    boxes = [label.box for label in drawn.labels()]
    assert len(boxes) > 8
    assert not [(a, b) for a, b in combinations(boxes, 2) if a.intersects(b)]
    assert not [box for box in boxes for n in range(16) if box.contains(drawn.marker(n))]


def test_a_stop_and_its_pin_answer_each_other(qtbot: QtBot) -> None:
    card, drawn = drawing(qtbot, "timeline", DAYS)
    row = card.findChild(StopRow)
    assert row is not None
    with qtbot.waitSignal(row.pointed):
        QApplication.sendEvent(row, QEnterEvent(QPointF(9, 9), QPointF(9, 9), QPointF(9, 9)))
    assert drawn.hovered() == "1 Palace (Day 1)"
    point_at(drawn, drawn.marker(0))
    assert row._is_lit


@pytest.mark.parametrize("service", ["osm", "amap", "baidu", "google", "apple", "bing"])
def test_a_place_is_opened_by_the_map_service_of_the_person(service: str) -> None:
    address = service_address(geo_address(39.9163, 116.3972, "Palace & Garden"), service)
    assert address.startswith("https://")
    assert "39.916300" in address
    assert "116.397200" in address
    assert "& Garden" not in address
    assert service_address("geo:200,1", service) == service_address("geo:a", service) == ""


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


def test_the_map_copies_as_a_list_of_places_and_lengths() -> None:
    text = card_markdown("map", MAP)
    assert "- **1 Palace** (Day 1): 39.916, 116.397" in text
    assert "- 1 Palace → 2 Hill: 1.1 km" in text


@pytest.fixture
def no_tiles_behind() -> Iterator[None]:
    yield
    use_tiles(None)


@pytest.mark.usefixtures("no_tiles_behind")
async def test_a_street_map_lies_under_the_places_where_it_is_switched_on_with_its_credit(qtbot: QtBot) -> None:
    asked: list[tuple[int, int, int]] = []
    wishes: list[str | None] = [None]

    async def load(z: int, x: int, y: int) -> bytes | None:
        asked.append((z, x, y))
        return png(256, 256, (0, 200, 0))

    running: list[asyncio.Task[None]] = []
    use_tiles(TileLayer(load, lambda work: running.append(asyncio.create_task(work)), lambda: wishes[0]))
    _card, drawn = drawing(qtbot, "map", MAP)

    def green() -> int:
        image = drawn.grab().toImage()
        spots = [image.pixelColor(x, y) for x in range(4, drawn.width(), 40) for y in range(4, drawn.height(), 40)]
        return sum(one.green() > one.red() + 40 for one in spots)

    assert (green(), asked) == (0, []), "off: nothing is asked for"
    wishes[0] = "© somebody"
    drawn.grab()
    await asyncio.gather(*running)
    assert green() > 50
    places = [(z, x, y) for z, x, y in asked]
    assert len(set(places)) == len(places) <= MOST_TILES
    z = places[0][0]
    palace = math.floor((116.397 + 180) / 360 * 2**z)
    assert palace in {x for _z, x, _y in places}
    corner = drawn.grab(QRect(drawn.width() - 90, drawn.height() - 14, 90, 14)).toImage()
    assert len({corner.pixel(x, y) for x in range(90) for y in range(14)}) > 4, "the credit is written there"
    wishes[0] = None
    assert green() == 0


@given(z=st.integers(0, 17), share=st.floats(0, 0.999), row=st.floats(0.001, 0.999))
def test_a_tile_lies_where_its_place_is(z: int, share: float, row: float) -> None:
    x, y = math.floor(share * 2**z), math.floor(row * 2**z)
    (west, north), (east, south) = place_of(z, x, y), place_of(z, x + 1, y + 1)
    assert west < east
    assert south < north
    assert abs(place_of(1, 1, 1)[1]) < 1e-9, "the equator lies in the middle"
