"""The composed program for a screen reader: opens one thing after the other, says SHOWN, and waits for a line.

`python -m tests.rigs.spoken_window FOLDER`; tests/end2end/test_screen_reader.py runs it under a client of AT-SPI.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

import shiboken6
from PySide6.QtWidgets import QApplication, QDialog, QTabBar, QWidget

from app.services.data.first_look import FirstLook
from app.ui.application import Application
from app.ui.application.loop import TriptychLoop
from app.ui.dialogs import ApprovalCard
from tests.gallery import Scene, _dialog
from tests.gallery_scripts import TABLE

WORDS = 400
STREAMED = {"chunks": [f"word{n} " for n in range(WORDS)], "delay": 0.002}
CALL = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "36*12+58"}}]}
PAGES = (
    "settings", "agents", "providers", "mcp", "permissions", "keys", "templates", "data", "usage",
)  # fmt: skip


async def shown(name: str) -> None:
    sys.stdout.write(f"SHOWN {name}\n")
    sys.stdout.flush()
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)


def play(folder: Path, *turns: dict[str, Any]) -> None:
    """What the model answers from now on; each run plays it from its beginning."""
    (folder / "script.json").write_text(json.dumps({"turns": turns, "repeat_last": True}), encoding="utf-8")


async def walk(scene: Scene, folder: Path) -> None:
    await asyncio.sleep(1.0)
    await shown("empty")
    await scene.ask("how do these compare?", "direct")
    await shown("answer")
    play(folder, STREAMED)
    scene.window.modes.set_mode("direct")
    await scene.desk.questions.send("talk", typed=False)
    await scene.until(lambda: "word20" in scene.desk.answers()[-1])
    await shown("before streaming")
    await scene.until(lambda: scene.desk.conversation.run.handle is None)
    await asyncio.sleep(0.5)
    await shown("streamed")
    play(folder, CALL)
    await approval(scene)
    for id in PAGES:
        scene.desk.actions[id].trigger()
        dialog = await _dialog(scene, "settingsDialog")
        await asyncio.sleep(0.4)
        await shown(id)
        for tab in dialog.findChildren(QTabBar) if id == "agents" else ():
            for number in range(1, tab.count()):
                tab.setCurrentIndex(number)
                await asyncio.sleep(0.4)
                await shown(f"{id}: {tab.tabText(number)}")
        if shiboken6.isValid(dialog):
            dialog.close()
        await scene.until(partial(is_gone, dialog))
        await asyncio.sleep(0.2)
    for id, name in (("palette", "commandPalette"), ("bin", "")):
        scene.desk.actions[id].trigger()
        await asyncio.sleep(0.5)
        await shown(id)
        for one in scene.window.findChildren(QWidget, name) if name else scene.window.findChildren(QDialog):
            one.close()
        await asyncio.sleep(0.2)
    scene.desk.actions["find"].trigger()
    await shown("find")


def is_gone(widget: QWidget) -> bool:
    return not shiboken6.isValid(widget) or not widget.isVisible()


async def approval(scene: Scene) -> None:
    settings = scene.application.services.settings
    profile = settings.profile("assistant")
    await settings.save_profile(profile.model_copy(update={"tools": {**profile.tools, "calculator": "ask"}}))
    scene.window.modes.set_mode("react")
    await scene.desk.questions.send("First compute 36*12+58", typed=False)
    await scene.until(lambda: scene.window.findChild(ApprovalCard))
    await asyncio.sleep(0.5)
    await shown("approval")
    scene.desk.conversation.run.handle.cancel()
    await scene.until(lambda: scene.desk.conversation.run.handle is None)


def main(folder: Path) -> int:
    play(folder, {"content": TABLE})
    os.environ.update(TRIPTYCH_MODEL=f"script/{(folder / 'script.json').as_posix()}", TRIPTYCH_OFFLINE="1")
    data = folder / "data"
    data.mkdir()
    qt = QApplication([sys.argv[0], "-style", "fusion"])
    qt.setProperty("isFusion", True)
    loop = TriptychLoop(qt)
    asyncio.set_event_loop(loop)

    def start_services() -> Any:
        from app.compose import build
        from app.ui.application.compose import Composition

        return Composition(build(data))

    async def all_of_it() -> None:
        application = Application(FirstLook(data, language="en", theme="light", agent="assistant"), start_services)
        application.window.resize(1280, 820)
        application.window.show()
        await application.ready()
        try:
            await walk(Scene(application), folder)
        finally:
            await application.close()

    try:
        loop.run_until_complete(all_of_it())
    finally:
        loop.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
