"""Every travel tool through the composed program, as `triptych tools call` reaches it: real store, folder and gate."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from app.compose import build
from app.core.text.i18n import current_language, set_language
from app.domains.travel import TOOLS
from app.services.container import Services

REPO = Path(__file__).resolve().parents[3]


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    spoken = current_language()
    made = build(tmp_path / "data", {"TRIPTYCH_OFFLINE": "1", "TRIPTYCH_LANG": "zh_CN"})
    await made.open()
    try:
        yield made
    finally:
        await made.close()
        set_language(spoken)


async def test_every_tool_is_reached_by_its_name(services: Services) -> None:
    asked: set[str] = set()

    async def call(name: str, **args: Any) -> dict[str, Any]:
        asked.add(name)
        envelope: dict[str, Any] = (await services.tools.call(name, args, "travel")).to_json()
        return envelope

    await call("search_cities", interests=["美食"])
    await call("get_city_info", city="成都")
    await call("query_attractions", cities=["成都"])
    await call("search_food", city="成都")
    await call("calculate_budget", city="成都", days=3, adults=2)
    await call("estimate_transfer", **{"from": "外滩", "to": "豫园"})
    await call("compare_cities", cities=["成都", "西安"])
    await call("order_cities", cities=["成都", "西安", "北京"])
    await call("calendar_info", country="CN", **{"from": "2026-10-01", "to": "2026-10-07"})
    route = await call("generate_route", city="成都", days=2, start_date="2026-12-08")
    itinerary = route["data"]["itinerary"]
    assert (await call("check_itinerary", itinerary=itinerary))["data"]["score"]["env_macro"] == 1
    key = (await call("save_trip", itinerary=itinerary))["data"]["id"]
    edited = await call("edit_trip", id=key, ops=[{"op": "lock", "day": 1, "seq": 1}])
    assert edited["data"]["version"] == 2
    assert (await call("load_trip", id=key))["data"]["version"] == 2
    assert (await call("list_trips"))["data"]["count"] == 1
    assert (await call("packing_list", trip_id=key))["data"]["days"] == 2
    file = Path((await call("export_trip", id=key, format="ics"))["data"]["file"])
    assert file.parent == services.data_dir / "exports"
    today = datetime.now().astimezone().date().isoformat()
    usual = (await call("get_weather", city="成都", **{"from": today, "to": today}))["data"]
    assert (usual["days"], bool(usual["climate"])) == ([], True)
    assert (await call("geocode", text="外滩"))["error"]["code"] == "NETWORK_OFF"
    assert asked == {tool.name for tool in TOOLS}


def test_the_command_itself_keeps_a_trip_from_one_call_to_the_next(tmp_path: Path) -> None:
    environ = {**os.environ, "TRIPTYCH_DATA_DIR": str(tmp_path / "a"), "TRIPTYCH_OFFLINE": "1", "TRIPTYCH_LANG": "en"}

    def run(name: str, args: dict[str, Any]) -> dict[str, Any]:
        done = subprocess.run(
            [sys.executable, "-m", "app", "tools", "call", name, "--json", "-"],
            input=json.dumps(args), capture_output=True, text=True, cwd=REPO, env=environ, check=False, timeout=240,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr + done.stdout
        envelope: dict[str, Any] = json.loads(done.stdout)
        return envelope

    key = run("save_trip", {"itinerary": asyncio.run(itinerary(tmp_path / "b"))})["data"]["id"]
    assert Path(run("export_trip", {"id": key, "format": "md"})["data"]["file"]).is_file()


async def itinerary(folder: Path) -> Any:
    services = build(folder, {"TRIPTYCH_OFFLINE": "1"})
    await services.open()
    wish = {"city": "Xi'an", "days": 1, "start_date": "2026-12-08"}
    route: Any = (await services.tools.call("generate_route", wish, "travel")).to_json()
    await services.close()
    return route["data"]["itinerary"]
