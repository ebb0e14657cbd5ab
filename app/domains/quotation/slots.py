"""What the offline rules can read of a sentence about prices: a file, a level, the lines of an inquiry, a product."""

from __future__ import annotations

import re

from app.core.errors import ToolError
from app.core.slots import SlotReader, Slots, Surroundings, Table

from .reading.inquiry import of_text

_FILE = re.compile(
    r"[\"“'「](?P<quoted>[^\"”'」\n]{1,400}\.(?:xlsx|xlsm|xlsb|xls|ods|csv|tsv|txt|pdf|png|jpe?g|webp))[\"”'」]"
    r"|(?P<bare>(?:~|/|[A-Za-z]:[\\/])[^\s\"“”'，。；]{1,400}\.(?:xlsx|xlsm|xlsb|xls|ods|csv|tsv|txt|pdf|png|jpe?g|webp))",
    re.IGNORECASE,
)
_LEVEL = re.compile(
    r"(?<![a-z0-9])(?P<letter>[a-h])\s{0,2}(?:级|档|类|等)|(?:level|tier|级别|等级)\s{0,2}(?P<named>[a-z][\w-]{0,20})",
    re.IGNORECASE,
)


def read_file(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """A path as it was written: its letters keep their case."""
    match = _FILE.search(around.question)
    return {name: match["quoted"] or match["bare"]} if match else {}


def read_level(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    match = _LEVEL.search(_FILE.sub(" ", text))
    if match is None:
        return {}
    letter = match["letter"] or match["named"]
    return {name: letter.upper() if len(letter) == 1 else letter}


def read_lines(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """The inquiry in the question, where at least one of its lines has a quantity."""
    question = around.question
    if _FILE.search(question):
        return {}
    tail = re.split(r"[:：]", question, maxsplit=1)[-1]
    for piece in (tail, question):
        try:
            inquiry = of_text(piece)
        except ToolError:
            continue
        if any(line.qty for line in inquiry.lines):
            return {name: piece.strip()}
    return {}


def read_product(text: str, name: str, table: Table, around: Surroundings) -> Slots:
    """What is left of the question without the words of asking, with its letters as they were written."""
    rest = _LEVEL.sub(" ", around.question)
    for word in sorted(table.get("asking", ()), key=len, reverse=True):
        border = r"(?<![A-Za-z])" if word.isascii() else ""
        tail = r"(?![A-Za-z])" if word.isascii() else ""
        rest = re.sub(border + re.escape(word) + tail, " ", rest, flags=re.IGNORECASE)
    rest = " ".join(re.sub(r"[?？!！。,，:：]", " ", rest).split())
    return {name: rest} if 2 <= len(rest) <= 200 else {}


SLOTS = (
    SlotReader("file_path", read_file, whole=True),
    SlotReader("price_level", read_level, whole=True),
    SlotReader("inquiry_lines", read_lines, whole=True),
    SlotReader("product_words", read_product, whole=True),
)
