"""Exports to be read lose nothing: pictures, formulas and the sides of columns are in the file itself."""

from __future__ import annotations

import base64
import io
import json
import re
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from app.core.exchange.options import Include
from app.core.run.event_line import event_to_json
from app.core.run.events import ToolCalled, ToolReturned
from app.services.container import Services
from app.services.exchange.export_html import rendered
from tests.every import every
from tests.pictures import png

from .documents import document, user

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
INLINE = base64.b64encode(png(3, 3)).decode()
WEBP = base64.b64decode("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA")
FILES = {"photo.png": png(40, 20), "chart": png(30, 30, (0, 90, 0)), "small.webp": WEBP}
REFS = {name: sha256(data).hexdigest() for name, data in FILES.items()}
FORMULAS = ("E=mc^2", r"\frac{a}{b}", r"\int_0^1 x\,dx")
UNKNOWN = r"\nosuchcommand{x}"
ANSWER = f"""So ${FORMULAS[0]}$ and \\({FORMULAS[1]}\\), but ${UNKNOWN}$.

$$
{FORMULAS[2]}
$$

| left | middle | right |
|:-----|:------:|------:|
| a | b | ${FORMULAS[0]}$ |

![inline](data:image/png;base64,{INLINE}) ![elsewhere](https://evil.test/p.png)
"""


@pytest.fixture
async def session(services: Services) -> str:
    for name, data in FILES.items():
        (services.data_dir / "attachments" / REFS[name]).write_bytes(data)
    card = {"card": "gallery", "payload": {"items": [{"title": "chart", "image": f"att:{REFS['chart']}"}]}}
    call = event_to_json(ToolCalled(1, "c", "draw", {}))
    result = event_to_json(ToolReturned(1, "c", "draw", True, "ok", "", "drawn", 5, 5, False, 1, display=card))
    files = [
        {"kind": "file", "ref": REFS[name], "name": name, "mime": f"image/{name.rpartition('.')[2]}"}
        for name in ("photo.png", "small.webp")
    ]
    parts = [{"kind": "tool", "call": call, "result": result}, {"kind": "text", "text": ANSWER, "step": 1}]
    await services.transfer.import_data([document(messages=[
        user("m1", parts=[{"kind": "text", "text": "Look"}, *files]),
        {"id": "m2", "parent": "m1", "role": "assistant", "created": 2, "parts": parts},
    ])])  # fmt: skip
    return "s9"


async def test_a_page_holds_its_pictures_and_formulas_itself(services: Services, session: str) -> None:
    page = (await services.transfer.export([session], "html")).data.decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy is not None
    assert "img-src data:;" in policy.group(1), "the browser may show what is in the file, and asks nobody"
    sources = re.findall(r'<img [^>]*?src="([^"]*)"', page)
    assert all(source.startswith("data:image/") for source in sources)
    pictures = {base64.b64decode(source.partition(",")[2]) for source in sources}
    assert pictures >= {*FILES.values(), base64.b64decode(INLINE)}
    drawn = dict(re.findall(r'<img class="formula" src="data:image/svg\+xml;base64,([^"]+)" alt="([^"]+)"', page))
    assert sorted(drawn.values()) == sorted(FORMULAS), "the same one is drawn alike each time"
    every(((tex, svg) for svg, tex in drawn.items()), _is_plain_drawing)
    assert f"<code>{UNKNOWN}</code>" in page
    assert "[elsewhere]" in page
    assert "evil.test" not in page


def _is_plain_drawing(svg: str) -> None:
    root = ET.fromstring(base64.b64decode(svg))
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {"svg", "path", "rect", "text"}


async def test_word_holds_pictures_formulas_and_the_sides_of_columns(services: Services, session: str) -> None:
    data = (await services.transfer.export([session], "docx")).data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        root = ET.fromstring(archive.read("word/document.xml"))
        relations = archive.read("word/_rels/document.xml.rels").decode()
        media = [archive.read(name) for name in archive.namelist() if name.startswith("word/media/")]
    assert {FILES["photo.png"], FILES["chart"], base64.b64decode(INLINE)} <= set(media)
    assert WEBP not in media, "Word does not know it: it is drawn anew"
    assert all(one.startswith((b"\x89PNG", b"\xff\xd8")) for one in media)
    shown = [element.get("descr") for element in root.iter() if element.tag.endswith("}docPr")]
    assert shown == [
        "photo.png", "small.webp", FORMULAS[0], FORMULAS[1], FORMULAS[2], FORMULAS[0], "inline", "chart",
    ]  # fmt: skip
    text = "".join(one.text or "" for one in root.iter(f"{W}t"))
    assert not any(tex in text for tex in FORMULAS)
    assert UNKNOWN in text
    assert "elsewhere" in text
    assert "External" not in relations
    rows = [[_side(cell) for cell in row.iter(f"{W}tc")] for row in root.iter(f"{W}tr")]
    assert rows == [["", "center", "right"]] * 2


def _side(cell: ET.Element) -> str:
    found = cell.find(f".//{W}jc")
    return "" if found is None else str(found.get(f"{W}val"))


@pytest.mark.parametrize("format", ["html", "docx"])
async def test_without_results_their_pictures_stay_out(services: Services, session: str, format: Any) -> None:
    data = (await services.transfer.export([session], format, Include(results=False))).data
    if format == "docx":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            media = [archive.read(name) for name in archive.namelist() if name.startswith("word/media/")]
        assert FILES["chart"] not in media
        assert FILES["photo.png"] in media
    else:
        assert base64.b64encode(FILES["chart"]) not in data
        assert base64.b64encode(FILES["photo.png"]) in data


@pytest.mark.parametrize("damage", [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0" + b"\0" * 40, b"GIF89a\1\0\1\0"])
async def test_a_picture_that_is_none_costs_no_export(services: Services, session: str, damage: bytes) -> None:
    for name in FILES:
        (services.data_dir / "attachments" / REFS[name]).write_bytes(damage)
    assert b"photo.png" in (await services.transfer.export([session], "html")).data
    data = (await services.transfer.export([session], "docx")).data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert "photo.png" in archive.read("word/document.xml").decode()


async def test_an_archive_is_never_written_under_another_name(services: Services, session: str, tmp_path: Path) -> None:
    beside = tmp_path / "mine.zip"
    beside.write_bytes(b"of somebody else")
    written = await services.transfer.export_to([session], "json", tmp_path / "mine.json")
    assert written == tmp_path / "mine-2.zip"
    assert zipfile.is_zipfile(written)
    assert beside.read_bytes() == b"of somebody else"
    assert not (tmp_path / "mine.json").exists()
    either = await services.transfer.export_to([session], "json", tmp_path / "mine.triptych")
    assert either == tmp_path / "mine.triptych"
    assert zipfile.is_zipfile(either)
    plain = (await services.sessions.create("assistant")).id
    written = await services.transfer.export_to([plain], "json", tmp_path / "plain.json")
    assert json.loads(written.read_text(encoding="utf-8"))["format"] == "triptych.session"


def test_an_exported_page_turns_no_letters_round() -> None:
    page = rendered("[bank.com\u202emoc.live](https://evil.example/)")
    assert "\u202e" not in page
    assert "bank.com⟦U+202E⟧moc.live" in page
