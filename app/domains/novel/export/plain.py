"""The book as txt and as Markdown."""

from __future__ import annotations

import re

from .pages import Pages

_INDENT = "\u3000\u3000"
_SPECIAL = re.compile(r"([\\`*_\[\]<>])")
_BLOCK = re.compile(r"^(#{1,6}(?=\s)|[-+](?=\s)|\d+(?=[.)]\s)|~~~|=+$|-+$)")


def to_txt(book: Pages) -> bytes:
    """UTF-8 with its mark, line ends as Windows has them: what opens everywhere."""
    indent = _INDENT if book.is_chinese else ""
    blocks = [book.title, *([book.author] if book.author else []), ""]
    if book.synopsis:
        blocks += [*(f"{indent}{line}" for line in book.synopsis.split("\n")), ""]
    for page in book.pages:
        blocks += ["", page.heading, ""]
        for paragraph in page.paragraphs:
            blocks += [f"{indent}{paragraph}"] if book.is_chinese else [paragraph, ""]
    return ("\ufeff" + "\n".join(blocks).strip() + "\n").replace("\n", "\r\n").encode("utf-8")


def to_markdown(book: Pages) -> bytes:
    """What looks like Markdown in the text stays text."""
    has_volumes = any(page.is_volume for page in book.pages)
    blocks = [f"# {_escaped(book.title)}"]
    if book.author:
        blocks.append(f"*{_escaped(book.author)}*")
    if book.synopsis:
        blocks.append("\n".join(f"> {_escaped(line)}" for line in book.synopsis.split("\n")))
    for page in book.pages:
        level = "##" if page.is_volume or not has_volumes else "###"
        blocks.append(f"{level} {_escaped(page.heading)}")
        blocks += [_escaped(paragraph) for paragraph in page.paragraphs]
    return ("\n\n".join(blocks) + "\n").encode("utf-8")


def _escaped(text: str) -> str:
    return _BLOCK.sub(lambda match: _block(match[0]), _SPECIAL.sub(r"\\\1", text))


def _block(mark: str) -> str:
    return f"{mark}\\" if mark[0].isdecimal() else f"\\{mark}"
