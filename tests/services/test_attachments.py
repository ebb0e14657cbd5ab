"""What may go along with a question, and what is kept of it."""

from __future__ import annotations

import base64
import os
import struct
from pathlib import Path

import pytest

from app.core.run.chat_model import UserTurn
from app.core.run.messages import Attachment, user_message
from app.services.container import Services
from app.services.exchange.attachments import (
    LARGEST,
    LARGEST_REQUEST,
    LONGEST,
    AttachmentRefused,
    DocumentRefused,
    PictureRefused,
)
from app.services.exchange.picture_facts import picture_facts
from tests.fakes import AskedModel
from tests.pictures import pdf, png
from tests.services.conftest import Put


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


@pytest.mark.parametrize("name", ["photo.png", "no-suffix", "wrong.txt"])
async def test_a_picture_is_known_by_its_content(services: Services, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(png(3, 2))
    kept = await services.attachments.add_file(path)
    assert (kept.mime, kept.text, kept.is_image) == ("image/png", "", True)
    assert await services.attachments.content(kept.ref) == png(3, 2)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("drawing.svg", b"<svg xmlns='http://www.w3.org/2000/svg'><image href='file:///etc/passwd'/></svg>"),
        ("huge.png", png(5_000, 5_000)),
        ("heavy.png", png(2, 2) + bytes(10_000_001)),
        ("cut.png", png(2, 2)[:18]),
        ("photo.heic", b"\x00\x00\x00\x18ftypheic"),
    ],
)
async def test_T09_pictures_that_are_too_large_or_not_shown_are_refused(
    services: Services, tmp_path: Path, name: str, data: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(PictureRefused):
        await services.attachments.add_file(path)
    assert list((services.data_dir / "attachments").iterdir()) == []


@pytest.mark.parametrize(
    ("data", "facts"),
    [
        (b"GIF89a" + struct.pack("<HH", 7, 5) + bytes(9), ("image/gif", 7, 5)),
        (b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc2\x00\x11\x08\x00\x05\x00\x07" + bytes(20), ("image/jpeg", 7, 5)),
        (b"RIFF\x00\x00\x00\x00WEBPVP8X" + bytes(8) + b"\x06\x00\x00\x04\x00\x00", ("image/webp", 7, 5)),
        (b"RIFF\x00\x00\x00\x00WEBPVP8L" + bytes(5) + struct.pack("<I", 6 | 4 << 14), ("image/webp", 7, 5)),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 " + bytes(10) + struct.pack("<HH", 7, 5), ("image/webp", 7, 5)),
        (b"\xff\xd8\xff" + b"\xff" * 40, None),
        (b"GIF89a" + struct.pack("<HH", 0, 5), None),
        (b"", None),
        (b"BM" + bytes(60), None),
    ],
)
def test_the_size_of_a_picture_is_read_from_its_head(data: bytes, facts: tuple[str, int, int] | None) -> None:
    assert picture_facts(data) == facts


async def test_a_pdf_gives_its_text_with_the_pages(services: Services, tmp_path: Path) -> None:
    path = tmp_path / "report.pdf"
    path.write_bytes(pdf("Hello from page one", "Second page"))
    kept = await services.attachments.add_file(path)
    assert (kept.name, kept.mime, kept.is_image) == ("report.pdf", "application/pdf", False)
    assert kept.text == "[Page 1]\nHello from page one\n\n[Page 2]\nSecond page"


async def test_the_text_of_a_long_pdf_is_cut_and_says_so(services: Services, tmp_path: Path) -> None:
    path = tmp_path / "long.pdf"
    path.write_bytes(pdf(*["word " * 2_000] * 30))
    text = (await services.attachments.add_file(path)).text
    assert len(text) <= LONGEST
    assert text.endswith("of 30]")


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"%PDF-1.7\nnothing of the kind", "damaged"), (pdf(""), "scan")],
)
async def test_a_pdf_without_text_is_refused_with_the_reason(
    services: Services, tmp_path: Path, data: bytes, why: str
) -> None:
    path = tmp_path / "file.pdf"
    path.write_bytes(data)
    with pytest.raises(DocumentRefused) as refused:
        await services.attachments.add_file(path)
    assert refused.value.params["why"] == why
    assert list((services.data_dir / "attachments").iterdir()) == []


async def test_a_request_carries_the_latest_pictures_once(services: Services) -> None:
    files = services.attachments
    one, two = await files.add_image("1.png", png(2, 2)), await files.add_image("2.png", png(3, 3))
    gone = Attachment("0" * 64, "gone.png", "image/png")
    text = await files.add_text("note.txt", "words")
    first = user_message("a", "?", created=1.0, attachments=(one, text, gone))
    second = user_message("b", "?", created=2.0, attachments=(two, one))
    urls = await files.data_urls([first, second])
    assert set(urls) == {one.ref, two.ref}
    assert base64.b64decode(urls[one.ref].removeprefix("data:image/png;base64,")) == png(2, 2)


async def test_a_request_does_not_carry_more_pictures_than_it_may(services: Services) -> None:
    files = services.attachments
    kept = [await files.add_image(f"{n}.png", png(2, 2 + n) + bytes(9_000_000)) for n in range(3)]
    messages = [user_message(str(n), "?", created=1.0, attachments=(one,)) for n, one in enumerate(kept)]
    assert set(await files.data_urls(messages)) == {kept[1].ref, kept[2].ref}
    assert LARGEST_REQUEST < 27_000_000


async def test_a_hash_that_is_none_names_no_file(services: Services) -> None:
    assert await services.attachments.content("../../etc/passwd") is None


async def test_the_model_sees_the_picture_and_reads_the_document(
    services: Services, answers: Put, tmp_path: Path
) -> None:
    session = await services.sessions.create("assistant")
    path = tmp_path / "report.pdf"
    path.write_bytes(pdf("Sales went up"))
    files = (await services.attachments.add_image("chart.png", png(4, 4)), await services.attachments.add_file(path))
    model = AskedModel(lambda _request: "Seen.")
    answers(model)
    run = await services.chat.send(session.id, "What does it show?", "direct", attachments=files)
    async for _line in run.events():
        pass
    await services.chat.recorded()
    (asked,) = (turn for turn in model.requests[0].turns if isinstance(turn, UserTurn))
    assert [image[:22] for image in asked.images] == ["data:image/png;base64,"]
    assert "Sales went up" in asked.text
    question, _answer = await services.sessions.messages(session.id)
    assert [part.name for part in question.parts if isinstance(part, Attachment)] == ["chart.png", "report.pdf"]
