"""Prices and quantities as people write them, as exact decimals. What has two meanings is none."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal, InvalidOperation

_SIGNS = {"¥": "CNY", "￥": "CNY", "元": "CNY", "圆": "CNY", "rmb": "CNY", "cny": "CNY", "人民币": "CNY", "us$": "USD",
          "$": "USD", "usd": "USD", "美元": "USD", "美金": "USD", "€": "EUR", "eur": "EUR", "欧元": "EUR", "£": "GBP",
          "gbp": "GBP", "英镑": "GBP", "hk$": "HKD", "hkd": "HKD", "港币": "HKD", "港元": "HKD", "jpy": "JPY",
          "日元": "JPY", "nt$": "TWD", "twd": "TWD", "台币": "TWD", "新台币": "TWD"}  # fmt: skip
_SIGN = re.compile("|".join(re.escape(sign) for sign in sorted(_SIGNS, key=len, reverse=True)), re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?\d[\d.,'\s]*\d|[-+]?\d|[-+]?\.\d+")
_TIMES = re.compile(r"^[x×*＊X]\s*(?=\d)")
_LEAD = re.compile(
    r"\s*(?:约|仅|只要|特价|现价|优惠价|批发价|零售价|单价|价格|售价|含税|不含税|now|from|ca\.?|approx\.?|≈|~)?"
    r"\s*[:：]?\s*",
    re.IGNORECASE,
)
"""What may be before the number of a price."""
_WORDS = {"半打": 6, "一打": 12, "两打": 24, "dozen": 12, "a dozen": 12}
_CHINESE = {"零": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_TENS = {"十": 10, "百": 100, "千": 1000, "万": 10_000}


def currency_of(text: str) -> str:
    """The currency a text names, "" where none is."""
    match = _SIGN.search(unicodedata.normalize("NFKC", text))
    return _SIGNS[match.group().lower()] if match else ""


def price(text: str) -> Decimal | None:
    """`¥1,234.50`, `1.234,50 €`, `３．５元/米`, `3.5起`; a range, a word or a negative amount is no price."""
    flat = unicodedata.normalize("NFKC", text).strip().replace("\u2212", "-")
    flat = _SIGN.sub(" ", flat).strip()
    flat = re.split(r"/|每|per\b", flat, maxsplit=1)[0].strip()
    numbers = _NUMBER.findall(flat)
    if len(numbers) != 1 or re.search(r"\d\s*[-~～至到]\s*\d", flat):
        return None
    if _LEAD.fullmatch(flat[: flat.index(numbers[0])]) is None:
        return None  # a number in a name is no price
    value = _decimal(numbers[0])
    return value if value is not None and value >= 0 else None


def quantity(text: str) -> Decimal | None:
    """`100`, `×100`, `1,200 个`, `20 pcs`, `一百二十`, `两打`; None for what is no amount."""
    flat = unicodedata.normalize("NFKC", text).strip()
    if flat.lower() in _WORDS:
        return Decimal(_WORDS[flat.lower()])
    flat = _TIMES.sub("", flat)
    numbers = _NUMBER.findall(flat)
    if len(numbers) > 1 or re.search(r"\d\s*[-~至到]\s*\d", flat):
        return None
    if numbers:
        value = _decimal(numbers[0])
        if value is not None and re.match(r"^\s*万", flat.split(numbers[0], 1)[1]):
            value *= 10_000
        return value if value is not None and value >= 0 else None
    return _chinese(flat)


def unit_of(text: str) -> str:
    """What is behind the number of a quantity."""
    flat = unicodedata.normalize("NFKC", text).strip()
    match = re.search(r"[\d.]\s*([^\d\s.,;/×x*]{1,6})$", flat)
    return match.group(1) if match else ""


def _decimal(text: str) -> Decimal | None:
    bare = text.replace(" ", "").replace("\u00a0", "").replace("'", "").rstrip(".,")
    points, commas = bare.count("."), bare.count(",")
    if points and commas:
        last = max(bare.rfind("."), bare.rfind(","))
        bare = bare[:last].replace(".", "").replace(",", "") + "." + bare[last + 1 :]
    elif commas:
        groups = bare.lstrip("+-").split(",")
        is_grouped = 1 <= len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])
        if not is_grouped and commas > 1:
            return None
        bare = bare.replace(",", "" if is_grouped else ".")
    elif points > 1:
        groups = bare.split(".")
        if not all(len(group) == 3 for group in groups[1:]):
            return None
        bare = bare.replace(".", "")
    try:
        return Decimal(bare)
    except InvalidOperation:
        return None


def _chinese(text: str) -> Decimal | None:
    match = re.match(r"^[零一二两三四五六七八九十百千万]+", text)
    if not match:
        return None
    total = section = digit = 0
    for char in match.group():
        if char in _CHINESE:
            digit = _CHINESE[char]
        elif _TENS[char] == 10_000:
            total, section, digit = (section + digit) * 10_000, 0, 0
        else:
            section += (digit or 1) * _TENS[char]
            digit = 0
    return Decimal(total + section + digit)


def shown(value: Decimal) -> str:
    """Without an exponent and without trailing zeros."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
