"""Calling the travel tools, over the shipped cities or the fixture city."""

from __future__ import annotations

import pytest

from app.core.tools.tool import ToolContext
from app.domains.travel.model.dataset import Dataset, builtin
from tests.domains.travel.fixture_city import Call, caller, fixture_city


@pytest.fixture(scope="session")
def fixture_dataset() -> Dataset:
    return fixture_city()


NINE = ("beijing", "shanghai", "hangzhou", "chengdu", "xian", "xiamen", "hohhot", "hulunbuir", "baotou")


@pytest.fixture(scope="session")
def nine_cities() -> Dataset:
    """The first nine of the shipped cities: what tests say of them stays true when others join."""
    return Dataset(tuple(city for city in builtin().cities if city.id in NINE))


@pytest.fixture
def call(nine_cities: Dataset) -> Call:
    """Call a tool by name over the first nine shipped cities, in Chinese."""
    return caller(ToolContext(language="zh_CN", resources={"travel.dataset": nine_cities}))


@pytest.fixture
def call_en(nine_cities: Dataset) -> Call:
    return caller(ToolContext(language="en", resources={"travel.dataset": nine_cities}))


@pytest.fixture
def call_all() -> Call:
    """Over all shipped cities."""
    return caller(ToolContext(language="zh_CN"))


@pytest.fixture
def call_fixture(fixture_dataset: Dataset) -> Call:
    """Call a tool by name over the fixture city."""
    return caller(ToolContext(language="zh_CN", resources={"travel.dataset": fixture_dataset}))
