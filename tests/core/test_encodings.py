"""Bytes of files and pages become the text that was written, whatever encoding they name or do not name."""

from __future__ import annotations

import codecs

import pytest

from app.core.text.encodings import NoText, decoded

CHINESE = "合同编号 2026-17：甲方应于周五前付款。\n第二行 second line\n"
TRADITIONAL = "山裡的茶樹喜歡濕潤的氣候，春天採摘。價格與運費請看下表，數量不足時另行通知。\n"
JAPANESE = "東京は今日も晴れています。カメラの価格は 3,000 円です。\n"
KOREAN = "서울은 오늘 날씨가 맑습니다. 가격은 3000원이고 수량은 충분합니다.\n"
RUSSIAN = "Договор поставки № 17: оплата до пятницы. Second line.\n"
GREEK = "Η σύμβαση πληρώνεται μέχρι την Παρασκευή, ποσό 300.\n"
GERMAN = "Größe und Qualität: für Müller, außen größer – 30 °C\r\n"
FRENCH = "name,price\ncafé crème,3\nthé à la menthe,4\n"
POLISH = "Zażółć gęślą jaźń, proszę zapłacić w piątek.\n"
CODE = "def answer(self, text):\n    # 回退到 ReAct 模式\n    return self.steps[-1].text or fallback\n"
TABLE = "名称,规格,单价\nPPR冷热水管,dn20,3.50\n阀门,DN25,18\n"


def test_bytes_become_the_text_that_was_written() -> None:
    """(text, encoding it was written in, what it was declared as)."""
    cases: list[tuple[str, str, list[str]]] = []
    scripts = (CHINESE, TABLE * 20, "中文", "价格表", "plain ascii\n", TRADITIONAL, JAPANESE, KOREAN, RUSSIAN)
    for text in scripts:
        cases += [(text, name, []) for name in ("utf-8", "utf-8-sig", "utf-16", "utf-32")]
    for text in (
        CHINESE,
        CHINESE * 3000,
        CODE,
        TABLE,
        "价格表\n",
        "一线城市每晚不超过 600 元。",
        "深圳市南山区",
        "杭州西湖",
    ):
        cases += [(text, name, []) for name in ("gbk", "gb18030")]
    cases += [(text, name, []) for text in (CHINESE, TABLE, GERMAN, RUSSIAN) for name in ("utf-16-le", "utf-16-be")]
    cases += [
        (TRADITIONAL, "big5", []), (TRADITIONAL * 2000, "big5", []), (JAPANESE, "shift_jis", []),
        (JAPANESE, "euc_jp", []), (KOREAN, "euc-kr", []), (RUSSIAN, "cp1251", []),
        (RUSSIAN.replace("№", "#"), "koi8-r", []), (GREEK, "cp1253", []),
        (GERMAN, "cp1252", []), (GERMAN * 40, "cp1252", []), (FRENCH, "latin-1", []),
        (POLISH, "cp1250", []), ("Käse, Brötchen, Öl\n", "cp1252", []),
        ("naïve café\n", "latin-1", []),
        (CHINESE, "gbk", ["utf-8"]), (CHINESE, "utf-8", ["iso-8859-1"]), (CHINESE, "gbk", ["x-nobody", "gb2312"]),
        (CHINESE, "utf-8", ["utf-16"]), (CHINESE, "gbk", ["", "\x00"]), ("联通", "gbk", ["gb2312"]),
        (TRADITIONAL, "big5", ["big5"]), (POLISH, "iso-8859-2", ["iso-8859-2"]), (CHINESE, "utf-16-le", ["utf-16le"]),
    ]  # fmt: skip
    wrong = [
        f"{text[:12]!r} in {name}, declared {names}: {found[0][:20]!r} by {found[1]}"
        for text, name, names in cases
        if (found := _text_of(text.encode(name), names))[0] != text
    ]
    assert wrong == []


def _text_of(data: bytes, names: list[str]) -> tuple[str, str]:
    found = decoded(data, names)
    return found.text, found.encoding


def test_a_text_written_back_has_its_encoding_and_mark() -> None:
    marks = {"utf-8-sig": codecs.BOM_UTF8, "utf-16": codecs.BOM_UTF16_LE, "gbk": b"", "utf-8": b""}
    wrong = []
    for name, mark in marks.items():
        found = decoded(CHINESE.encode(name), exact=True)
        if found.mark != mark or found.encoded(found.text + "阀") != (CHINESE + "阀").encode(name):
            wrong.append(name)
    big_endian = codecs.BOM_UTF16_BE + CHINESE.encode("utf-16-be")
    found = decoded(big_endian)
    assert found.encoded(found.text) == big_endian
    assert wrong == []


def test_damage_costs_signs_not_the_file_and_no_text_is_said() -> None:
    cut, holed = (CHINESE * 30).encode("gbk")[:-1] + b"\xb8", (CHINESE * 300).encode()
    holed = holed[:300] + b"\xff\xfe" + holed[300:]
    assert decoded(cut).encoding == "gb18030"
    assert decoded((CHINESE * 30).encode()[: 30 * 40 + 1]).encoding == "utf-8"
    assert decoded(holed).text.count("\ufffd") == 2
    assert decoded(b"").text == ""
    for data in (
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" * 50,
        b"\0" * 500,
        bytes(range(1, 256)) * 20,
        b"MZ\x90\0\x03\0\0\0\x04",
    ):
        with pytest.raises(NoText):
            decoded(data)
    assert decoded(holed, exact=True).encoded(decoded(holed, exact=True).text) == holed, "no byte is lost"
