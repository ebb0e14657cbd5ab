"""Whose a thing, a body or a trait is in a Chinese clause."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

KIN_SAME = {
    "妻子": "太太 老婆 媳妇 夫人 内人 妻子",
    "丈夫": "老公 丈夫 相公 男人",
    "父亲": "爹 爸爸 老爸 阿爹 父亲 爸",
    "母亲": "娘 妈妈 老妈 阿娘 母亲 妈 娘亲",
    "哥哥": "兄长 大哥 二哥 三哥 亲哥 哥哥 胞兄 哥",
    "弟弟": "胞弟 亲弟弟 亲弟 小弟 弟弟",
    "姐姐": "大姐 二姐 亲姐 胞姐 姐姐",
    "妹妹": "亲妹妹 亲妹 胞妹 小妹 妹妹",
    "儿子": "长子 次子 独子 小儿子 大儿子 二儿子 亲儿子 儿子",
    "女儿": "闺女 长女 独女 小女儿 大女儿 亲女儿 女儿",
    "爷爷": "祖父 爷爷",
    "奶奶": "祖母 奶奶",
    "外公": "姥爷 外祖父 外公",
    "外婆": "姥姥 外祖母 外婆",
    "师父": "师傅 师父",
    "徒弟": "弟子 徒弟 徒儿",
    "叔叔": "叔父 叔叔",
    "表哥": "表兄 表哥",
    "表弟": "表弟",
    "表姐": "表姐",
    "表妹": "表妹",
    "堂哥": "堂兄 堂哥",
    "堂弟": "堂弟",
    "堂姐": "堂姐",
    "堂妹": "堂妹",
    "舅舅": "舅父 舅舅",
    "姑姑": "姑妈 姑姑",
    "姨妈": "姨母 阿姨 姨妈",
    "侄子": "侄儿 侄子",
    "侄女": "侄女",
    "外甥": "外甥",
    "孙子": "孙子",
    "孙女": "孙女",
    "养父": "义父 干爹 继父 养父 养母 义母 干娘 继母",
    "未婚妻": "未婚妻",
    "未婚夫": "未婚夫",
    "师兄": "师兄 师弟 师姐 师妹",
    "朋友": "同桌 室友 同学 同事 邻居 同伴 战友 搭档 对手 敌人 仆人 丫鬟 手下 部下 朋友 学生 老师 上司 老板 客人 病人",
}
KIN = {word: kin for kin, words in KIN_SAME.items() for word in words.split()}
KIN_WORDS = "|".join(sorted(KIN, key=len, reverse=True))
BLOOD = frozenset(
    "父亲 母亲 哥哥 弟弟 姐姐 妹妹 儿子 女儿 爷爷 奶奶 外公 外婆 叔叔 表哥 表弟 表姐 表妹 堂哥 "
    "堂弟 堂姐 堂妹 "
                  "舅舅 姑姑 姨妈 侄子 侄女 外甥 孙子 孙女".split())  # fmt: skip
_OTHERS = (
    "对方|那[个位名]?人|别人|人家|旁人|来人|老人|老者|老头|老太太|少年|少女|女人|男人|女孩|男孩|孩子|青年|姑娘|"
    "汉子|大汉|妇人|"
    "敌人|客人|掌柜|伙计|店小二|司机|护士|士兵|陌生人|乞丐|路人|众人|大家|他们|她们|它|谁|有人|某人|隔壁|邻家|"
    "对门|对面|其他人"
)
_OBJECT = re.compile(
    "(?:把|将|被|对|向|朝|给|跟|和|与|同|替|问|望|看|盯|瞪|瞧|见|到|着|像|比|抓|拉|拍|递|为|让|请|冲|遇|碰)$"
)


_NEAR = re.compile("(?:身边|身旁|旁边|对面|身后|面前|手下|背后|隔壁)的?")


class People:
    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names
        """Each name and alias with the name of its card."""

    @cached_property
    def _tokens(self) -> re.Pattern[str]:
        named = "|".join(re.escape(name) for name in sorted(self.names, key=len, reverse=True)) or "\0"
        return re.compile(
            f"(?P<name>{named})|(?P<kin>{KIN_WORDS})|(?P<other>{_OTHERS})|(?P<own>自己)|(?P<he>[他她](?!们))"
        )

    def first(self, text: str) -> str:
        match = next((one for one in self._tokens.finditer(text) if one["name"]), None)
        return self.names[match["name"]] if match is not None else ""

    def all_in(self, text: str) -> list[str]:
        return [self.names[one["name"]] for one in self._tokens.finditer(text) if one["name"]]

    def owner(self, clause: str, place: int, subject: str) -> str:
        """Of what stands at `place`; "" nobody who is known. A relative is called after the person whose he is:
        赵恒的妹妹. `subject`: whom the clause goes on about."""
        return self._walk(clause, place, subject)[0]

    def about(self, clause: str, subject: str) -> str:
        """Whom what follows a clause goes on about."""
        return self._walk(clause, len(clause), subject)[1]

    def names_somebody(self, clause: str) -> bool:
        return self._tokens.search(clause) is not None

    def _walk(self, clause: str, place: int, subject: str) -> tuple[str, str]:
        whose = about = subject
        end = -1
        if place < 0:
            match = self._tokens.match(clause, -place)
            return (self.names[match["name"]], about) if match is not None and match["name"] else ("", about)
        for match in self._tokens.finditer(clause, 0, place):
            before, rest = clause[: match.start()], clause[match.end() : place]
            joined = match.start() - end <= 1 and (match.start() == end or clause[end] in "的家")
            if match["kin"]:
                whose = f"{whose}的{KIN[match['kin']]}" if whose and (joined or end < 0 or whose == about) else ""
            elif match["other"]:
                whose = ""
            elif match["own"]:
                whose = about
            else:
                who = self.names[match["name"]] if match["name"] else about
                as_object = (
                    _OBJECT.search(before) is not None
                    and not rest.startswith("的")
                    and rest not in ("", "那", "那张", "那只")
                )
                whose = (whose or about) if as_object else who
                if not as_object and not rest.startswith(("的", "家")):
                    about = who
                if _NEAR.match(rest):
                    whose = ""
            end = match.end()
        return whose, about
