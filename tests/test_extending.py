"""Follows docs/extend in a scratch copy of the program, and does nothing that does not stand on the pages.

A block behind a line with a path is the file of that name, a `diff` block changes it, an `sh` block is typed into a
shell, a `text` block is what the shell shows then; "…" on a line of its own stands for any lines.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[1]
PAGES = sorted(file for file in (REPO / "docs" / "extend").glob("*.md") if not file.name.endswith(".zh.md"))
_BLOCK = re.compile(r"(?:`([^`\n]+)`[^`\n]*[:：]\n\n)?```(\w+)\n(.*?)\n```$", re.DOTALL | re.MULTILINE)
INSTALL = "--no-index --no-build-isolation --no-deps --disable-pip-version-check --quiet --target"


@dataclass(frozen=True)
class Block:
    path: str
    kind: str
    text: str


def blocks(page: Path) -> list[Block]:
    return [Block(*found) for found in _BLOCK.findall(page.read_text("utf-8"))]


class Scratch:
    """The program in a folder of its own, with a shell in it that knows `triptych` and `pip`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.shown, self.changed = folder / "scratch", "", ""
        for name in ("app", "resources"):
            shutil.copytree(REPO / name, self.folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.qm"))
        (self.folder / "never.json").write_text('{"turns": []}', "utf-8")
        site, programs = folder / "site", folder / "bin"
        programs.mkdir()
        self.program(programs / "triptych", f'exec "{sys.executable}" -m app "$@"')
        self.program(programs / "pip", f'exec "{sys.executable}" -m pip "$1" {INSTALL} "{site}" "$2"')
        self.environment = {
            **os.environ,
            "PATH": os.pathsep.join((str(programs), os.environ["PATH"])),
            "PYTHONPATH": os.pathsep.join((str(self.folder), str(site))),
            "TRIPTYCH_DATA_DIR": str(folder / "data"),
            "TRIPTYCH_OFFLINE": "1",
            "TRIPTYCH_LANG": "en",
        }

    def program(self, file: Path, line: str) -> None:
        file.write_text(f"#!/bin/sh\n{line}\n", "utf-8")
        file.chmod(0o755)

    def follow(self, block: Block) -> None:
        if block.kind == "sh":
            self.shown = self.typed(block.text)
        elif block.kind == "text":
            self.compare(block.text)
        elif block.kind == "diff":
            self.changed = block.path or self.changed
            self.change(self.folder / self.changed, block.text)
        else:
            assert block.path, f"a block of {block.kind} that belongs to no file: {block.text[:60]}"
            self.changed = block.path
            (self.folder / block.path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / block.path).write_text(block.text + "\n", "utf-8")

    def typed(self, line: str) -> str:
        done = subprocess.run(
            ["sh", "-c", line], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=240,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        return done.stdout

    def change(self, file: Path, lines: str) -> None:
        old = "\n".join(line[1:] for line in lines.splitlines() if not line.startswith("+"))
        new = "\n".join(line[1:] for line in lines.splitlines() if not line.startswith("-"))
        text = file.read_text("utf-8")
        assert text.count(old) == 1, f"{file.name} does not hold once: {old!r}"
        file.write_text(text.replace(old, new), "utf-8")

    def compare(self, expected: str) -> None:
        parts = [re.escape(line) if line != "…" else r"(?:.*\n)*?.*" for line in expected.splitlines()]
        assert re.fullmatch("\n".join(parts), self.shown.strip()), f"expected:\n{expected}\nshown:\n{self.shown}"


@pytest.mark.skipif(os.name == "nt", reason="the pages' lines are for a shell")
def test_a_page_of_extending_is_the_whole_way(tmp_path: Path) -> None:
    assert len(PAGES) == 4
    faults = []
    scratch = Scratch(tmp_path)
    for page in PAGES:
        for block in blocks(page):
            try:
                scratch.follow(block)
            except (AssertionError, OSError) as fault:
                faults.append(f"{page.name}: {fault}")
                break
    assert faults == []


def test_the_chinese_page_has_the_same_code() -> None:
    faults = [page.name for page in PAGES if blocks(page) != blocks(page.with_name(f"{page.stem}.zh.md"))]
    assert faults == []
    assert all(len(blocks(page)) >= 5 for page in PAGES)
