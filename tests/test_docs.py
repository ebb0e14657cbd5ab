"""What is told in one language is told in the other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.core.text.i18n import set_language
from building import settings_page, site_links

HOME = Path(__file__).parents[1]
FOR_DEVELOPERS = {"bench.md", "bundle.md", "house.md", "offline-rules.md"}
ENGLISH = [
    HOME / "README.md",
    *sorted(
        file
        for file in (HOME / "docs").glob("*.md")
        if not file.name.endswith(".zh.md") and file.name not in FOR_DEVELOPERS
    ),
]
_NAME = re.compile(r"TRIPTYCH_[A-Z_]+|OPENAI_[A-Z_]+|--[a-z][a-z-]+|triptych [a-z]+|[a-z]+\.md|triptych\.[a-z]+")


def chinese_of(file: Path) -> Path:
    return file.with_name(f"{file.stem}.zh.md")


def lines(file: Path, start: str) -> int:
    return sum(line.startswith(start) for line in file.read_text("utf-8").splitlines())


@pytest.mark.parametrize("file", ENGLISH, ids=lambda file: file.stem)
def test_every_page_stands_in_both_languages_with_the_same_parts(file: Path) -> None:
    chinese = chinese_of(file)
    assert chinese.is_file()
    for start in ("#", "|", "```", "!["):
        assert lines(chinese, start) == lines(file, start), f"{chinese.name}: lines that begin with {start}"


@pytest.mark.parametrize("file", ENGLISH, ids=lambda file: file.stem)
def test_every_name_of_a_page_stands_in_both_languages(file: Path) -> None:
    told, also = (
        set(_NAME.findall(page.read_text("utf-8").replace(".zh.md", ".md"))) for page in (file, chinese_of(file))
    )
    assert told - also == set()


@pytest.mark.parametrize("file", [*ENGLISH, *map(chinese_of, ENGLISH)], ids=lambda file: file.stem)
def test_a_link_of_a_page_leads_somewhere(file: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", file.read_text("utf-8")):
        if "://" not in target:
            assert (file.parent / target.partition("#")[0]).exists(), f"{file.name}: {target}"


def test_every_path_on_the_house_page_exists() -> None:
    text = (HOME / "docs" / "house.md").read_text("utf-8")
    paths = set(re.findall(r"`((?:app|resources|tests)(?:/[\w.]+)*)`", text))
    assert len(paths) > 60
    assert sorted(path for path in paths if not (HOME / path).exists()) == []


def test_a_page_of_the_site_stands_in_both_languages() -> None:
    """`make docs` stops at a page that is not in the list."""
    pages = re.findall(r": ([\w.-]+\.md)$", (HOME / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert len(pages) == len(set(pages))
    assert [page for page in pages if not (HOME / "docs" / page).is_file()] == []
    english = {page for page in pages if not page.endswith(".zh.md")} - FOR_DEVELOPERS
    assert {f"{page.removesuffix('.md')}.zh.md" for page in english} == set(pages) - english - FOR_DEVELOPERS


def test_on_the_site_no_link_leads_out_of_it() -> None:
    pages = [site_links.on_page_markdown(file.read_text("utf-8")) for file in (HOME / "docs").glob("*.md")]
    assert [link for page in pages for link in re.findall(r"\]\((?:\.\.|house)[^)]*\)", page)] == []
    assert "[tests](../tests)" not in site_links.on_page_markdown("see [tests](../tests)")


def test_the_page_of_the_settings_says_what_the_program_has() -> None:
    """`python -m building.settings_page` writes it anew."""
    try:
        pages = {f"settings{end}.md": settings_page.page(language) for language, end in (("en", ""), ("zh", ".zh"))}
    finally:
        set_language("en")
    assert [name for name, text in pages.items() if (HOME / "docs" / name).read_text("utf-8") != text] == []
