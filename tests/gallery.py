"""States of the window as pictures: `make screenshots`, or `python -m tests.gallery [--scenes] [folder]`.

A few of them are used in README and docs and lie in docs/images; `--scenes` paints forty more to be looked at: screens
in both themes and languages, at three widths and two scales. Each picture comes from the composed program with a disk
of its own and a scripted or rule-based model; nothing is drawn for the picture's sake.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from tests.gallery_scripts import CALL, ROUNDS, ROUNDS_EN, RUNNING, RUNNING_EN, SUM, TABLE, TABLE_ZH

IMAGES = Path(__file__).parents[1] / "docs" / "images"
SCENES = Path(__file__).parents[1] / "build" / "screenshots"
LARGEST = 300_000
BEIJING = "规划一个北京三日游，两个人，预算3000元，喜欢历史和美食"
BEIJING_EN = "Plan three days in Beijing for two, budget 3000 CNY, history and food"


@dataclass(frozen=True)
class Look:
    theme: str = "light"
    language: str = "zh_CN"
    percent: int = 100


class Scene:
    """The program with one look, and what a person does in it."""

    def __init__(self, application: Any) -> None:
        self.application, self.window = application, application.window

    @property
    def desk(self) -> Any:
        return self.application._desk

    async def until(self, true: Callable[[], object], seconds: float = 30.0) -> None:
        for _wait in range(int(seconds / 0.02)):
            if true():
                return
            await asyncio.sleep(0.02)
        raise TimeoutError("the window never came into this state")

    async def ask(self, text: str, mode: str) -> None:
        """To the end of the answer."""
        self.window.modes.set_mode(mode)
        await self.desk.questions.send(text, typed=False)
        await self.until(lambda: self.desk.conversation.run.handle is None)
        await self.application.services.chat.recorded()
        await asyncio.sleep(0.4)


@dataclass(frozen=True)
class State:
    name: str
    play: Callable[[Scene, bool], Awaitable[Any]]
    """Gets whether it is played in Chinese; may return the widget to paint instead of the window."""
    turns: tuple[dict[str, Any], ...] = ()
    """Of the scripted model; none = the offline rules."""
    turns_zh: tuple[dict[str, Any], ...] = ()
    """The same in a Chinese window, where it says something else there."""
    agent: str = "travel"
    size: tuple[int, int] = (1440, 900)
    look: Look = Look()
    """In docs/images."""
    kept: bool = False
    is_new: bool = False
    """Nobody has chosen a model yet."""


async def first_run(scene: Scene, _zh: bool) -> None:
    await scene.until(scene.desk.welcome.page.search_button.isVisible)


async def preferences(scene: Scene, zh: bool) -> Any:
    scene.desk.actions["settings"].trigger()
    dialog = await _dialog(scene, "settingsDialog")
    dialog.navigation.search.setText("字体" if zh else "font")
    await scene.until(lambda: not dialog._unbuilt)
    dialog.navigation.hit_chosen.emit(1)
    return dialog


async def permissions(scene: Scene, _zh: bool) -> Any:
    grants = scene.application.services.grants
    await grants.add("travel", "calculator", "*")
    await grants.add("assistant", "calculator", '{"expression":"36[*]12+58"}')
    scene.desk.actions["permissions"].trigger()
    return await _dialog(scene, "settingsDialog")


async def prices(scene: Scene, _zh: bool) -> Any:
    scene.desk.actions["providers"].trigger()
    dialog = await _dialog(scene, "settingsDialog")
    page = dialog.page("providers")
    page.list.add_wanted.emit("deepseek")
    page.form.prices_button.click()
    return dialog


async def empty(scene: Scene, _zh: bool) -> None:
    scene.desk.actions["new"].trigger()


async def plan_done(scene: Scene, zh: bool) -> None:
    """From the question down: the summary and the card are what one looks for."""
    await scene.ask(BEIJING if zh else BEIJING_EN, "plan")
    scene.desk.chat.list.verticalScrollBar().setValue(0)


async def auto(scene: Scene, zh: bool) -> None:
    """What Auto chose, and by which words."""
    await scene.ask(BEIJING if zh else BEIJING_EN, "auto")
    scene.desk.chat.list.verticalScrollBar().setValue(0)


async def react(scene: Scene, zh: bool) -> None:
    await scene.ask("36 箱，每箱 12 件，再加 58 件，一共多少？" if zh else "36 boxes of 12, and 58 more?", "react")


async def rounds(scene: Scene, zh: bool) -> None:
    settings = scene.application.services.settings
    await settings.save_profile(settings.profile("travel").model_copy(update={"enable_reflection": True}))
    await scene.ask("杭州玩几天合适？有哪些景点？" if zh else "How many days for Hangzhou, and what to see?", "react")


async def running(scene: Scene, zh: bool) -> None:
    """In the middle of a run: its state in words, what waits, what can be asked of it."""
    settings = scene.application.services.settings
    await settings.save_profile(settings.profile("travel").model_copy(update={"enable_reflection": True}))
    scene.window.modes.set_mode("react")
    question = "杭州玩几天合适？有哪些景点？" if zh else "How many days for Hangzhou, and what to see?"
    await scene.desk.questions.send(question, typed=False)
    await scene.until(lambda: scene.desk.conversation.run._presenter.progress.round)
    await asyncio.sleep(1.2)
    scene.desk.conversation.queue.put("再便宜一点的酒店呢？" if zh else "And cheaper hotels?")


async def plan_waits(scene: Scene, zh: bool) -> None:
    settings = scene.application.services.settings
    await settings.save_profile(settings.profile("travel").model_copy(update={"plan_review": "always"}))
    scene.window.modes.set_mode("plan")
    await scene.desk.questions.send(BEIJING if zh else BEIJING_EN, typed=False)
    view = scene.desk.conversation.run.plan
    await scene.until(lambda: view.run_button.isVisible() and view.run_button.isEnabled())


async def table(scene: Scene, zh: bool) -> None:
    await scene.ask("上海到北京怎么走最合适？" if zh else "What is the best way from Shanghai to Beijing?", "direct")


async def approval(scene: Scene, zh: bool) -> None:
    settings = scene.application.services.settings
    profile = settings.profile("assistant")
    await settings.save_profile(profile.model_copy(update={"tools": {**profile.tools, "calculator": "ask"}}))
    scene.window.modes.set_mode("react")
    await scene.desk.questions.send("先算一下 36*12+58" if zh else "First compute 36*12+58", typed=False)
    from app.ui.dialogs import ApprovalCard

    await scene.until(lambda: scene.window.findChild(ApprovalCard))


async def settings_dialog(scene: Scene, _zh: bool) -> Any:
    """An agent's modes and rounds, and what they cost."""
    scene.desk.actions["agents"].trigger()
    dialog = await _dialog(scene, "settingsDialog")
    dialog.resize(1320, 800)
    page = dialog.page("agents")
    page.show_agent("travel")
    page.tabs.setCurrentIndex(1)
    page.form.editor("enable_reflection").set_value(True)
    page.agents.list.setFocus()
    return dialog


async def providers(scene: Scene, _zh: bool) -> Any:
    scene.desk.actions["providers"].trigger()
    return await _dialog(scene, "")


async def _dialog(scene: Scene, name: str) -> Any:
    from PySide6.QtWidgets import QDialog

    def shown() -> Any:
        found = [one for one in scene.window.findChildren(QDialog) if one.isVisible()]
        return next((one for one in found if not name or one.objectName() == name), None)

    await scene.until(shown)
    return shown()


STATES: tuple[State, ...] = (
    State("window", plan_done, kept=True),
    State("window-en", plan_done, look=Look("light", "en"), kept=True),
    State("window-dark", plan_done, look=Look("dark", "en"), kept=True),
    State("empty", empty, look=Look("light", "en")),
    State("react", react, SUM, agent="assistant", look=Look("light", "en"), kept=True),
    State("react-zh", react, SUM, agent="assistant", kept=True),
    State("auto", auto, look=Look("light", "en"), kept=True),
    State("auto-zh", auto, kept=True),
    State(
        "table-and-code",
        table,
        ({"content": TABLE},),
        ({"content": TABLE_ZH},),
        "assistant",
        look=Look("light", "en"),
        kept=True,
    ),
    State("table-and-code-zh", table, ({"content": TABLE_ZH},), agent="assistant", kept=True),
    State("reflection", rounds, ROUNDS_EN, ROUNDS, kept=True),
    State("reflection-en", rounds, ROUNDS_EN, look=Look("light", "en"), kept=True),
    State("running", running, RUNNING_EN, RUNNING, look=Look("dark", "en")),
    State("plan", plan_waits, kept=True),
    State("plan-en", plan_waits, look=Look("light", "en"), kept=True),
    State("approval", approval, (CALL, {"content": "490"}), agent="assistant", look=Look("dark", "zh_CN"), kept=True),
    State("approval-en", approval, (CALL, {"content": "490"}), agent="assistant", look=Look("dark", "en"), kept=True),
    State("settings", settings_dialog, look=Look("light", "zh_CN"), kept=True),
    State("settings-en", settings_dialog, look=Look("light", "en"), kept=True),
    State("providers", providers),
    State("first-run", first_run, agent="", size=(1280, 820), look=Look("light", "en"), kept=True, is_new=True),
    State("first-run-zh", first_run, agent="", size=(1280, 820), kept=True, is_new=True),
    State("preferences", preferences, size=(1320, 852)),
    State("permissions", permissions),
    State("prices", prices),
    State("narrow", plan_done, size=(600, 900)),
)
SCREENS = (
    "window", "empty", "react", "table-and-code", "reflection",
    "running", "plan", "approval", "preferences", "first-run",
)  # fmt: skip
WIDTHS, SCALES = (420, 800, 1440), (1, 2)
_EACH, _STRIDE = 4, 7
"""So many scenes of each screen; the stride walks through every look before one comes again."""


def scenes() -> list[tuple[State, Look, int, int]]:
    """Forty: each screen in four looks, and every theme × language × width × scale at least once."""
    looks = list(product(("light", "dark"), ("zh_CN", "en"), WIDTHS, SCALES))
    states = {state.name: state for state in STATES}
    found = []
    for number, name in enumerate(name for name in SCREENS for _again in range(_EACH)):
        theme, language, width, scale = looks[number * _STRIDE % len(looks)]
        found.append((states[name], Look(theme, language), width, scale))
    return found


async def paint(state: State, look: Look, target: Path, width: int = 0) -> None:
    from PySide6.QtWidgets import QWidget

    from app.core.text.i18n import set_language
    from app.services.data.first_look import FirstLook
    from app.ui.application import Application

    with tempfile.TemporaryDirectory() as place:
        data = Path(place) / "data"
        data.mkdir()
        wishes = f'language = "{look.language}"\ntheme = "{look.theme}"\nzoom = {look.percent}\n'
        (data / "preferences.toml").write_text(wishes, encoding="utf-8")
        # Beside the program's working folder, so that no path of this machine stands in the picture.
        os.chdir(place)
        script = Path(place) / "demo.json"
        turns = state.turns_zh if state.turns_zh and look.language == "zh_CN" else state.turns
        script.write_text(json.dumps({"turns": list(turns), "repeat_last": True}), encoding="utf-8")
        os.environ["TRIPTYCH_MODEL"] = "script/demo.json" if state.turns else "" if state.is_new else "offline/rules"
        set_language(look.language)

        def start_services() -> Any:
            from app.compose import build
            from app.ui.application.compose import Composition

            return Composition(build(data))

        first = FirstLook(data, language=look.language, theme=look.theme, zoom=look.percent, agent=state.agent)
        application = Application(first, start_services)
        application.window.resize(width or state.size[0], state.size[1])
        application.window.show()
        await application.ready()
        scene = Scene(application)
        shown = await state.play(scene, look.language == "zh_CN")
        await asyncio.sleep(0.6)
        widget = shown if isinstance(shown, QWidget) else application.window
        if width and widget is not application.window:
            widget.resize(width, max(widget.height(), 720))
            await asyncio.sleep(0.2)
        target.parent.mkdir(parents=True, exist_ok=True)
        save(widget.grab().toImage(), target)
        await application.close()
        os.chdir(target.parent)


def save(image: Any, target: Path) -> None:
    """With the 256 colours it has most of: a window looks the same and takes a third of the space."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage

    whole = image.convertToFormat(QImage.Format.Format_RGB32)
    colours = Counter(memoryview(whole.constBits()).cast("I"))
    # Small marks in colour are few pixels, and yet what one looks for.
    vivid = [colour for colour, _count in colours.most_common() if chroma(colour) > 40]
    table = list(dict.fromkeys([*vivid[:110], *(colour for colour, _count in colours.most_common(256))]))[:256]
    plain = Qt.ImageConversionFlag.ThresholdDither | Qt.ImageConversionFlag.AvoidDither
    whole.convertToFormat(QImage.Format.Format_Indexed8, table, plain).save(str(target))


def chroma(colour: int) -> int:
    parts = (colour >> 16 & 255, colour >> 8 & 255, colour & 255)
    return max(parts) - min(parts)


async def paint_all(jobs: list[tuple[State, Look, Path, int]]) -> None:
    for state, look, target, width in jobs:
        await paint(state, look, target, width)
        size = os.stat(target).st_size  # noqa: PTH116  nothing else goes on here
        sys.stdout.write(f"{target.name}: {size // 1000} kB{' – too large' if size > LARGEST else ''}\n")


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--scenes", action="store_true", help="forty scenes: screens × themes × languages × widths × scales"
    )
    parser.add_argument(
        "--scale", type=int, default=0, help="only the scenes of this scale; else each in its own process"
    )
    parser.add_argument("--only", default="", help="the states whose names begin so")
    parser.add_argument("folder", nargs="?", type=Path)
    chosen = parser.parse_args(argv)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["TRIPTYCH_OFFLINE"] = "1"
    if chosen.scenes and not chosen.scale:
        return max(_in_own_process(argv, scale) for scale in SCALES)
    folder = (chosen.folder or (SCENES if chosen.scenes else IMAGES)).absolute()
    states = [state for state in STATES if state.name.startswith(chosen.only)]
    if chosen.scenes:
        jobs = [
            (state, look, folder / f"{number:02}-{state.name}-{look.theme}-{look.language}-{width}@{scale}.png", width)
            for number, (state, look, width, scale) in enumerate(scenes(), 1)
            if scale == chosen.scale and state in states
        ]
    else:
        own = [state for state in states if state.kept or chosen.folder]
        jobs = [(state, state.look, folder / f"{state.name}.png", 0) for state in own]

    from PySide6.QtWidgets import QApplication

    from app.ui.application.loop import TriptychLoop

    application = QApplication.instance() or QApplication([sys.argv[0], "-style", "fusion"])
    application.setProperty("isFusion", True)
    loop = TriptychLoop(application)
    asyncio.set_event_loop(loop)
    try:
        loop.run_until_complete(paint_all(jobs))
    finally:
        loop.close()
    return 0


def _in_own_process(argv: list[str], scale: int) -> int:
    """Qt learns how many pixels a point has once, at its start."""
    command = [sys.executable, "-m", "tests.gallery", *argv, "--scale", str(scale)]
    root = Path(__file__).parents[1]
    return subprocess.call(command, cwd=root, env={**os.environ, "QT_SCALE_FACTOR": str(scale)})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
