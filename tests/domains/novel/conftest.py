from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.compose import build
from tests.domains.novel.rig import Desk
from tests.domains.novel.studio import Studio


@pytest.fixture
async def studio(tmp_path: Path) -> AsyncIterator[Studio]:
    services = build(tmp_path / "data", {})
    await services.open()
    desk = Studio(services, Desk(tmp_path), tmp_path)
    await desk.begin()
    yield desk
    await services.close()
