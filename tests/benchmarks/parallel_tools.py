"""P2: four tools of 100 ms in one message, coroutines and plain functions, against `asyncio.gather`.

    python -m tests.benchmarks.parallel_tools p2 [--short] [--json]

Ours goes through the whole executor: hooks, arguments, permission, repeats, events, truncation.
The figure is the worse of the two kinds; wall time, since waiting is what is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from typing import Any

from app.agent.tools.executor import Batch
from app.core.run.chat_model import AssistantTurn, CallTurn
from app.core.tools.tool import Tool, ToolContext, ToolResult, tool
from tests.fakes import context, says, scripted

GOAL = 1.2
EACH = 0.1
AT_ONCE = 4


@tool("pure")
async def waits(ctx: ToolContext, n: int) -> ToolResult:
    """Wait in the loop."""
    await asyncio.sleep(EACH)
    return ToolResult.success({"n": n})


@tool("pure", blocking=True)
def blocks(ctx: ToolContext, n: int) -> ToolResult:
    """Wait in a thread."""
    time.sleep(EACH)
    return ToolResult.success({"n": n})


async def ours(which: Tool) -> float:
    ctx = context(scripted(says("unused")), {which.name: which})
    calls = tuple(CallTurn(f"c{n}", which.name, "{}", {"n": n}) for n in range(AT_ONCE))
    ctx.add(AssistantTurn(calls=calls))
    began = time.perf_counter()
    async for _event in Batch(ctx, calls).events():
        pass
    return time.perf_counter() - began


async def floor(which: Tool) -> float:
    async def one(n: int) -> Any:
        if which.blocking:
            return await asyncio.to_thread(which.body, ToolContext(), {"n": n})
        result: Any = which.body(ToolContext(), {"n": n})
        return await result

    began = time.perf_counter()
    await asyncio.gather(*(one(n) for n in range(AT_ONCE)))
    return time.perf_counter() - began


async def measure(pairs: int) -> dict[str, Any]:
    worst: dict[str, Any] = {}
    for which in (waits, blocks):
        await ours(which)
        await floor(which)
        taken = [(await ours(which), await floor(which)) for _pair in range(pairs)]
        ratio = statistics.median(mine / other for mine, other in taken)
        row = {
            "name": "P2",
            "ours": statistics.median(mine for mine, _other in taken),
            "floor": statistics.median(other for _mine, other in taken),
            "ratio": ratio,
            "goal": GOAL,
            "ok": ratio <= GOAL,
        }
        if not worst or ratio > worst["ratio"]:
            worst = row
    return worst


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("figure", nargs="?", default="p2", choices=("p2",))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--short", action="store_true")
    args = parser.parse_args()
    row = asyncio.run(measure(3 if args.short else 9))
    print(json.dumps(row) if args.json else f"P2 {row['ratio']:.2f} (goal {GOAL})")


if __name__ == "__main__":
    main()
