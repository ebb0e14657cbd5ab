"""The whole program at work for hours: `python -m tests.rigs.soak_window FOLDER HOURS`.

Eight sessions and three MCP servers; the agent asks all three in every run. A lap is a question in
every session at the same time, one of them on the screen, and what a person does meanwhile: look
through windows, search, rename, export, throw away. Sessions that have become long are erased and
others begun, so the load of the last lap is that of the first. After each lap a line of JSON tells
what the process holds; the last line what must be stored.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

SESSIONS, SERVERS = 8, ("one", "two", "three")
LONGEST = 24
"""Messages of a session before another one takes its place."""
EVIL = Path(__file__).with_name("evil_mcp.py")
WINDOWS = ("data", "usage", "bin", "compare_runs", "replay", "search_all", "permissions", "mcp", "agents", "keys")
TURNS: list[dict[str, Any]] = [
    {"tool_calls": [{"name": f"{name}__echo", "arguments": {"text": name * 50}} for name in SERVERS]},
    {
        "reasoning": "All three have said it.",
        "content": "They said:\n\n" + "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 20,
    },
]


class Soak:
    def __init__(self, application: Any) -> None:
        self.application, self.window, self.desk = application, application.window, application._desk
        self.services: Any = application.services
        self.ids: list[str] = []
        self.stored: dict[str, int] = {}
        """Messages that must be there, by session."""

    async def prepare(self) -> None:
        mcp, servers = self.services.mcp, []
        from app.services.mcp.views import McpServerForm

        for name in SERVERS:
            id = await mcp.save_server(McpServerForm(name=name, command=sys.executable, args=(str(EVIL), "good")))
            await mcp.reviews.accept_start(id, (await mcp.reviews.review(id)).fingerprint)
            await mcp.start(id)
            await mcp.reviews.accept_tools(id, mcp.reviews.tools(id).digest)
            await mcp.reviews.set_word(id, "echo", "allow")
            servers.append(id)
        profile = self.services.settings.profile("assistant")
        await self.services.settings.save_profile(profile.model_copy(update={"mcp_servers": tuple(servers)}))
        for _ in range(SESSIONS):
            await self.begin()

    async def begin(self) -> None:
        row = await self.services.sessions.create("assistant")
        self.ids.append(row.id)
        self.stored[row.id] = 0

    async def lap(self, number: int) -> None:
        shown = self.ids[number % SESSIONS]
        await self.desk.conversation.open(shown)
        handles = [await self.ask(id, number) for id in self.ids if id != shown]
        self.window.modes.set_mode("react")
        await self.desk.questions.send(f"question {number} 问题", typed=False)
        await self.look_around(number)
        for handle in handles:
            assert (await handle.result()).answer.startswith("They said")
        while self.desk.conversation.run.handle is not None:
            self.allow()
            await asyncio.sleep(0.05)
        await self.services.chat.recorded()
        for id in self.ids:
            self.stored[id] += 2
        assert await self.services.search.search("question")
        for format in ("md", "html", "json"):
            await self.services.transfer.export([shown], format)
        await self.services.sessions.rename(shown, f"lap {number}")
        if self.stored[self.ids[0]] >= LONGEST:
            gone = self.ids.pop(0)
            del self.stored[gone]
            await self.services.sessions.bin.trash(gone)
            await self.services.sessions.bin.purge(gone)
            await self.begin()

    async def ask(self, id: str, number: int) -> Any:
        from app.services.runs.run_options import RunOptions

        options = RunOptions(mode="react", approve="all", interactive=False)
        return await self.services.chat.send(id, f"question {number}", options=options)

    def allow(self) -> None:
        """What servers said is in the conversation, so each further call asks."""
        from app.ui.dialogs import ApprovalCard

        for card in self.window.findChildren(ApprovalCard):
            if card.allow_once.isEnabled() and not card.isHidden():
                card.answered.emit(card._approval.id, "once", "", None)

    async def look_around(self, number: int) -> None:
        """A window is opened and closed again."""
        self.desk.actions[WINDOWS[number % len(WINDOWS)]].trigger()
        await asyncio.sleep(0.3)
        from PySide6.QtWidgets import QDialog

        for dialog in self.window.findChildren(QDialog):
            if dialog.isVisible():
                dialog.close()

    def told(self, number: int, began: float) -> dict[str, Any]:
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return {
            "lap": number,
            "at": round(time.monotonic() - began, 1),
            "megabytes": round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1),
            "files": sum(1 for _ in Path("/proc/self/fd").iterdir()),
            "threads": sum(1 for _ in Path("/proc/self/task").iterdir()),
        }


async def main(folder: Path, hours: float) -> None:
    import app.main

    script = folder / "script.json"
    script.write_text(json.dumps({"turns": TURNS, "repeat_last": True}))
    os.environ["TRIPTYCH_MODEL"] = f"script/{script}"
    application = app.main.build(["--data-dir", str(folder / "data")])
    application.window.resize(1280, 820)
    application.window.show()
    await application.ready()
    soak = Soak(application)
    await soak.prepare()
    began = time.monotonic()
    number = 0
    while time.monotonic() - began < hours * 3_600:
        await soak.lap(number)
        print(json.dumps(soak.told(number, began)), flush=True)
        number += 1
    print(json.dumps({"stored": soak.stored}), flush=True)
    await application.close()


def run(folder: Path, hours: float) -> None:
    from PySide6.QtWidgets import QApplication

    from app.ui.application.loop import TriptychLoop

    application = QApplication([sys.argv[0], "-style", "fusion"])
    loop = TriptychLoop(application)
    asyncio.set_event_loop(loop)
    try:
        loop.run_until_complete(main(folder, hours))
    finally:
        loop.close()


if __name__ == "__main__":
    run(Path(sys.argv[1]), float(sys.argv[2]))
