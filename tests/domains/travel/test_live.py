"""Weather and geocoding: what is asked, what is told, and every way it can fail."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from app.core.errors import ToolError
from app.core.http import HttpReply
from app.core.tools.tool import ToolContext
from app.domains.travel import TOOLS
from app.net import GuardedHttp
from app.net.pace import Pace
from tests.domains.travel.async_calls import AsyncCall, async_caller
from tests.local_network import DIRECT, OFFLINE

TODAY = date(2026, 11, 21)
FORECAST = {
    "daily": {
        "time": ["2026-11-23", "2026-11-24"],
        "weather_code": [61, 0],
        "temperature_2m_max": [12.1, 15.0],
        "temperature_2m_min": [5.0, 4.4],
        "precipitation_sum": [8.5, 0.0],
        "precipitation_probability_max": [90, 5],
        "wind_speed_10m_max": [20.1, 9.0],
    }
}


class Web:
    """Answers every request with one body; keeps what was asked."""

    def __init__(self, body: Any, *, status: int = 200, proxied: bool = False) -> None:
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.status, self.proxied = status, proxied
        self.asked: list[tuple[str, dict[str, Any]]] = []

    async def get(self, url: str, *, params: Mapping[str, Any] | None = None, own_address: bool = False) -> HttpReply:
        self.asked.append((url, dict(params or {})))
        return HttpReply(self.status, url, "application/json", self.body, proxied=self.proxied)


def tools(web: Any, addresses: Mapping[str, str] | None = None) -> AsyncCall:
    return async_caller(ToolContext(language="zh_CN", today=TODAY, http=web, addresses=addresses or {}))


async def code_of(call: AsyncCall, name: str, **args: Any) -> str:
    with pytest.raises(ToolError) as caught:
        await call(name, **args)
    return caught.value.tool_code


def test_what_goes_out_is_of_the_class_that_asks() -> None:
    live = {tool.name: tool for tool in TOOLS if tool.name in ("get_weather", "geocode")}
    assert {tool.permission for tool in live.values()} == {"net"}
    assert all(tool.untrusted for tool in live.values())
    assert live["get_weather"].subject is not None
    assert live["get_weather"].subject({}) == "api.open-meteo.com"


async def test_the_forecast_is_told_day_by_day_with_its_credit() -> None:
    web = Web(FORECAST, proxied=True)
    result = await tools(web)("get_weather", city="杭州", from_="2026-11-23", to_="2026-11-24")
    assert result.data["days"][0] == {
        "date": "2026-11-23", "code": 61, "tmin": 5.0, "tmax": 12.1, "rain_mm": 8.5, "rain_prob": 90, "wind": 20.1,
    }  # fmt: skip
    assert "Open-Meteo" in result.data["attribution"]
    assert result.meta["proxied"] is True
    assert "代理" in result.summary
    url, params = web.asked[0]
    assert url.startswith("https://api.open-meteo.com/")
    assert (params["timezone"], params["start_date"], params["end_date"]) == ("auto", "2026-11-23", "2026-11-24")
    assert result.display is not None
    assert "Open-Meteo" in result.display.payload["title"]
    assert result.display.payload["rows"][0]["sky"] == "雨"


async def test_beyond_the_forecast_the_season_of_the_data_is_told_without_a_request() -> None:
    web = Web(FORECAST)
    result = await tools(web)("get_weather", city="杭州", from_="2027-04-01", to_="2027-04-03")
    assert (web.asked, result.data["days"]) == ([], [])
    assert "最佳月份" in result.data["climate"]
    partly = await tools(web)("get_weather", city="杭州", from_="2026-12-05", to_="2026-12-10")
    assert web.asked[0][1]["end_date"] == "2026-12-06"
    assert partly.data["climate"]


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ({"lat": 30.0, "lon": 120.0, "from_": "2027-04-01", "to_": "2027-04-02"}, "OUT_OF_RANGE"),
        ({"city": "杭州", "from_": "2026-11-01", "to_": "2026-11-02"}, "OUT_OF_RANGE"),
        ({"city": "杭州", "from_": "2026-11-24", "to_": "2026-11-23"}, "OUT_OF_RANGE"),
        ({"city": "亚特兰蒂斯", "from_": "2026-11-24", "to_": "2026-11-24"}, "CITY_NOT_FOUND"),
        ({"city": "杭州", "from_": "2026-11-31", "to_": "2026-11-31"}, "BAD_DATE"),
    ],
)
async def test_what_no_forecast_can_tell(args: dict[str, Any], code: str) -> None:
    assert await code_of(tools(Web(FORECAST)), "get_weather", **args) == code


@pytest.mark.parametrize(
    "web",
    [Web(b"<html>"), Web({"daily": None}), Web([]), Web({}), Web(FORECAST, status=503), Web(b"[" * 100_000)],
    ids=["html", "no days", "list", "empty", "503", "deep"],
)
async def test_an_answer_that_is_none_is_an_upstream_error(web: Web) -> None:
    args = {"city": "杭州", "from_": "2026-11-23", "to_": "2026-11-24"}
    assert await code_of(tools(web), "get_weather", **args) == "UPSTREAM"


async def test_a_forecast_with_holes_is_told_as_far_as_it_goes() -> None:
    body = {"daily": {"time": ["2026-11-23"], "weather_code": [None], "temperature_2m_max": "warm"}}
    day = (await tools(Web(body))("get_weather", city="杭州", from_="2026-11-23", to_="2026-11-23")).data["days"][0]
    assert (day["code"], day["tmax"], day["wind"]) == (None, None, None)
    result = await tools(Web(body))("get_weather", city="杭州", from_="2026-11-23", to_="2026-11-23")
    assert result.display is not None
    assert "None" not in result.summary + str(result.display.payload["rows"])


async def test_offline_is_said_at_once() -> None:
    offline = tools(GuardedHttp(OFFLINE))
    args = {"city": "杭州", "from_": "2026-11-23", "to_": "2026-11-24"}
    weather = await offline("get_weather", **args)
    assert (weather.data["days"], weather.data["attribution"]) == ([], "")
    assert "没有网络" in weather.data["climate"]
    assert "℃" in weather.data["climate"]
    assert weather.meta["substitute"] is True
    point = {"lat": 30.0, "lon": 120.0, "from_": "2026-11-23", "to_": "2026-11-24"}
    assert await code_of(offline, "get_weather", **point) == "NETWORK_OFF"
    assert await code_of(offline, "geocode", text="外滩") == "NETWORK_OFF"
    assert await code_of(tools(None), "geocode", text="外滩") == "NETWORK_OFF"


async def test_a_place_is_found_with_its_credit() -> None:
    web = Web([{"display_name": "外滩, 上海", "lat": "31.24", "lon": "121.49", "type": "attraction"}, {"lat": "x"}, 7])
    result = await tools(web, {"travel.geocode": "https://maps.example/search"})("geocode", text="外滩", country="CN")
    assert result.data["candidates"] == [{"name": "外滩, 上海", "lat": 31.24, "lon": 121.49, "type": "attraction"}]
    assert result.data["datum"] == "WGS84"
    assert "OpenStreetMap" in result.data["attribution"]
    assert web.asked[0][0] == "https://maps.example/search"
    assert web.asked[0][1]["countrycodes"] == "cn"


@pytest.mark.parametrize("body", [[], {}, [{"lat": 91, "lon": 0}], None])
async def test_nothing_found_is_no_match(body: Any) -> None:
    assert await code_of(tools(Web(body)), "geocode", text="nirgendwo") == "NO_MATCH"


# ---------------------------------------------------------------- over a real connection


class Server:
    """A weather and place server on this machine; keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def handler(self) -> type[BaseHTTPRequestHandler]:
        asked = self.asked

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(f"{self.path} {self.headers['User-Agent']}")
                found = (
                    FORECAST
                    if self.path.startswith("/v1/")
                    else [{"display_name": "外滩", "lat": "31.24", "lon": "121.49"}]
                )
                body = json.dumps(found).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                """Silent."""

        return Handler


@pytest.fixture
def local() -> Iterator[tuple[Server, int]]:
    server = Server()
    running = ThreadingHTTPServer(("127.0.0.1", 0), server.handler())
    thread = Thread(target=running.serve_forever, daemon=True)
    thread.start()
    yield server, running.server_port
    running.shutdown()
    thread.join()
    running.server_close()


async def test_other_servers_are_asked_once_told_by_their_host_and_cached(local: tuple[Server, int]) -> None:
    server, port = local
    urls = {
        "travel.weather": f"http://127.0.0.1:{port}/v1/forecast",
        "travel.geocode": f"http://127.0.0.1:{port}/search",
    }
    here = {tool.name: tool for tool in (each.asking_at(urls) for each in TOOLS)}
    subject = here["geocode"].subject
    assert subject is not None
    assert subject({"text": "外滩"}) == "127.0.0.1"
    assert [tool.name for tool in TOOLS] == list(here)
    web = GuardedHttp(DIRECT, pace=Pace({}, default=0))
    call = tools(web, urls)
    forecasts = [await call("get_weather", city="杭州", from_="2026-11-23", to_="2026-11-24") for _ in range(2)]
    places = [await call("geocode", text="外滩") for _ in range(2)]
    weather, place = forecasts[1], places[1]
    assert len(weather.data["days"]) == 2
    assert place.data["candidates"][0]["name"] == "外滩"
    assert len(server.asked) == 2
    forecast, search = server.asked
    assert "latitude=30." in forecast
    assert "%E6%9D%AD" not in forecast
    assert "Triptych/" in forecast
    assert "q=%E5%A4%96%E6%BB%A9" in search


async def test_the_public_addresses_are_asked_where_nothing_else_is_set() -> None:
    web = Web(FORECAST)
    call = tools(web, {"travel.weather": " "})
    await call("get_weather", city="杭州", from_="2026-11-23", to_="2026-11-24")
    assert web.asked[0][0] == "https://api.open-meteo.com/v1/forecast"
