"""The fixture list and inquiry of the quotation scenarios, and the composed program that tools are called in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from app.compose import build
from app.core.tools.tool import ToolResult
from app.services.container import Services

LIST = """编号,名称,规格,单位,A价,B价,C价,库存
1001,PVC直通,DN50,个,3.20,3.50,3.90,500
1002,PVC直通,DN75,个,5.10,5.60,6.20,0
1003,PVC弯头90°,DN50,个,4.00,4.40,4.90,120
1004,PVC弯头45°,DN50,个,4.10,4.50,5.00,80
1005,PPR热水管,dn25,米,7.80,8.50,9.40,1000
1006,PPR冷水管,dn25,米,6.20,6.80,7.50,1000
1007,球阀,DN25,个,18.00,19.80,22.00,15
"""
LIST += '1008,角阀,"1/2""",个,9.50,10.40,11.50,60\n'
INQUIRY = (
    ("直接 DN50", 100), ("90度弯头 dn50", 40), ("热水管 3/4寸", 200), ("PVC直通 DN75", 20), ("弯头 DN50", 10),
    ("三角阀 1/2", 6), ("球阀 25", 20),
)  # fmt: skip


@asynccontextmanager
async def program(folder: Path) -> AsyncIterator[Services]:
    services = build(folder / "data", {"TRIPTYCH_OFFLINE": "1", "TRIPTYCH_LANG": "zh_CN"})
    await services.open()
    try:
        yield services
    finally:
        await services.close()


async def call(services: Services, name: str, /, **args: Any) -> ToolResult:
    return await services.tools.call(name, args, "quotation")


async def with_list(services: Services, folder: Path) -> str:
    """Imports the fixture list; returns its id."""
    path = folder / "价格表.csv"
    path.write_text(LIST, encoding="utf-8")
    result = await call(services, "import_price_list", path=str(path))
    assert result.ok, result.error
    return str(result.data["list_id"])
