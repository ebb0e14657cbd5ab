"""Bytes as text: by their byte order mark, by the name they were declared with, as UTF-8, then by what they look like.

The one place that guesses. A guess decodes the beginning in every usual encoding and takes the one that makes the most
ordinary signs of it: common characters for East Asian encodings, letters within words for the others.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 64 * 1024
_WIDER = {
    "gb2312": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030", "iso-8859-1": "cp1252", "latin-1": "cp1252",
    "ascii": "cp1252", "us-ascii": "cp1252", "big5": "big5hkscs", "shift_jis": "cp932", "euc-kr": "cp949",
    "utf-16": "utf-16-le", "utf-32": "utf-32-le",
}  # fmt: skip
"""As browsers read them: the name stands for the larger set."""

_HAN = frozenset(
    "的一是不了在有和为这我他们个上来到时大地子说道中国人以会可也你对生能而得于着下自之年过发后作里用家方成所然多经"
    "去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日军者意无力它与长把机十民第公此已工使"
    "情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代"
    "内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何"
    "电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则"
    "听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让"
    "识候带导争运笔红黄蓝绿价单称号型码货库存含税备注元米只套大管线阀铁铜铝材料厂商售批零售销客户级弯头三通热冷丝付款"
    "約個們這來時國說會對發後經學現當動還進樣從實無與長機關點業將兩間問應戰體見產話內門兒員論處義認條氣題爾別變總電數"
    "報結務場計資統區隊決馬書則聽達難權設類據邊張該規術領確傳師觀讓識帶導爭運筆價單稱號碼貨庫備註隻裡濕潤採摘"
    "，。、：；！？「」（）《》“”　０１２３４５６７８９％"
)
_HANGUL = frozenset(
    "이다는의에을를가은고하지사로도한기어아리자그시인대나서정일수제해보부장과있전구주오세안게상만조스들우마방원생문동여학무동용성"
    "요면니습합국신적되했없것"
)
_LATIN = re.compile(
    r"(?<=[A-Za-z])[ß-öø-ÿ]{1,2}(?![^\x00-\x7f])|(?<![^\x00-\x7f])[À-ÖØ-öø-ÿ]{1,2}(?=[a-z])"
    r"|(?<![^\x00-\x7f])[\xa0£€§°±²³µ½×«»–—‘’“”…®©](?![^\x00-\x7f])"
)
"""Letters and signs that stand among ASCII by one or two; half a Chinese text is in longer runs."""
_SHARES = {
    "cyrillic": re.compile("[оеаинтсрвлкмдпу]"),
    "greek": re.compile("[Α-Ωά-ώ]{3,}"),
    "polish": re.compile("[ąćęłńóśźżáčďéěíňřšťúůýžőűăâîşţ]"),
    "kana": re.compile("[ぁ-んァ-ヶー]"),
}
_CANDIDATES = (
    "gb18030", "big5hkscs", "cp932", "euc_jp", "cp949", "utf-16-le", "utf-16-be", "cp1251", "koi8_r", "cp1253",
    "cp1250", "cp1252",
)  # fmt: skip
_FREQUENT = {"gb18030": (0xA1, 0xD8), "big5hkscs": (0xA4, 0xC7), "cp949": (0xB0, 0xC9)}
"""First bytes of the signs and characters in common use."""
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_WIDE_TEXT = re.compile("[\t\n\r -~\xa0-ÿ‐-…　-〿぀-ヿ㐀-鿿가-힣！-～]")


class NoText(ValueError):
    """The bytes are no text in any encoding that is known."""


@dataclass(frozen=True, slots=True)
class DecodedText:
    text: str
    """Without the mark."""
    encoding: str
    """Name of the codec that turns it into the same bytes, after `mark`."""
    mark: bytes = b""

    def encoded(self, text: str) -> bytes:
        """Another text in the form of this one. Signs the encoding does not have become question marks."""
        return self.mark + text.encode(self.encoding, "replace")


def decoded(data: bytes, names: Sequence[str] = (), *, exact: bool = False) -> DecodedText:
    """Raises NoText. `names` are encodings the bytes were declared with, the most reliable first.

    A few damaged signs are replaced; with `exact`, only a reading is taken that gives back every byte.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            content = _read(data[len(mark) :], encoding, mark, most_bad=1.0, exact=exact)
            if content is not None:
                return content
    is_utf8 = not data.isascii() and _read(data, "utf-8", most_bad=0.0)
    for name in names:
        codec = _codec(name)
        if codec.startswith(("utf-16", "utf-32")) and b"\0" not in data[:_SAMPLE]:
            continue  # said within the page, in signs of one byte
        if is_utf8 and codec.startswith("cp125"):  # what servers say of pages they know nothing of
            return is_utf8
        if codec and (content := _read(data, codec, most_bad=0.01, exact=exact)) is not None:
            return content
    wide = _wide(data[:_SAMPLE])
    if wide and (content := _read(data, wide, most_bad=0.01, exact=exact)) is not None:
        return content
    if b"\0" in data[:_SAMPLE]:
        raise NoText
    if (content := is_utf8 or _read(data, "utf-8", most_bad=0.002, exact=exact)) is not None:
        return content
    if len(_CONTROLS.findall(data[:_SAMPLE])) * 20 > len(data[:_SAMPLE]):
        raise NoText
    for encoding in [*_guesses(data[:_SAMPLE]), "latin-1"]:
        if (content := _read(data, encoding, most_bad=0.02, exact=exact)) is not None:
            return content
    raise NoText


def _codec(name: str) -> str:
    try:
        codec = codecs.lookup(_WIDER.get(name.strip().lower(), name.strip())).name
        b"".decode(codec)
    except (LookupError, ValueError):
        return ""
    return codec


def _read(data: bytes, encoding: str, mark: bytes = b"", *, most_bad: float, exact: bool = False) -> DecodedText | None:
    """None where more than that share of the signs is not of the encoding."""
    try:
        text = data.decode(encoding, "strict" if exact else "replace")
        if exact and text.encode(encoding) != data:
            return None
    except UnicodeError:
        return None
    bad = text.count("\ufffd")
    # A file that was cut ends in the middle of a sign.
    is_cut = bad == 1 and text[-1] == "\ufffd" and len(text) > 1
    return DecodedText(text, encoding, mark) if is_cut or bad <= most_bad * len(text) else None


def _wide(head: bytes) -> str:
    """UTF-16 without a mark: zeros in every other byte, or in the line ends and figures of another script."""
    if len(head) < 4 or b"\0" not in head or (len(head) % 2 and len(head) < _SAMPLE):
        return ""
    even, odd, half = head[0::2].count(0), head[1::2].count(0), len(head) // 2
    if odd > half * 0.3 and even < half * 0.05:
        return "utf-16-le"
    if even > half * 0.3 and odd < half * 0.05:
        return "utf-16-be"
    plain = {name: _beginning(head, name) for name in ("utf-16-le", "utf-16-be")}
    shares = {name: len(_WIDE_TEXT.findall(text)) / max(1, len(text)) for name, text in plain.items()}
    best = max(shares, key=lambda name: shares[name])
    return best if shares[best] > 0.9 else ""


def _beginning(head: bytes, encoding: str) -> str:
    """ "" where it is not of that encoding; the head may end in the middle of a sign."""
    try:
        return codecs.getincrementaldecoder(encoding)("strict").decode(head)
    except UnicodeError:
        return ""


def _guesses(head: bytes) -> list[str]:
    """Encodings in which the bytes make ordinary text, the likeliest first."""
    ranks = {name: _rank(name, _beginning(head, name)) for name in _CANDIDATES}
    return sorted((name for name in _CANDIDATES if ranks[name] > 0), key=lambda name: -ranks[name])


def _rank(name: str, text: str) -> float:
    """The share of ordinary signs among those that are not ASCII."""
    beyond = sum(char > "\x7f" for char in text)
    if not beyond:
        return 0.0
    if name in ("cp1251", "koi8_r"):
        return 0.9 * len(_SHARES["cyrillic"].findall(text)) / beyond
    if name == "cp1253":
        return 0.8 * sum(map(len, _SHARES["greek"].findall(text))) / beyond
    if name == "cp1250":  # what it shares with cp1252 counts there
        return 0.6 * len(_SHARES["polish"].findall(text)) / beyond
    if name == "cp1252":
        return 0.9 * sum(map(len, _LATIN.findall(text))) / beyond
    usual = _HANGUL if name == "cp949" else _HAN
    share = sum(char in usual for char in text) / beyond
    if name in ("cp932", "euc_jp"):
        kana = len(_SHARES["kana"].findall(text)) / beyond
        share = share + 2 * kana if kana > 0.1 else 0.3 * share
    if name in _FREQUENT:
        frequent = _frequent(name)
        share += (
            (0.3 if name == "cp949" else 0.6) * sum(char in frequent and char not in usual for char in text) / beyond
        )
    return share + 0.05 * (name == "gb18030")


@cache
def _frequent(name: str) -> frozenset[str]:
    """The first of the two levels of characters that the standard itself makes."""
    first, last = _FREQUENT[name]
    pairs = (bytes((a, b)) for a in range(first, last) for b in range(0x40, 0xFF))
    signs = (pair.decode(name, "ignore") for pair in pairs if pair[1] >= 0xA1 or name == "big5hkscs")
    return frozenset(sign for sign in signs if len(sign) == 1 and not sign.isascii())
