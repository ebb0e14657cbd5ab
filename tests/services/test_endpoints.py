"""Services by key as a person sets them up, tried against a server that speaks as they document it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from app.compose import build
from app.core.errors import BadInput, UnknownName
from app.core.system.clock import CLOCK
from app.domains.travel.datum import from_wgs84
from app.domains.travel.model.geo import Point
from app.services.container import Services

RIGHT = "key-of-31-letters"
BUND = Point(31.240261, 121.49058)


@pytest.fixture
def server() -> Iterator[HTTPServer]:
    with HTTPServer(host="127.0.0.1") as running:
        yield running


@pytest.fixture
def services(tmp_path: Path) -> Services:
    made = build(tmp_path, {"TRIPTYCH_LANG": "en"})
    made.providers.key_storage.choose("session")
    return made


def amap(request: Request) -> Response:
    """/v3/place/text of Amap: points in GCJ-02, empty fields as empty lists, a wrong key as `status` "0"."""
    if request.args.get("key") != RIGHT:
        return _json({"status": "0", "info": "INVALID_USER_KEY", "infocode": "10001", "count": "0"})
    there = from_wgs84(BUND, "GCJ02")
    return _json({
        "status": "1", "info": "OK", "infocode": "10000", "count": "1",
        "pois": [{
            "id": "B00155L3DH", "name": request.args["keywords"], "type": "风景名胜;风景名胜;国家级景点", "address": [],
            "location": f"{there.lon:.6f},{there.lat:.6f}", "cityname": "上海市", "adname": "黄浦区",
        }],
    })  # fmt: skip


def qweather(request: Request) -> Response:
    """/v7/weather/7d of QWeather: all numbers are texts; the key is a header."""
    if request.headers.get("X-QW-Api-Key") != RIGHT:
        return _json({"error": {"status": 401, "title": "Unauthorized"}}, 401)
    lon, lat = map(float, request.args["location"].split(","))
    assert (round(lon), round(lat)) == (116, 40)
    day = CLOCK.today().isoformat()
    return _json({
        "code": "200", "updateTime": f"{day}T10:35+08:00",
        "daily": [{
            "fxDate": day, "tempMax": "12", "tempMin": "-1", "iconDay": "305", "textDay": "小雨", "windSpeedDay": "16",
            "precip": "1.0", "humidity": "65",
        }],
    })  # fmt: skip


def _json(body: object, status: int = 200) -> Response:
    import json

    return Response(json.dumps(body, ensure_ascii=False), status=status, content_type="application/json")


async def test_a_service_with_a_key_is_tested_chosen_and_asked(services: Services, server: HTTPServer) -> None:
    server.expect_request("/v3/place/text").respond_with_handler(amap)
    server.expect_request("/v7/weather/7d").respond_with_handler(qweather)
    here, endpoints = server.url_for("").rstrip("/"), services.endpoints
    asked = {entry.label: entry.place for group in endpoints.groups() for entry in group.entries}
    assert asked == {"Open-Meteo": 1, "QWeather": 0, "Nominatim": 1, "Amap": 0}
    with pytest.raises(BadInput):  # an address of this computer needs its own yes
        await endpoints.set_address("travel.amap", here)
    for id in ("travel.amap", "travel.qweather"):
        await endpoints.set_address(id, here, local=True)
        assert (await endpoints.test(id)).code == "NOT_CONFIGURED"
        await endpoints.set_key(id, "wrong")
        assert (await endpoints.test(id)).code == "AUTH"
        await endpoints.set_key(id, RIGHT)
        tested = await endpoints.test(id)
        assert tested.ok, tested
        await endpoints.choose(id)
    place = await services.tools.call("geocode", {"text": "外滩"}, "travel")
    (found,) = place.data["candidates"]
    assert (found["name"], found["type"]) == ("外滩, 黄浦区, 上海市", "国家级景点")
    assert abs(found["lat"] - BUND.lat) + abs(found["lon"] - BUND.lon) < 1e-5
    assert "amap.com" in place.data["attribution"]
    day = CLOCK.today().isoformat()
    weather = await services.tools.call("get_weather", {"city": "北京", "from": day, "to": day}, "travel")
    assert weather.data["days"] == [
        {"date": day, "code": 61, "tmin": -1.0, "tmax": 12.0, "rain_mm": 1.0, "rain_prob": None, "wind": 16.0}
    ]
    assert RIGHT not in repr([place.to_json(), weather.to_json()])

    await endpoints.set_address("travel.amap", "https://elsewhere.example")  # the key was for the other address
    assert (await endpoints.test("travel.amap")).code == "NOT_CONFIGURED"
    await endpoints.choose("travel.amap", False)
    assert [entry.place for entry in endpoints.groups()[1].entries] == [1, 0]
    with pytest.raises(UnknownName):
        await endpoints.choose("travel.nobody")


async def test_a_silent_service_is_one_sentence_with_the_usual_weather(services: Services) -> None:
    await services.endpoints.set_address("travel.weather", "http://127.0.0.1:9", local=True)
    day = CLOCK.today().isoformat()
    weather = await services.tools.call("get_weather", {"city": "北京", "from": day, "to": day}, "travel")
    assert (weather.ok, weather.data["days"]) == (True, [])
    assert "℃" in weather.data["climate"]
    assert "\n" not in weather.data["climate"]
    assert (await services.endpoints.test("travel.weather")).ok is False
