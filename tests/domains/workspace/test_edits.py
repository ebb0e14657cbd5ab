"""Files as text: what an edit changes, and that it changes no other byte."""

from __future__ import annotations

import codecs
from functools import partial
from pathlib import Path

import pytest

from app.core.errors import ToolError
from tests.domains.workspace.rig import BY_NAME, Desk, tree


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def in_form(words: str, *, mark: bytes, encoding: str, newline: str, ends: bool) -> bytes:
    return mark + (words if ends else words.rstrip("\n")).replace("\n", newline).encode(encoding)


async def test_an_edit_keeps_encoding_mark_line_ends_and_the_last_newline(desk: Desk) -> None:
    """For each way a file may be written: the expected bytes are those of the same change made by hand."""
    text, changed = "first\nsecond 中文\nthird\n", "first\nzweite 中文\nand more\nthird\n"
    forms = {
        "lf": (b"", "utf-8", "\n", True), "crlf": (b"", "utf-8", "\r\n", True),
        "no newline at the end": (b"", "utf-8", "\n", False), "crlf, none at the end": (b"", "utf-8", "\r\n", False),
        "mark": (codecs.BOM_UTF8, "utf-8", "\r\n", True), "utf-16": (codecs.BOM_UTF16_LE, "utf-16-le", "\r\n", True),
        "utf-16 be": (codecs.BOM_UTF16_BE, "utf-16-be", "\n", False), "gb18030": (b"", "gb18030", "\r\n", True),
    }  # fmt: skip
    wrong = []
    for name, (mark, encoding, newline, ends) in forms.items():
        written = partial(in_form, mark=mark, encoding=encoding, newline=newline, ends=ends)

        long = "".join(f"第{n}行：这是一个用来测试编码的句子。\n" for n in range(40)) if encoding == "gb18030" else ""
        path = desk.root / "file.txt"
        path.write_bytes(written(long + text))
        await desk.call("read_file", path="file.txt")
        await desk.call("edit_file", path="file.txt", old="second 中文", new="zweite 中文\nand more")
        if path.read_bytes() != written(long + changed):
            wrong.append((name, path.read_bytes()[-80:]))
    assert wrong == []


async def test_a_file_of_mixed_line_ends_changes_at_its_place_only(desk: Desk) -> None:
    path = desk.root / "mixed.txt"
    path.write_bytes(b"a\r\nb\nc\r\nd\ne\rf")
    await desk.call("read_file", path="mixed.txt")
    await desk.call("edit_file", path="mixed.txt", old="c\nd", new="C\nD")
    assert path.read_bytes() == b"a\r\nb\nC\r\nD\ne\rf"
    path.chmod(0o640)
    await desk.call("edit_file", path="mixed.txt", old="b", new="B\nB")
    assert path.read_bytes() == b"a\r\nB\nB\nC\r\nD\ne\rf"
    assert path.stat().st_mode & 0o777 == 0o640


async def test_an_edit_that_cannot_be_made_says_why_and_changes_nothing(desk: Desk) -> None:
    (desk.root / "a.txt").write_text("one two one")
    (desk.root / "b.bin").write_bytes(b"\0\1\2")
    (desk.root / "latin.txt").write_bytes("Käse und Brötchen für Müller, außen größer\n".encode("latin-1") * 20)
    before = tree(desk.root)
    assert await desk.code("edit_file", path="a.txt", old="two", new="2") == "STALE"
    for name in ("a.txt", "latin.txt"):
        await desk.call("read_file", path=name)
    codes = {
        ("two", "two"): "NO_CHANGE", ("three", "3"): "NOT_FOUND_TEXT", ("one", "1"): "AMBIGUOUS",
    }  # fmt: skip
    found = {pair: await desk.code("edit_file", path="a.txt", old=pair[0], new=pair[1]) for pair in codes}
    assert found == codes
    assert await desk.code("read_file", path="b.bin") == "BINARY"
    assert await desk.code("write_file", path="a.txt", content="x") == "EXISTS"
    assert tree(desk.root) == before
    with pytest.raises(ToolError, match="2 times, in lines 1, 1"):
        await desk.call("edit_file", path="a.txt", old="one", new="1")
    await desk.call("edit_file", path="a.txt", old="one", new="1", all=True)
    assert (desk.root / "a.txt").read_text() == "1 two 1"


async def test_a_file_that_changed_since_it_was_read_is_not_written(desk: Desk) -> None:
    path = desk.root / "a.txt"
    path.write_text("mine")
    await desk.call("read_file", path="a.txt")
    path.write_text("yours")
    assert await desk.code("edit_file", path="a.txt", old="yours", new="x") == "STALE"
    assert await desk.code("write_file", path="a.txt", content="x", overwrite=True) == "STALE"
    assert path.read_text() == "yours"
    await desk.call("read_file", path="a.txt")
    await desk.call("write_file", path="a.txt", content="x", overwrite=True)
    assert path.read_text() == "x"


def asks(name: str, path: str) -> bool:
    decide = BY_NAME[name].asks
    return decide is not None and decide({"path": path})


async def test_searching_goes_by_name_and_by_line_and_leaves_out_keys_and_what_is_ignored(desk: Desk) -> None:
    for name, text in {
        "a.md": "TODO one\nplain", "sub/b.md": "todo two", "sub/c.py": "TODO = 3", "build/out.md": "TODO built",
        ".env": "TODO=secret", "server.key": "TODO key", ".gitignore": "build/\n*.log\n", "x.log": "TODO log",
    }.items():  # fmt: skip
        (desk.root / name).parent.mkdir(exist_ok=True)
        (desk.root / name).write_text(text)
    found = (await desk.call("glob", pattern="*.md")).data["paths"]
    assert found == ["a.md", "sub/b.md"]
    assert (await desk.call("glob", pattern="sub/*.md")).data["paths"] == ["sub/b.md"]
    (desk.root / ".gitignore").write_text("/build\n*.log\n")
    assert (await desk.call("glob", pattern="**/*.md")).data["paths"] == ["a.md", "sub/b.md"]
    assert (await desk.call("glob", pattern="{sub,build}/*.[mp]*")).data["paths"] == ["sub/b.md", "sub/c.py"]
    hits = (await desk.call("grep", pattern="(?i)todo")).data["matches"]
    assert hits == ["a.md:1:TODO one", "sub/b.md:1:todo two", "sub/c.py:1:TODO = 3"]
    assert (await desk.call("grep", pattern="TODO = ", regex=False)).data["matches"] == ["sub/c.py:1:TODO = 3"]
    assert (await desk.call("grep", pattern="plain", path="a.md")).data["matches"] == ["a.md:2:plain"]
    assert await desk.code("grep", pattern="(") == "BAD_PATTERN"
    assert (await desk.call("list_dir", path="sub")).data["entries"][0]["name"] == "sub/b.md"
    for name in (".git/objects/x", ".ssh/id_rsa"):
        (desk.root / name).parent.mkdir(parents=True)
        (desk.root / name).write_text("x")
    listed = [one["name"] for one in (await desk.call("list_dir", depth=3)).data["entries"]]
    assert [name for name in listed if name.startswith((".git/", ".ssh/"))] == []
    assert [name for name in ("list_dir", "glob", "grep", "read_file") if not asks(name, ".git/config")] == []


async def test_of_very_many_lines_the_first_by_path_are_shown(desk: Desk) -> None:
    """As few files are looked at as are needed, whatever the order they are found in; none of keys is among them."""
    for name in [*(f"s{n % 3}/f{n:02}.txt" for n in range(30)), ".ssh/f.txt", "s0/ＩＤ_RSA", "s0/id_rsa.txt"]:
        (desk.root / name).parent.mkdir(exist_ok=True)
        (desk.root / name).write_text("word\n" * 3)
    found = (await desk.call("grep", pattern="word", max=7)).data
    wanted = [f"s0/f{n:02}.txt:{row}:word" for n in (0, 3, 6) for row in (1, 2, 3)][:7]
    assert (found["matches"], found["cut"]) == (wanted, True)
    paths = (await desk.call("glob", pattern="*")).data["paths"]
    assert paths == sorted(f"s{n % 3}/f{n:02}.txt" for n in range(30))


async def test_a_new_file_brings_the_folders_that_are_missing_however_deep(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    assert await desk.code("write_file", path="a/b/c/note.txt", content="x") == "ok"
    assert (desk.root / "a" / "b" / "c" / "note.txt").read_text("utf-8") == "x"
    assert await desk.code("write_file", path="d/con/note.txt", content="x") == "BAD_NAME"
    assert not (desk.root / "d").exists()
