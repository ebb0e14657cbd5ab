"""Lines are found whatever encoding their file has."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from app.domains.workspace.model import other_encodings
from tests.domains.workspace.rig import Desk

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no folder is opened there")

CHINESE = "项目报告：第一季度的销售情况\nplain words\n客户对我们的产品很满意，合同已经签订\n"
LATIN = "Le café est fermé, dit l'élève.\nplain words\nÀ bientôt à Orléans, où il fait déjà été.\n"
FILES = {
    "utf8.txt": CHINESE.encode(),
    "gbk.txt": CHINESE.encode("gbk"),
    "notes/wide.txt": CHINESE.encode("utf-16-le"),
    "notes/marked.txt": CHINESE.encode("utf-16"),
    "latin.txt": LATIN.encode("latin-1"),
    "late.txt": b"first line\n" * 3_000 + "合同".encode("gbk") + b" late\n",
    "damaged.txt": CHINESE.encode() + b"bad \xff byte\n",
    "picture.bin": bytes(range(256)) * 40,
    ".env": "合同".encode("gbk"),
}
CASES: list[tuple[str, dict[str, Any], list[str]]] = [
    (
        "合同",
        {"path": "."},
        ["damaged.txt:3", "gbk.txt:3", "late.txt:3001", "notes/marked.txt:3", "notes/wide.txt:3", "utf8.txt:3"],
    ),
    ("客户.*签订$", {}, ["damaged.txt:3", "gbk.txt:3", "notes/marked.txt:3", "notes/wide.txt:3", "utf8.txt:3"]),
    ("café", {}, ["latin.txt:1"]),
    (r"\p{Han}{4}报告", {"include": "g*.txt"}, []),
    (r"^\p{Han}{2}报告", {"include": "g*.txt"}, ["gbk.txt:1"]),
    ("plain", {"path": "gbk.txt", "context": 1}, ["gbk.txt:1", "gbk.txt:2", "gbk.txt:3"]),
    (
        "plain",
        {},
        ["damaged.txt:2", "gbk.txt:2", "latin.txt:2", "notes/marked.txt:2", "notes/wide.txt:2", "utf8.txt:2"],
    ),
    ("élève.", {"regex": False, "path": "."}, ["latin.txt:1"]),
    ("byte", {"include": "d*"}, ["damaged.txt:4"]),
    ("合同", {"path": "notes", "include": "w*"}, ["notes/wide.txt:3"]),
]


async def test_lines_are_found_in_every_encoding(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for name, data in FILES.items():
        (desk.root / name).parent.mkdir(exist_ok=True)
        (desk.root / name).write_bytes(data)
    wrong = []
    for pattern, more, expected in CASES:
        result = await desk.call("grep", pattern=pattern, **more)
        places = [":".join(line.split(":", 2)[:2]) for line in result.data["matches"]]
        if places != expected:
            wrong.append((pattern, more, places))
    assert wrong == []


async def test_what_was_not_searched_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path)
    for name in ("a.txt", "b.txt"):
        (desk.root / name).write_bytes(CHINESE.encode("gbk"))
    monkeypatch.setattr(other_encodings, "MOST_COPIED", 1)
    result = await desk.call("grep", pattern="合同")
    assert [line.split(":")[0] for line in result.data["matches"]] == ["a.txt"]
    assert "encodings" in result.summary
