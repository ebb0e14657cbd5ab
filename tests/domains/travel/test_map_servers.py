"""Points of Chinese map servers, turned at the border."""

from __future__ import annotations

import json

import pytest

from app.domains.travel.map_servers import map_server

BUND = (31.240261, 121.49058)
BUND_GCJ = "121.495046,31.238275"
BUND_BD = {"lng": 121.501654, "lat": 31.243927}
AMAP = {"maps_geo", "maps_regeocode", "maps_weather", "maps_around_search"}
BAIDU = {"map_geocode", "map_reverse_geocode", "map_directions"}


def test_points_of_a_gaode_server_become_ours() -> None:
    server = map_server(AMAP)
    assert server is not None
    text = json.dumps({"geocodes": [{"location": BUND_GCJ, "city": "上海"}], "polyline": f"{BUND_GCJ};{BUND_GCJ}"})
    made = server.incoming(text)
    lon, lat = map(float, made["geocodes"][0]["location"].split(","))
    assert (lat, lon) == pytest.approx(BUND, abs=3e-6)
    assert made["polyline"].count(";") == 1
    assert made["geocodes"][0]["city"] == "上海"


def test_points_for_a_gaode_server_become_its_own() -> None:
    server = map_server(AMAP)
    assert server is not None
    args = {"location": f"{BUND[1]},{BUND[0]}", "radius": "1000", "lat": BUND[0], "lon": BUND[1]}
    sent = server.outgoing(args)
    assert sent["location"] == BUND_GCJ
    assert sent["radius"] == "1000"
    assert (sent["lon"], sent["lat"]) == (121.495046, 31.238275)


def test_points_of_a_baidu_server_become_ours_and_back() -> None:
    server = map_server(BAIDU)
    assert server is not None
    made = server.incoming({"result": {"location": BUND_BD}})
    assert made["result"]["location"]["lat"] == pytest.approx(BUND[0], abs=3e-6)
    sent = server.outgoing({"location": f"{BUND[0]},{BUND[1]}"})
    assert sent["location"] == "31.243927,121.501654"


def test_the_path_of_a_baidu_route_is_turned_though_it_begins_with_the_longitude() -> None:
    server = map_server(BAIDU)
    assert server is not None
    point = f"{BUND_BD['lng']},{BUND_BD['lat']}"
    made = server.incoming({"steps": [{"path": f"{point};{point}"}]})
    lon, lat = map(float, made["steps"][0]["path"].split(";")[1].split(","))
    assert (lat, lon) == pytest.approx(BUND, abs=3e-6)


def test_what_is_no_point_is_left_alone() -> None:
    server = map_server(AMAP)
    assert server is not None
    odd = {"location": "上海,外滩", "origin": "1,2,3", "destination": "999,999", "center": "", "lat": "x", "lon": None}
    assert server.outgoing(odd) == odd
    assert server.incoming("no JSON") == "no JSON"
    assert map_server({"maps_geo", "echo"}) is None
