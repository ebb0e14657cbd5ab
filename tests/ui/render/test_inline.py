"""What stands inside a paragraph: links that may be clicked, images that are not loaded, emphasis in Chinese."""

from __future__ import annotations

import pytest

from app.ui.render.markdown.blocks import FoldEnd, FoldStart, TextLine, to_blocks
from app.ui.render.markdown.inline import (
    CODE,
    EMPHASIS,
    FORMULA,
    LINK,
    LOWERED,
    MUTED,
    RAISED,
    STRONG,
    STRUCK,
    TextRun,
    plain_text,
)
from app.ui.render.markdown.links import safe_href
from app.ui.render.markdown.markdown import parse
from app.ui.render.markdown.sanitize import displayable, plain_lines, without_breaks


def runs(source: str) -> tuple[TextRun, ...]:
    block = to_blocks(parse(source))[0]
    assert isinstance(block, TextLine)
    return block.runs


def test_styles_nest() -> None:
    assert runs("a **b *c*** ~~d~~ `e`") == (
        TextRun("a "),
        TextRun("b ", STRONG),
        TextRun("c", STRONG | EMPHASIS),
        TextRun(" "),
        TextRun("d", STRUCK),
        TextRun(" "),
        TextRun("e", CODE),
    )


@pytest.mark.parametrize("source", ["**注意：**请看", "请看**“重点”**内容", "价格**（含税）**为", "这是**重点**。"])
def test_emphasis_works_beside_chinese_punctuation(source: str) -> None:
    assert any(run.style == STRONG for run in runs(source))
    assert "*" not in plain_text(runs(source))


@pytest.mark.parametrize("source", ["2 * 3 * 4", "a * b", "snake_case_name", "** not strong **"])
def test_stars_and_underscores_that_mean_nothing_stay(source: str) -> None:
    assert plain_text(runs(source)) == source


@pytest.mark.parametrize("href", ["https://a.example/x?y=1#z", "http://a.example:8080/", "mailto:me@a.example"])
def test_T04_web_and_mail_links_may_be_clicked(href: str) -> None:
    assert runs(f"[go]({href})") == (TextRun("go", LINK, href),)


@pytest.mark.parametrize(
    ("source", "links"),
    [
        ("see https://a.example/x_y_z?q=1&r=2.", ["https://a.example/x_y_z?q=1&r=2"]),
        ("（见https://a.example/甲）", ["https://a.example/"]),
        ("(https://a.example/b_(c))", ["https://a.example/b_(c)"]),
        ("**https://a.example**, http://b.example!", ["https://a.example", "http://b.example"]),
        ("[words https://b.example](https://a.example/)", ["https://a.example/"]),
        ("`https://a.example`", []),
        ("xhttps://a.example", []),
        ("https://good.example\u202emoc.evil", []),
        ("https:///nobody and https://", []),
    ],
)
def test_an_address_that_is_written_out_is_a_link_to_itself(source: str, links: list[str]) -> None:
    shown = runs(source)
    assert [run.href for run in shown if run.href] == links
    assert all(run.style & LINK for run in shown if run.href)


def test_T09_thousands_of_addresses_in_a_paragraph_are_linked_up_to_a_limit() -> None:
    shown = runs("https://a.example/ " * 2_000)
    assert sum(bool(run.href) for run in shown) == 500


@pytest.mark.parametrize("tail", [")" * 200_000, "(" * 200_000, "()" * 100_000, ".)" * 100_000, "]" * 200_000])
def test_T09_an_address_of_brackets_is_text(tail: str) -> None:
    assert all(not run.href for run in runs(f"https://a.example/{tail}"))
    assert any(run.href for run in runs("https://a.example/" + tail[:1_500] + " end"))


@pytest.mark.parametrize(
    "href",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "file:///etc/passwd",
        "smb://host/share",
        "ms-msdt:/id",
        "vscode://file/x",
        "data:text/html,x",
        "//host/share",
        "relative.md",
        "#fragment",
        "qrc:/x",
    ],
)
def test_T04_other_schemes_are_text_and_can_be_seen(href: str) -> None:
    shown = runs(f"[safe words]({href})")
    assert all(not run.href for run in shown)
    assert href.split(":", maxsplit=1)[0].lower() in plain_text(shown).lower()


def test_M12_a_reordered_host_is_refused() -> None:
    assert safe_href("https://good.com%E2%80%AEmoc.live/") is None
    assert safe_href("https://good.com\u202emoc.live/") is None
    assert safe_href("https://a.example\\@b.example/") is None


def test_international_hosts_are_shown_encoded() -> None:
    shown = runs("[x](https://аррӏе.com/)")
    assert shown[0].href.startswith("https://xn--")


@pytest.mark.parametrize(
    "source",
    [
        "see ![secret](https://canary.invalid/?d=SECRET)",
        "![secret][a]\n\n[a]: http://canary.invalid/x",
        "![secret](file:///etc/passwd)",
        "![secret](//canary.invalid/share/x.png)",
        "![secret](data:image/svg+xml;base64,AAAA)",
        "![secret](relative.png)",
    ],
)
def test_T01_an_image_is_a_line_of_text(source: str) -> None:
    shown = runs(source)[-1]
    assert shown.style == MUTED
    assert "secret" in shown.text
    assert "SECRET" not in shown.text
    assert not shown.href


def test_M03_an_image_inside_a_link_stays_a_link() -> None:
    (shown,) = runs("[![alt](http://a.example/i)](http://b.example/)")
    assert shown.href == "http://b.example/"
    assert "alt" in shown.text


def test_T03_html_is_literal() -> None:
    assert plain_text(runs("<b>x</b> <img src=a onerror=b>")) == "<b>x</b> <img src=a onerror=b>"


@pytest.mark.parametrize("source", ["$E=mc^2$", "\\(a+b\\)", "\\[a+b\\]"])
def test_a_formula_is_a_run_with_its_source(source: str) -> None:
    assert runs(f"so {source} it is")[1] == TextRun(source, CODE | FORMULA)


def test_money_is_not_a_formula() -> None:
    assert plain_text(runs("from $5 to $10 a day")) == "from $5 to $10 a day"


def test_a_line_break_of_the_model_is_kept() -> None:
    assert plain_text(runs("first\nsecond")) == "first\nsecond"


def test_T09_long_runs_can_break_and_are_copied_as_they_were() -> None:
    text = "x" * 950 + " " + "y" * 99
    assert max(len(piece) for piece in displayable(text).replace("\u200b", " ").split()) <= 100
    assert without_breaks(displayable(text)) == text


def test_M22_base64_in_prose_is_folded() -> None:
    assert len(displayable("QUJD" * 10_000)) < 300
    assert "40 kB" in displayable("QUJD" * 10_000)


def test_M24_combining_marks_are_clipped() -> None:
    assert len(displayable("a" + "\u0301" * 50_000)) < 20


def test_what_qt_would_take_for_structure_is_replaced() -> None:
    assert not set("\u2029\ufdd0\ufdd1\ufffc\x00\ud800") & set(displayable("a\u2029b\ufdd0c\ufdd1d\ufffce\x00f\ud800"))


def test_scripts_are_not_touched() -> None:
    for text in ("مرحبا بالعالم", "สวัสดี", "नमस्ते दुनिया", "👨‍👩‍👧‍👦🇫🇷1️⃣", "汉字，标点。"):
        assert displayable(text) == text


def test_overlong_lines_of_plain_text_continue_below() -> None:
    assert [len(line) for line in plain_lines("z" * 5_000).split("\n")] == [2_000, 2_000, 1_000]
    assert plain_lines("ab\n\nc", column=1_999) == "a\nb\n\nc"


def test_raised_and_lowered_text_notes_and_details_are_shown_not_their_tags() -> None:
    cases: dict[str, list[tuple[str, int]]] = {
        "H<sub>2</sub>O": [("H", 0), ("2", LOWERED), ("O", 0)],
        "10<sup>3</sup> m": [("10", 0), ("3", RAISED), (" m", 0)],
        "so it is[^1].": [("so it is", 0), ("1", RAISED), (".", 0)],
        "[^1]: A book\nof two lines": [("1", RAISED), (" A book\u2028of two lines", 0)],
        "[^n]: https": [("n", RAISED), (" https", 0)],
        "a<br>b<br/>c": [("a\u2028b\u2028c", 0)],
        "<summary>More</summary>\n\ninside": [("More", STRONG)],
        "<sub>open": [("<sub>open", 0)],
        "<script>x</script>": [("<script>x</script>", 0)],
        "[^": [("[^", 0)],
    }
    wrong = {source: told for source, wanted in cases.items() if (told := [run[:2] for run in runs(source)]) != wanted}
    assert wrong == {}
    folds: dict[str, FoldStart | str] = {
        "<details>\n<summary>More</summary>\n\ninside": FoldStart("More"),
        "<details open><summary>**More** &</summary>": FoldStart("**More** &", is_open=True),
        "<DETAILS>\n  <summary><b>More</b> <code>x</code></summary>": FoldStart("More x"),
        "<details>": FoldStart(""),
        "- <details><summary>in a list</summary>": FoldStart("in a list", 1),
        "<details onclick=x><summary>a</summary>": "<details onclick=x><summary>a</summary>",
        "<details><summary><img src=x></summary>": "<details><summary><img src=x></summary>",
    }
    found: dict[str, object] = {}
    for source in folds:
        first = next(one for one in to_blocks(parse(source)) if not (isinstance(one, TextLine) and not one.runs))
        found[source] = plain_text(first.runs) if isinstance(first, TextLine) else first
    assert found == folds
    details = to_blocks(parse("<details><summary>More</summary>\n\ninside\n\n</details>\n\nafter"))
    assert [type(one) for one in details] == [FoldStart, TextLine, FoldEnd, TextLine]
