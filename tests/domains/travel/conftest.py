"""Calling the travel tools, over the shipped cities or the fixture city."""

from __future__ import annotations

import pytest

from app.core.tool import ToolContext
from app.domains.travel.dataset import Dataset
from tests.domains.travel.fixture_city import Call, caller, fixture_city


@pytest.fixture(scope="session")
def fixture_dataset() -> Dataset:
    return fixture_city()


@pytest.fixture
def call() -> Call:
    """Call a tool by name over the shipped cities, in Chinese."""
    return caller(ToolContext(language="zh_CN"))


@pytest.fixture
def call_en() -> Call:
    return caller(ToolContext(language="en"))


@pytest.fixture
def call_fixture(fixture_dataset: Dataset) -> Call:
    """Call a tool by name over the fixture city."""
    return caller(ToolContext(language="zh_CN", resources={"travel.dataset": fixture_dataset}))
