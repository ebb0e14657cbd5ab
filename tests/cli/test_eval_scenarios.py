"""The acceptance scenarios run through `triptych eval`, with scripted models, in one go."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from app.compose import build
from app.domains.travel.model.dataset import Dataset, builtin
from app.domains.travel.rules import lookups
from tests.domains.travel.fixture_city import fixture_city

from .conftest import Triptych
from .eval_scenarios import FOUND, all_cases

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no folder is opened there")


async def with_search(folder: Path, server: HTTPServer) -> None:
    """A search service of the person's own, in the data folder."""
    server.expect_request("/search").respond_with_json({"results": [FOUND]})
    search = build(folder, {}).web_search
    await search.set_address("searxng", server.url_for("/"))
    await search.set_order(["searxng"])


@pytest.mark.parametrize(
    "letters", [pytest.param("ACDEF", id="sample"), pytest.param("ABCDEF", id="all", marks=pytest.mark.soak)]
)
def test_the_scenarios_hold_as_cases_of_an_evaluation(
    letters: str, triptych: Triptych, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cities = Dataset((*builtin().cities, *fixture_city().cities))
    monkeypatch.setattr(lookups, "builtin", lambda: cities)
    monkeypatch.setenv("TRIPTYCH_OFFLINE", "1")
    monkeypatch.setenv("TRIPTYCH_LANG", "zh_CN")
    place = tmp_path / "scenarios"
    place.mkdir()
    cases = all_cases(place)
    everything = {f"{letter}{number}" for letter in "ABCDEF" for number in range(1, 6)}
    assert {one["id"].split()[0] for one in cases} == everything
    asked = [one for one in cases if one["id"][0] in letters]
    Path("cases.jsonl").write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in asked), "utf-8")
    with HTTPServer(host="127.0.0.1") as server:
        asyncio.run(with_search(tmp_path / "data", server))
        said = triptych(
            "eval", "cases.jsonl", "--approve", "all", "--concurrency", "1", "--json", "--html", "report.html"
        )
    assert said.out, said.err
    failed = [
        f"{one['case']}: {check['kind']} {check['why']} {one['answer'].get('error') or ''}"
        for one in said.json
        for check in one["checks"]
        if not check["holds"]
    ]
    assert failed == []
    assert (said.code, len(said.json)) == (0, len(asked))
