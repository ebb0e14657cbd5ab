"""What may go along with a question, and what is kept of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.services.all import Services
from app.services.attachments import LARGEST, LONGEST, AttachmentRefused


async def test_a_text_file_is_kept_by_its_content_and_once(services: Services, tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("# 笔记\nline", encoding="utf-8")
    one = await services.attachments.add_file(path)
    two = await services.attachments.add_text("paste.txt", "# 笔记\nline")
    assert one.ref == two.ref
    assert (one.name, one.mime, one.text) == ("notes.md", "text/markdown", "# 笔记\nline")
    assert [file.name for file in (services.data_dir / "attachments").iterdir()] == [one.ref]


async def test_chinese_text_of_another_encoding_is_read(services: Services, tmp_path: Path) -> None:
    path = tmp_path / "old.txt"
    path.write_bytes("杭州西湖".encode("gb18030"))
    assert (await services.attachments.add_file(path)).text == "杭州西湖"


@pytest.mark.parametrize(
    ("content", "why"),
    [(b"", "empty"), (b"\x00\x01binary", "no_text"), (b"a" * (LARGEST + 1), "large"), (b"a" * (LONGEST + 1), "long")],
)
async def test_what_cannot_be_sent_is_refused_and_nothing_is_kept(
    services: Services, tmp_path: Path, content: bytes, why: str
) -> None:
    path = tmp_path / "file.bin"
    path.write_bytes(content)
    with pytest.raises(AttachmentRefused) as refused:
        await services.attachments.add_file(path)
    assert refused.value.params["why"] == why
    assert list((services.data_dir / "attachments").iterdir()) == []


async def test_folders_and_pipes_are_no_files(services: Services, tmp_path: Path) -> None:
    special = [tmp_path, tmp_path / "missing"]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        special.append(tmp_path / "pipe")
    for path in special:
        with pytest.raises(AttachmentRefused):
            await services.attachments.add_file(path)
