"""A text with its plain form side by side: found in the plain one, replaced in the text itself."""

# ruff: noqa: E501 - lists of words: a group to a line reads best

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

_TRADITIONAL = dict(
    zip(
        "樂寶貝陽園幼兒學樓號歲爺媽姐哥弟妹爸奶蘭龍鳳麗偉傑軒澤藝詩語萱夢瑤雲飛東華國強軍輝靜婷敏潔瑩瓊嬌艷燕鶯馬陳張劉楊黃趙吳週徐孫"
        "鄭謝許鄧馮葉蔣餘蘇魯韋呂賈範鐘廣廈門區縣鎮鄉橋灣壩塢醫診師愛點豆圓糰團開氣風電話車劍銘鑫錦鋼鈺錢順穎願諾謹賢賀賴聰職聖",
        "乐宝贝阳园幼儿学楼号岁爷妈姐哥弟妹爸奶兰龙凤丽伟杰轩泽艺诗语萱梦瑶云飞东华国强军辉静婷敏洁莹琼娇艳燕莺马陈张刘杨黄赵吴周徐孙"
        "郑谢许邓冯叶蒋余苏鲁韦吕贾范钟广厦门区县镇乡桥湾坝坞医诊师爱点豆圆团团开气风电话车剑铭鑫锦钢钰钱顺颖愿诺谨贤贺赖聪职圣",
        strict=False,
    )
)  # fmt: skip
_HIDDEN = {"\u00ad", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u2060", "\ufeff"}
_LOOK_ALIKE = dict(zip("аеорсхуіѕјԁһкмтвнο", "aeopcxyisjdhkmtbho", strict=True))


@dataclass(frozen=True, slots=True)
class PlainText:
    plain: str
    places: tuple[int, ...]
    """For each plain character the index of its own in the text; one more at the end."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        return self.places[start], self.places[end - 1] + 1 if end > start else self.places[start]


def plain_text(text: str) -> PlainText:
    """Without accents, width, hidden characters and traditional forms; case is kept, since it tells names from words."""
    letters: list[str] = []
    places: list[int] = []
    for index, character in enumerate(text):
        if character in _HIDDEN or unicodedata.combining(character):
            continue
        for one in unicodedata.normalize("NFKD", character):
            if not unicodedata.combining(one):
                letters.append(_LOOK_ALIKE.get(one, _TRADITIONAL.get(one, one)))
                places.append(index)
    places.append(len(text))
    return PlainText("".join(letters), tuple(places))
