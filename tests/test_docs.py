"""What is told in one language is told in the other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.core.text.i18n import set_language
from building import error_page, settings_page, site_links

HOME = Path(__file__).parents[1]
FOR_DEVELOPERS = {"bench.md", "bundle.md", "house.md", "offline-rules.md"}
ENGLISH = [
    HOME / "README.md",
    *sorted(
        file
        for file in (HOME / "docs").rglob("*.md")
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
    pages = re.findall(r": ([\w./-]+\.md)$", (HOME / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert len(pages) == len(set(pages))
    assert [page for page in pages if not (HOME / "docs" / page).is_file()] == []
    english = {page for page in pages if not page.endswith(".zh.md")} - FOR_DEVELOPERS
    assert {f"{page.removesuffix('.md')}.zh.md" for page in english} == set(pages) - english - FOR_DEVELOPERS


def test_on_the_site_no_link_leads_out_of_it() -> None:
    docs = HOME / "docs"
    links = [
        (file, target)
        for file in docs.rglob("*.md")
        if file.name != "house.md"
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", site_links.on_page_markdown(file.read_text("utf-8")))
        if "://" not in target
    ]
    assert len(links) > 100
    outside = [
        f"{file.name}: {target}" for file, target in links if docs not in (file.parent / target).resolve().parents
    ]
    assert outside + [f"{file.name}: {target}" for file, target in links if "house.md" in target] == []
    assert "[tests](../tests)" not in site_links.on_page_markdown("see [tests](../tests)")


def test_the_pages_of_settings_and_errors_say_what_the_program_has() -> None:
    """`python -m building.settings_page` and `python -m building.error_page` write them anew."""
    languages = (("en", ""), ("zh", ".zh"))
    try:
        pages = {f"settings{end}.md": settings_page.page(language) for language, end in languages}
        pages |= {f"errors{end}.md": error_page.page(language) for language, end in languages}
    finally:
        set_language("en")
    assert [name for name, text in pages.items() if (HOME / "docs" / name).read_text("utf-8") != text] == []


@pytest.mark.parametrize(("page", "quoted"), [("trouble.md", r'"([^"]+)"'), ("trouble.zh.md", "“([^”]+)”")])
def test_a_sentence_that_stands_for_a_symptom_is_one_of_the_program(page: str, quoted: str) -> None:
    texts = (HOME / "resources" / "i18n" / "zh_CN.po").read_text("utf-8").replace('"\n"', "").replace('\\"', '"')
    texts += "".join((HOME / "app" / place).read_text("utf-8") for place in ("__main__.py", "ui/application/guard.py"))
    rows = [line for line in (HOME / "docs" / page).read_text("utf-8").splitlines() if line.startswith("| ")]
    sentences = [text for row in rows for text in re.findall(quoted, row.split("|")[1])]
    assert len(sentences) > 12
    assert [text for text in sentences if text not in texts] == []
