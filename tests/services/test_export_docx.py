"""A Word document: well-formed, complete, and with nothing in it that leads outside."""

from __future__ import annotations

import io
import zipfile
from xml.etree import ElementTree as ET

from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.exchange.options import Include
from app.services.container import Services
from app.services.exchange.export_docx import to_docx

from .documents import talked

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def read(data: bytes) -> tuple[ET.Element, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            ET.fromstring(archive.read(name))
        root = ET.fromstring(archive.read("word/document.xml"))
        others = "".join(archive.read(name).decode() for name in archive.namelist() if name.endswith(".rels"))
    return root, others


def paragraphs(data: bytes) -> list[str]:
    root, _ = read(data)
    return ["".join(text.text or "" for text in one.iter(f"{W}t")) for one in root.iter(f"{W}p")]


async def test_a_conversation_becomes_a_document_with_the_switches_of_the_others(services: Services) -> None:
    id = await talked(services)
    data = (await services.transfer.export([id], "docx")).data
    text = "\n".join(paragraphs(data))
    assert all(one in text for one in ("What is it? 是什么", "Reasoning", "Tool: search", "one hit", "It is done."))
    without = (await services.transfer.export([id], "docx", Include(tools=False))).data
    assert "search" not in "\n".join(paragraphs(without))


def test_headings_lists_tables_and_code_have_their_form() -> None:
    data = to_docx(
        "# A\n\n1. one\n2. two\n   - inner\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```\n a\n\tb\n```\n\n> said"
    )
    root, _ = read(data)
    styles = [one.get(f"{W}val") for one in root.iter(f"{W}pStyle")]
    assert styles.count("Heading1") == 1
    assert styles.count("Code") == 2
    assert styles.count("Quote") == 1
    assert len(list(root.iter(f"{W}tc"))) == 4
    assert len(list(root.iter(f"{W}gridCol"))) == 2
    assert [text for text in paragraphs(data) if text[:2] in ("1.", "2.", "•i")] == ["1.one", "2.two", "•inner"]


def test_nothing_in_it_leads_outside() -> None:
    data = to_docx("![p](https://evil.test/p.png) [l](https://a.b/c) <img src='x'>")
    root, relations = read(data)
    assert "External" not in relations
    assert "evil.test" not in ET.tostring(root).decode()
    assert paragraphs(data)[0] == "p l (https://a.b/c) <img src='x'>"


@settings(max_examples=15)
@given(st.text(max_size=80))
def test_any_text_gives_a_document_that_can_be_read(text: str) -> None:
    read(to_docx(text))
