"""A book from a file: encodings, headings as books have them, gaps and duplicates, documents with headings."""

from __future__ import annotations

import io
import textwrap
import unicodedata
import zipfile

from app.core.errors import ToolError
from app.domains.novel.model.words import count_words
from app.domains.novel.reading.book_file import read_book
from app.domains.novel.reading.hard_wrap import unwrapped
from app.domains.novel.reading.headings import heading_of
from app.domains.novel.reading.numerals import heading_number
from app.domains.novel.reading.split import Split

CHINESE = (
    "书名：夜航\n\n目录\n第一章 起\n第二章 承\n第四章 转\n番外 一家\n\n序\n\n序的内容很长。\n\n第一卷 江湖\n\n"
    "第一章 起\n　　他走了。\n第二章的事我们后来才知道。\n第二章 承\n　　她来了，说：“第三章还没有写。”\n"
    "第四章 转\n　　天黑了，他们在这里等着。\n第二卷 庙堂\n第四章 合\n　　天亮了。\n番外 一家\n　　完了。\n"
)


def parts(split: Split) -> list[tuple[str, int | None, str, str]]:
    return [(part.kind, part.number, part.title, part.volume) for part in split.parts]


def test_a_chinese_book_is_split_alike_in_every_encoding() -> None:
    expected = [
        ("front", None, "", ""),
        ("front", None, "序", ""),
        ("chapter", 1, "起", "第一卷 江湖"),
        ("chapter", 2, "承", "第一卷 江湖"),
        ("chapter", 4, "转", "第一卷 江湖"),
        ("chapter", 4, "合", "第二卷 庙堂"),
        ("back", None, "番外 一家", "第二卷 庙堂"),
    ]
    faults = []
    for encoding in ("utf-8", "utf-8-sig", "gb18030", "utf-16", "utf-16-le", "utf-16-be"):
        book = read_book("书.txt", CHINESE.replace("\n", "\r\n").encode(encoding))
        if parts(book.split) != expected or book.damaged:
            faults.append((encoding, book.encoding, parts(book.split)))
    assert faults == []
    found = [(fault.code, fault.first) for fault in read_book("书.txt", CHINESE.encode()).split.faults]
    assert found == [("GAP", 3), ("DUPLICATE", 4)]


def test_lines_are_taken_for_headings_as_a_reader_takes_them() -> None:
    headings = {
        "第一章 夜雨": 1, "第1章：开始": 1, "　　第十二回　神游太虚境": 12, "【第五章 雪】": 5, "## 第六章 雪": 6,
        "正文 第七章 开端": 7, "第二百五十六节 归来": 256, "第廿三章": 23, "第壹佰零二章 灯": 102, "第１２章": 12,
        "Chapter 1": 1, "CHAPTER XII. The End": 12, "Chapter Twenty-One: Home": 21, "Chapter the First": 1,
        "CHAPTER IV.—The Road": 4, "卷三 少年": 3, "Part Two": 2, "第一部分": 1,
    }  # fmt: skip
    texts = (
        "第三章的内容我们都知道。", "第二天，他走了", "chapter one was great", "Part of the ship", "下部的人",
        "I am here",
        "第一次见面，是在雨里。", "序言很长。", "Chapter 3 they said", "第五回合结束了。",
    )  # fmt: skip
    faults = [(line, found) for line, n in headings.items() if (found := heading_of(line)) is None or found.number != n]
    faults += [(line, found) for line in texts if (found := heading_of(line)) is not None and found.is_sure]
    assert faults == []
    assert [heading_number(word) for word in ("一二", "一千零一", "両", "MCMXCIV", "twenty-one", "hello")] == [
        12, 1001, None, 1994, 21, None,
    ]  # fmt: skip


def test_an_english_book_has_its_titles_below_the_numbers_and_bare_numerals_count_where_they_go_on() -> None:
    titled = "A TALE\n\nPREFACE\n\nHello.\n\n" + "".join(
        f"CHAPTER {n}\n\nTHE {t}\n\nIt was dark. In chapter II it was not.\n\n"
        for n, t in (("I", "ROAD"), ("II", "HOUSE"), ("IV", "END"))
    )
    split = read_book("tale.txt", titled.encode()).split
    assert parts(split)[1:] == [
        ("front", None, "PREFACE", ""),
        ("chapter", 1, "ROAD".join(("THE ", "")), ""),
        ("chapter", 2, "THE HOUSE", ""),
        ("chapter", 4, "THE END", ""),
    ]
    assert [(fault.code, fault.first) for fault in split.faults] == [("GAP", 3)]
    bare = "\n\n".join(f"{n}\n\nHe had three things to do:\n1. run\n2. hide" for n in ("I", "II", "III"))
    assert [number for _kind, number, *_ in parts(read_book("b.txt", bare.encode()).split)] == [1, 2, 3]


def test_nothing_of_the_text_is_lost_and_a_rule_of_the_persons_is_used() -> None:
    split = read_book("书.txt", CHINESE.encode()).split
    joined = "".join("".join((part.heading, part.text)).replace("\n", "") for part in split.parts)
    kept = CHINESE.replace("第一卷 江湖\n\n", "").replace("第二卷 庙堂\n", "")
    assert "".join(joined.split()) == "".join(kept.split())
    days = read_book("d.txt", b"Day 1\nrain\nDay 2\nsun", rule="Day ").split
    assert [(part.heading, part.text) for part in days.parts] == [("Day 1", "rain"), ("Day 2", "sun")]
    codes = []
    for rule, text in (("", b"no headings here"), ("(", b"x"), ("(a+)+b", b"x"), ("", b"\0\1\2\0")):
        try:
            read_book("d.txt", text, rule=rule)
        except ToolError as error:
            codes.append(error.tool_code)
    assert codes == ["NO_CHAPTERS", "BAD_RULE", "BAD_RULE", "ENCODING"]


def test_documents_are_split_by_their_headings() -> None:
    import docx

    document = docx.Document()
    for title, text in (("第一章 起", "他走了。"), ("第二章 承", "她来了。")):
        document.add_heading(title, 1)
        document.add_paragraph(text)
    packed = io.BytesIO()
    document.save(packed)
    markdown = "# 夜航\n\n## 启程\n\n他走了。\n\n## 归来\n\n她来了。\n"
    epub = io.BytesIO()
    with zipfile.ZipFile(epub, "w") as archive:
        archive.writestr("META-INF/container.xml", '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
                         '<rootfiles><rootfile full-path="O/p.opf"/></rootfiles></container>')  # fmt: skip
        archive.writestr("O/p.opf", '<package xmlns="http://www.idpf.org/2007/opf"><manifest>'
                         '<item id="a" href="a.xhtml"/><item id="b" href="b.xhtml"/></manifest>'
                         '<spine><itemref idref="a"/><itemref idref="b"/></spine>'
                         "</package>")  # fmt: skip
        for name, title, text in (("a", "第一章 起", "他走了。"), ("b", "第二章 承", "她来了。")):
            page = (
                f'<html xmlns="http://www.w3.org/1999/xhtml"><body><h2>{title}</h2><p>{text}<br/>又</p></body></html>'
            )
            archive.writestr(f"O/{name}.xhtml", page)
    found = {
        "docx": [(part.title, part.text) for part in read_book("b.docx", packed.getvalue()).split.parts],
        "md": [(part.title, part.text) for part in read_book("b.md", markdown.encode()).split.parts if part.title],
        "epub": [(part.title, part.text) for part in read_book("b.epub", epub.getvalue()).split.parts],
    }
    assert found == {
        "docx": [("起", "他走了。"), ("承", "她来了。")],
        "md": [("启程", "他走了。"), ("归来", "她来了。")],
        "epub": [("起", "他走了。\n又"), ("承", "她来了。\n又")],
    }


def test_a_million_characters_are_split_with_progress() -> None:
    body = "　　他推开门，风从巷口吹进来，灯火一晃，墙上的影子也跟着晃了一晃。\n" * 100
    text = "".join(f"第{n}章 夜{n}\n{n}{body}" for n in range(1, 301))
    seen: list[tuple[int, int]] = []
    book = read_book("b.txt", text.encode("gb18030"), progress=lambda done, of: seen.append((done, of)))
    assert (len(book.split.parts), book.split.faults, len(text) > 1_000_000) == (300, [], True)
    assert len(seen) >= 5
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1]


def test_the_length_of_a_text_is_that_of_an_independent_count() -> None:
    """The openings of two books that belong to everybody, by the names the characters have in Unicode."""
    dream = (
        "此开卷第一回也。作者自云：因曾历过一番梦幻之后，故将真事隐去，而借“通灵”之说，撰此《石头记》一书也。"
        "故曰“甄士隐”云云。但书中所记何事何人？自又云：“今风尘碌碌，一事无成，忽念及当日所有之女子，"
        "一一细考较去，觉其行止见识，皆出于我之上。”"
    )
    pride = (
        "It is a truth universally acknowledged, that a single man in possession of a good fortune, must be in want of "
        "a wife. However little known the feelings or views of such a man may be on his first entering a "
        "neighbourhood, "
        "this truth is so well fixed in the minds of the surrounding families."
    )
    for text in (dream, pride, f"{dream}1813{pride}2026年"):
        count, is_word = 0, False
        for sign in text:
            name = unicodedata.name(sign, "")
            count += name.startswith(("CJK UNIFIED IDEOGRAPH", "CJK COMPATIBILITY IDEOGRAPH"))
            begins = not is_word and (name.startswith(("LATIN", "DIGIT")))
            count += begins
            is_word = name.startswith(("LATIN", "DIGIT"))
        assert count_words(text) == count


def test_a_text_is_as_long_as_its_characters_and_words() -> None:
    cases = {"他有3本iPhone手册，don’t worry。": 9, "": 0, "……——！？": 0, "２０２４年": 2, "a b-c": 3, "𠮷野家〇": 4}
    assert {text: count_words(text) for text in cases} == cases


def test_lines_broken_at_a_width_become_paragraphs() -> None:
    """Verses, headings and Chinese lines stay."""
    sentence = "It was a bright cold day in spring, and every clock along the river was striking the hour of one. "
    paragraph = "\n".join(textwrap.wrap(sentence * 9, 70))
    verse = "    Twinkle, twinkle, little bat!\n    How I wonder what you're at!"
    book = f"Chapter 1\n\n{paragraph}\n\n{verse}\n\nChapter 2\n\n{paragraph}\n\n{paragraph}\n\n{paragraph}\n"
    split = read_book("b.txt", book.encode()).split
    whole = (sentence * 9).strip()
    lines = [[line.strip() for line in part.text.split("\n") if line.strip()] for part in split.parts]
    assert lines == [[whole, *(line.strip() for line in verse.split("\n"))], [whole] * 3]
    chinese = "第一章\n\n" + "\n\n".join("他走了一程又一程，\n" * 60 for _ in range(2))
    assert unwrapped(chinese) == chinese
