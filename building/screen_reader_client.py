"""What a screen reader gets of a program, over AT-SPI: its tree of objects, and the events of each moment.

Run by the system's Python (python3-pyatspi needs the system's GObject), as the parent of the program it listens to:
`client.py OUTPUT PROGRAM ARGUMENT…`. Each line `SHOWN name` of the program stops it until its tree is read; a program
that says nothing is read once and ended. Written to OUTPUT: `{"moments": [{"name", "objects", "events"}]}`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import IO, Any

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

SILENT_SECONDS = 25
"""A program that says nothing is read after so long."""
DEEPEST = 60
MOST = 20_000
EVENTS = (
    "object:announcement",
    "object:children-changed",
    "object:property-change",
    "object:text-changed",
    "object:state-changed:focused",
    "object:value-changed",
)


class Client:
    def __init__(self, output: str, command: list[str]) -> None:
        self.output = output
        self.moments: list[dict[str, Any]] = []
        self.events: Counter[str] = Counter()
        self.said: list[str] = []
        self.loop = GLib.MainLoop()
        self.listener = Atspi.EventListener.new(self.heard)
        for kind in EVENTS:
            self.listener.register(kind)
        self.program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        assert self.program.stdin is not None
        assert self.program.stdout is not None
        self.answers: IO[bytes] = self.program.stdin
        self.lines: IO[bytes] = self.program.stdout
        GLib.io_add_watch(
            self.lines.fileno(), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, self.line
        )
        self.timer = GLib.timeout_add_seconds(SILENT_SECONDS, self.read_silent)

    def heard(self, event: Any) -> None:
        try:
            if event.source.get_process_id() == self.program.pid:
                self.events[f"{event.type} of {event.source.get_role_name()} {event.source.get_name()[:40]}"] += 1
                if event.type.startswith("object:announcement"):
                    self.said.append(str(event.any_data))
        except GLib.Error:
            pass  # what it came from is gone

    def line(self, *_watched: Any) -> bool:
        text = self.lines.readline().decode("utf-8", "replace").strip()
        if not text:
            self.loop.quit()
            return False
        if text.startswith("SHOWN "):
            GLib.source_remove(self.timer)
            self.timer = GLib.timeout_add_seconds(600, self.loop.quit)
            self.read(text[6:])
            self.answers.write(b"\n")
        return True

    def read_silent(self) -> bool:
        self.read("the program")
        self.program.terminate()
        self.loop.quit()
        return False

    def read(self, name: str) -> None:
        objects: list[dict[str, Any]] = []
        desktop = Atspi.get_desktop(0)
        for number in range(desktop.get_child_count()):
            top = desktop.get_child_at_index(number)
            if top is not None and top.get_process_id() == self.program.pid:
                walk(top, (), objects)
        self.moments.append({"name": name, "objects": objects, "events": dict(self.events), "said": self.said})
        self.events, self.said = Counter(), []

    def run(self) -> None:
        try:
            self.loop.run()
            self.answers.close()
            code = self.program.wait(60)
        finally:
            self.program.kill()
        with Path(self.output).open("w", encoding="utf-8") as file:
            json.dump({"code": code, "moments": self.moments}, file, ensure_ascii=False)


def walk(one: Any, path: tuple[str, ...], objects: list[dict[str, Any]]) -> None:
    """Everything on the screen under it, each with what a person would be told."""
    if len(path) > DEEPEST or len(objects) >= MOST:
        return
    try:
        if not path:
            one.set_cache_mask(Atspi.Cache.NONE)
        found = seen(one)
        if path and "showing" not in found["states"]:
            return
        found["path"] = list(path)
        objects.append(found)
        count = one.get_child_count()
        below = (*path, f"{found['role']} {found['name']}"[:60])
        if "manages descendants" in found["states"]:
            count = min(count, 50)
        for number in range(count):
            child = one.get_child_at_index(number)
            if child is not None:
                walk(child, below, objects)
    except GLib.Error as error:
        objects.append({"role": "fault", "name": str(error), "path": list(path), "states": []})


def seen(one: Any) -> dict[str, Any]:
    states = {state.value_nick.replace("-", " ") for state in one.get_state_set().get_states()}
    interfaces = set(one.get_interfaces())
    found = {
        "role": one.get_role_name(),
        "name": one.get_name(),
        "description": one.get_description(),
        "states": sorted(states),
        "interfaces": sorted(interfaces),
        "labels": labels(one),
    }
    if "Value" in interfaces:
        found["value"] = [one.get_minimum_value(), one.get_current_value(), one.get_maximum_value()]
    if "Text" in interfaces:
        found["text"] = Atspi.Text.get_text(one, 0, min(200, Atspi.Text.get_character_count(one)))
    if "Action" in interfaces:
        found["actions"] = [one.get_action_name(number) for number in range(one.get_n_actions())]
    return found


def labels(one: Any) -> list[str]:
    return [
        relation.get_target(number).get_name()
        for relation in one.get_relation_set()
        if relation.get_relation_type() == Atspi.RelationType.LABELLED_BY
        for number in range(relation.get_n_targets())
    ]


if __name__ == "__main__":
    Client(sys.argv[1], sys.argv[2:]).run()
