"""Collects the strings a person reads into the catalogues, one per language. Run by `make texts` inside `.venv`.

A string is marked `_("…")`, `N_("…")` or `ngettext("…", "…", n)`; in what speaks the language of a conversation,
`ctx.say("…")`, `say_in(language, "…")` or `count_in(language, "…", "…", n)`. Translations are kept, new strings are
added empty, strings that nobody uses any more are dropped; nothing is guessed (no fuzzy entries). Arguments are .po
files whose Chinese translations fill what is still empty: `make texts ARGS="from-a-translator.po"`.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from building.places import REPO

LANGUAGES = ("zh_CN", "en")
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2), "say_in": (2,), "count_in": (2, 3)}
SPOKEN = {"say": None}
SPEAKERS = ("domains", "tools", "web")
"""The rooms in which `say` is the voice of a tool."""
RULES = "providers/rules"
"""Where texts of rule books are said to come from."""
FOLDER = REPO / "resources" / "i18n"


def main(arguments: list[str]) -> int:
    template = collect(REPO / "app")
    FOLDER.mkdir(parents=True, exist_ok=True)
    others = sorted(path.stem for path in FOLDER.glob("*.po") if path.stem not in LANGUAGES)
    for language in (*LANGUAGES, *others):
        catalogue = update(FOLDER / f"{language}.po", language, template)
        if language == "zh_CN" and arguments:
            for file in arguments:
                fill(catalogue, Path(file))
            write(FOLDER / f"{language}.po", language, catalogue)
        missing = sum(1 for message in catalogue if message.id and not translated(message.string))
        told = "" if language == "en" else f", {missing} to translate"
        print(f"==> {language}: {len(catalogue)} strings{told}")
    return 0


def collect(folder: Path) -> Catalog:
    """Places are named by file alone: line numbers would change the catalogues with every edit."""
    template = Catalog()
    usual: dict[str, Any] = {"comment_tags": ("Translators:",), "strip_comment_tags": True}
    found = list(extract_from_dir(folder, keywords=KEYWORDS, **usual))
    for room in SPEAKERS:
        spoken = extract_from_dir(folder / room, keywords=SPOKEN, **usual)
        found += [(f"{room}/{file}", line, text, notes, about) for file, line, text, notes, about in spoken]
    found += unmarked()
    for file, _line, message, comments, context in sorted(found, key=lambda entry: (entry[0], entry[1])):
        template.add(message, locations=[(f"app/{file}", 0)], auto_comments=comments, context=context)
    return template


def unmarked() -> list[tuple[str, int, str, list[str], None]]:
    """Texts that are data: what tools say of themselves, and the sentences of offline rules."""
    return [*_tool_texts(), *_rule_texts()]


def _tool_texts() -> list[tuple[str, int, str, list[str], None]]:
    """What the tools we ship say of themselves and of their arguments: docstrings and schemas are marks."""
    from app.domains import BUILTIN
    from app.tools import BUILTIN_TOOLS as TOOLS
    from app.web.tools import WEB_TOOLS

    rooms = {"tools": TOOLS, "web": WEB_TOOLS, **{f"domains/{domain.id}": domain.tools for domain in BUILTIN}}
    texts = (
        (room, text)
        for room, tools in rooms.items()
        for tool in tools
        for text in (tool.description, *_descriptions(tool.parameters))
    )
    return [(room, 0, text, [], None) for room, text in dict.fromkeys(texts) if text]


def _rule_texts() -> list[tuple[str, int, str, list[str], None]]:
    """What the offline rules of the domains we ship answer with, as templates."""
    from app.domains import BUILTIN
    from app.providers.rules.texts import texts_in

    texts = (
        (domain.id, text)
        for domain in BUILTIN
        if domain.rules is not None
        for text in texts_in(tomllib.loads(domain.rules.read_text("utf-8")))
    )
    return [(f"{RULES}/{id}", 0, text, [], None) for id, text in dict.fromkeys(texts) if text]


def _descriptions(schema: object) -> Iterator[str]:
    if isinstance(schema, Mapping):
        text = schema.get("description")
        if isinstance(text, str):
            yield text
        for inner in schema.values():
            yield from _descriptions(inner)
    elif isinstance(schema, list | tuple):
        for inner in schema:
            yield from _descriptions(inner)


def update(path: Path, language: str, template: Catalog) -> Catalog:
    catalogue = Catalog(locale=language)
    if path.exists():
        with path.open("rb") as file:
            catalogue = read_po(file, locale=language)
    # A copy: a catalogue takes new messages over as they are, and what fills one would fill the next.
    catalogue.update(deepcopy(template), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    for message in catalogue:
        message.flags.discard("fuzzy")
    write(path, language, catalogue)
    return catalogue


def fill(catalogue: Catalog, source: Path) -> None:
    with source.open("rb") as file:
        offered = read_po(file, locale="zh_CN")
    for message in catalogue:
        other = offered.get(message.id, context=message.context) if message.id else None
        if other is not None and translated(other.string) and not translated(message.string):
            message.string = other.string


def write(path: Path, language: str, catalogue: Catalog) -> None:
    with path.open("wb") as file:
        file.write(header(language).encode())
        write_po(
            file, catalogue, width=110, omit_header=True, sort_by_file=True, ignore_obsolete=True, include_lineno=False
        )


def header(language: str) -> str:
    """Our own and without dates, so that an unchanged catalogue is an unchanged file."""
    plural = "nplurals=1; plural=0;" if language.startswith("zh") else "nplurals=2; plural=(n != 1);"
    lines = [f"Language: {language}", "Content-Type: text/plain; charset=utf-8", f"Plural-Forms: {plural}"]
    return 'msgid ""\nmsgstr ""\n' + "".join(f'"{line}\\n"\n' for line in lines) + "\n"


def translated(text: object) -> bool:
    return all(text) if isinstance(text, (tuple, list)) else bool(text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
