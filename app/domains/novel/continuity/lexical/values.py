"""Values a book gives to the same thing twice: colours, materials, sides, directions, numbers and trades, each found by
the word lists and tied to the noun it belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...reading.numerals import CHINESE, heading_number
from .clauses import Cast, StoryClause
from .lexicon import KindLists, Sense, Word


@dataclass(frozen=True, slots=True)
class ValueClaim:
    owner: str
    """Whose; "" where the clause does not tell."""
    head: str
    group: str
    value: str
    clause: StoryClause
    pointed: bool = False
    """It is one that is told from others of its kind: 那匹马."""
    sure: bool = True
    """Two values cannot both be so."""
    changes: bool = False
    alone: bool = False
    """It needs no owner: there is one such thing in the book's world."""


_COLOURED = ("eye", "hair", "tool", "building", "vehicle", "animal", "furniture")
_MADE = ("tool", "building", "vehicle", "furniture")
_HEADS = {
    "colour": _COLOURED,
    "material": _MADE,
    "form": ("tool", "furniture", "building"),
    "animal_sex": ("animal",),
}
_GAP = re.compile(
    "(?:色|制|做|打|造|质|编|织|雕|铸|砌|漆|壳|柄|面|身|边|底|头|皮|把|顶|骨|鞘|"
    "刻|嵌|镶|包)*的?(?:[小大老旧破细粗长短厚薄高瘦胖圆方新]|漂亮|沉甸甸|结实)*的?"
    "(?:[一-鿿]{1,2}(?=$))?"
)
_IS = re.compile(
    "^(?:的?[一-鿿]{0,3}?)(?:分明|明明|竟|都|原)?(?:是|呈|乃|泛着|"
    "显出|是用|用|由)(?:一?[匹只条双块把头])?(?:[一-鿿]{0,2})$"
)
_ENDS = re.compile(
    "^(?:色|制|做|打|造|质|漆|雕|铸|砌|刻)*的?(?=$|[，。！；])|^(?:色|"
    "质|制)?的$|^(?:打|铸|雕|做|砌|制|造|盖|刻|削|磨)(?:的|成|就)"
)
_OTHER_ONE = re.compile(
    "另|别|新|又一|换|仿|假|赝|隔壁|邻|对面|对门|人家|铺子|店里|摊|"
    "街上|路边|路上|来人|对方|敌|那些|这些|几|许多|每|各|满|无数|"
    "一群|一排|两[匹只条把]|成群|远处|像|如|似|比|画|照片|梦|穿着|借来"
)
_POINTED = re.compile(
    "(?:那|这|此|自己的|祖传的?|唯一的?|其)(?:[一]?[把枚块张支条只匹辆本串面栋座扇顶件个艘口头根柄盏])?$"
)
_OWNER_ENDS = re.compile("[里上下中旁边前后外]的?[^，]{0,6}$")
_LIT = re.compile("月光|灯光|夕阳|霞|火光|阳光|日头|映|染|血|雪|霜|灰尘|落满|沾|气得|羞|哭|熬|冻|吓|涨|晒|泪|尘|烛")
_CHANGED = re.compile(
    "染[成了回过]|换[成了上]|改[成建漆]|变[成得作]|刷[成了]|漆[成了]|"
    "涂[成了]|重[建修铸刷漆]|翻修|修葺|粉刷|不再是|剪[了短掉成]|剃|"
    "留起|烫|白了|花白了|渐渐|日渐|长成|磨成|新[打做买盖]|假发|镀"
)
_N = rf"[0-9]{{1,4}}|[{CHINESE}]{{1,6}}"
_MEASURES = (
    "个|名|位|级|层|间|扇|匹|条|只|口|户|棵|株|根|座|艘|孔|进|栋|幢|阶|"
    "重|道|颗|头|把|封|枚|本|支|片|粒|亩|节|页|张|盏|块|丈|步|架|辆|眼"
)
_COUNT = re.compile(rf"(?P<n>{_N})(?P<about>多|余|来|几)?(?P<m>{_MEASURES})(?P<adj>[一-鿿]{{0,4}}?)$")
_IN_ALL = re.compile(
    "一共|共有|共|总共|拢共|统共|只有|就|唯一|足足|整整|有|是|生了?|"
    "收了?|教了?|养了?|得了|带了?|膝下|底下|拉扯大|乘|载着?|住着?|开了"
)
_PART = re.compile(
    "其中|又|另|来了|走[来出过]|进来|剩|还有|少了|多了|第|每|隔|挑|选|拿|取|头|最后|前|后|半|几|死了|丢|毁|"
    "烧|塌|从前|原来|本来|早先|以前|先前|卖|买|借|送|给|剥|吃|喝|抽|跑|爬[了上过]|走了|数到|上了|下了|拾|差"
)
_FIXED = frozenset("台阶 病床 房间 层 孔 柱 井 车厢 岛 门 窗 人口".split())
"""Counted of a place."""


_NEVER_LIT = ("material", "animal_sex")
"""These do not change with the light."""


def _is_no_material(value: Sense) -> bool:
    """金 of a watch is what it is made of, of hair its colour."""
    return value.group != "material"


class ValueReader:
    def __init__(self, lexicon: KindLists, cast: Cast) -> None:
        self._lexicon, self._cast = lexicon, cast

    def read(self, clause: StoryClause) -> Iterator[ValueClaim]:
        lasting = clause.told or clause.lasts
        bare = _ROOMS_IN_ALL.match(clause.text) if lasting else None
        if bare is not None and (rooms := heading_number(bare["n"])) is not None and rooms >= 4:
            yield ValueClaim("", "房间", "number", str(rooms), clause, alone=True)
        if not clause.words:
            return
        if lasting:
            yield from self._coloured(clause)
        if lasting:
            yield from self._counts(clause)
        if clause.told:
            yield from self._directions(clause)
            yield from self._works(clause)
        if lasting:
            yield from self._sides(clause)

    # ---- colours, materials, forms

    def _coloured(self, clause: StoryClause) -> Iterator[ValueClaim]:
        words, text = clause.words, clause.text
        lit = _LIT.search(text) is not None
        for at, word in enumerate(words):
            values = [one for one in word.meanings("value") if one.group in _HEADS]
            if lit:
                values = [one for one in values if one.group in _NEVER_LIT]
            if not values:
                continue
            noun = self._noun_of(words, at, text)
            if noun is None:
                continue
            head, first = noun
            for value in sorted(values, key=_is_no_material):
                sense = head.sense("noun", *_HEADS[value.group])
                if sense is None or (sense.group == "hair" and value.group == "material"):
                    continue
                if (
                    value.group == "colour"
                    and sense.group == "building"
                    and sense.word not in ("门", "塔", "房", "窗", "屋顶", "庙")
                ):
                    continue
                yield self._claim(
                    clause, sense.word, sense.group, value.group, value.word, head, min(first, word.start)
                )
                break

    def _noun_of(self, words: Sequence[Word], at: int, text: str) -> tuple[Word, int] | None:
        """The noun a value belongs to, and where its phrase begins."""
        value = words[at]
        if value.sense("noun", "hair", "eye") is not None and value.sense("value"):
            return value, value.start
        end, noun = value.end, None
        for word in words[at + 1 :]:
            gap = text[end : word.start]
            if len(gap) > 5 or _GAP.fullmatch(gap) is None:
                break
            if word.sense("noun") is not None:
                noun, end = word, word.end
                if text[end : end + 1] == "的" or not (text[end:] and any(one.start == end for one in words)):
                    break
            elif word.sense("value") is not None:
                if text[end : word.start] == "的":
                    break
                end = word.end
            else:
                break
        if noun is not None:
            return noun, value.start
        before = next((word for word in reversed(words[:at]) if word.sense("noun") is not None), None)
        if before is not None and _IS.match(text[before.end : value.start]) and _ENDS.match(text[value.end :] or ""):
            return before, before.start
        return None

    def _claim(
        self, clause: StoryClause, head: str, category: str, group: str, value: str, word: Word, first: int
    ) -> ValueClaim:
        lead = clause.text[:first]
        place = self._place_before(clause, first)
        owner = self._cast.people.owner(clause.text, first, clause.subject)
        pointed = _POINTED.search(lead) is not None
        personal = category in ("eye", "hair")
        if personal:
            changed = _CHANGED.search(clause.sentence.text) is not None
            return ValueClaim(owner, head, group, value, clause, pointed, True, changed)
        if category == "building":
            whole = "房" if group == "material" and head in ("房", "塔") and place else head
            return ValueClaim(place or "", whole, group, value,
                         clause, pointed, bool(place), _CHANGED.search(clause.text) is not None)  # fmt: skip
        if _OTHER_ONE.search(lead[-8:]) or _OTHER_ONE.search(clause.text[first : word.start]):
            owner = "?"
        elif _OWNER_ENDS.search(lead) and not re.search(
            "(?:腰|怀|手|头|腕|颈|身|肩|背|胸|指|鬓|发)[间里中上前边]", lead[-8:]
        ):
            owner = ""
        return ValueClaim(owner, head, group, value, clause, pointed, False, _CHANGED.search(clause.text) is not None)

    def _place_before(self, clause: StoryClause, until: int) -> str:
        named = [one for one in clause.words if one.end <= until and one.sense("place")]
        if not named:
            return ""
        sense = named[-1].sense("place")
        return sense.word if sense is not None else ""

    # ---- directions

    def _directions(self, clause: StoryClause) -> Iterator[ValueClaim]:
        words, text = clause.words, clause.text
        for at, word in enumerate(words):
            value = word.sense("value", "direction")
            if value is None:
                continue
            after = text[word.end :]
            nouns = [(one, one.sense("noun", "building")) for one in words[:at]]
            named = [(one, sense) for one, sense in nouns if sense is not None]
            if after.startswith("的"):
                ahead = next((one for one in words[at + 1 :] if one.start <= word.end + 3), None)
                sense = ahead.sense("noun", "building") if ahead is not None else None
                if ahead is not None and sense is not None:
                    named = [(ahead, sense)]
            if not named or re.search("走|去|跑|望|看|飞|驶|行|窜|奔|一指|开去", after[:3]):
                continue
            head, sense = named[-1]
            inside = named[-2][1].word if len(named) > 1 and text[named[-2][0].end : head.start] in ("的", "") else ""
            owner = inside or self._place_before(clause, head.start)
            people = self._cast.people.owner(text, head.start, clause.subject if sense.word == "房" else "")
            yield ValueClaim(owner or people, sense.word, "direction", value.word, clause, False, bool(owner or people),
                        re.search("改|封|堵|新开|重[建修]|搬|背阴", text) is not None, alone=not owner)  # fmt: skip

    # ---- sides of marks and wounds

    def _sides(self, clause: StoryClause) -> Iterator[ValueClaim]:
        words, text = clause.words, clause.text
        for at, word in enumerate(words):
            side = word.sense("value", "side")
            if side is None or at + 1 >= len(words):
                continue
            limb_word = words[at + 1]
            limb = limb_word.sense("noun", "limb")
            if limb is None or limb_word.start - word.end > 1:
                continue
            mark = next((one.sense("noun", "mark") for one in words if one.sense("noun", "mark")), None)
            owner = self._cast.people.owner(text, word.start, clause.subject)
            if mark is not None and re.search("没有|不见|不是", text) is None:
                yield ValueClaim(
                    owner,
                    f"{limb.word}上的{'伤' if mark.word in ('疤', '伤') else mark.word}",
                    "side",
                    side.word,
                    clause,
                )
            elif _LOST_LIMB.search(text[limb_word.end :] or "") or _LOST_LIMB_BEFORE.search(text[: word.start]):
                yield ValueClaim(owner, f"伤残的{limb.word}", "side", side.word, clause)
                yield ValueClaim(owner, f"健全的{limb.word}", "sound", side.word, clause)
            elif _HURT.search(text) is not None and _NO_HURT.search(text) is None:
                yield ValueClaim(owner, f"{limb.word}上的伤", "side", side.word, clause)
            elif limb.word in ("眼", "手", "腿", "耳朵") and _WORKS_LIMB.search(text[limb_word.end :][:8]):
                yield ValueClaim(owner, f"健全的{limb.word}", "sound", "!" + side.word, clause)

    # ---- numbers

    def _counts(self, clause: StoryClause) -> Iterator[ValueClaim]:
        for word in clause.words:
            noun = word.sense("noun", "counted")
            if noun is None:
                continue
            match = _COUNT.search(clause.text[max(0, word.start - 14) : word.start])
            if (
                match is None
                or "几" in match["n"]
                or (match["n"] in ("半", "一") and noun.word not in ("儿子", "女儿"))
            ):
                continue
            amount = heading_number(match["n"])
            if amount is None or (noun.word == "层") != (match["m"] == "层"):
                continue
            first = max(0, word.start - 14) + match.start()
            lead = clause.text[:first]
            if _PART.search(lead[-6:]) or _PART.search(match["adj"]):
                continue
            place = self._place_before(clause, first)
            whole = _IN_ALL.search(lead[-5:]) is not None or lead.endswith(("那", "这", "的"))
            fixed = noun.word in _FIXED
            kin = noun.word in ("儿子", "女儿", "孩子", "兄弟", "姐妹", "哥哥", "弟弟", "妹妹", "姐姐", "弟子")
            if not (whole or fixed) or (kin and amount > 60):
                continue
            owner = place or (self._cast.people.owner(clause.text, first, clause.subject) if kin else "")
            if kin and not owner:
                continue
            if kin and amount == 1 and noun.word in ("儿子", "女儿") and _ONE_ALONE.search(lead):
                yield ValueClaim(owner, "独生的孩子", "form", noun.word, clause)
            rounded = bool(match["about"]) or "来" in match["adj"]
            value = f"{amount}" + ("+" if rounded else "")
            alone = fixed and amount >= 4 and match["m"] != "扇" and noun.word != "门"
            yield ValueClaim(
                owner,
                noun.word,
                "number",
                value,
                clause,
                False,
                bool(owner) and whole,
                _GREW.search(clause.text) is not None,
                alone,
            )

    # ---- trades

    def _works(self, clause: StoryClause) -> Iterator[ValueClaim]:
        words, text = clause.words, clause.text
        for word in words:
            value = word.sense("value", "work")
            if value is None:
                continue
            lead = text[: word.start]
            match = _IS_A.search(lead)
            if match is None or _NOT_NOW.search(text) or not re.match("$|[的了，。；]", text[word.end :]):
                continue
            if text[word.end :].startswith("的"):
                continue
            owner = self._cast.people.owner(text, match.start(), clause.subject)
            if owner:
                yield ValueClaim(
                    owner,
                    "职业",
                    "work",
                    value.word,
                    clause,
                    False,
                    False,
                    _NEW_WORK.search(clause.sentence.text) is not None,
                )


_ROOMS_IN_ALL = re.compile(rf"^[ \u3000]*(?:统共|一共|总共|拢共|共|足足|整整)有?(?P<n>{_N})间[。]?$")
"""一排土坯房，统共六间."""
_ONE_ALONE = re.compile("(?:只|就|仅|统共|总共|一共|唯一)(?:有|得了?|生了?|养了?|剩下?了?)(?:这么)?$")
_LOST_LIMB = re.compile(
    "^(?:早[就已]?|[也都]|就|在[^，]{1,10}(?:[里中时后]|那年)|在[^，]{1,10}那年被[^，]{1,6}|被[^，]{1,8}|从小|天生|年轻时[^，]{0,8}|那年[^，]{0,6})?"
    "(?:瞎|失明|盲|断了|瘸|跛|残|废|聋|没了|[一-鿿]{0,2}瞎了|[一-鿿]{0,2}断了|"
    "[一-鿿]{0,2}废了|听不[见到清]|看不[见到清]|空荡荡|是假的?|装着假|戴着眼罩|蒙着|蒙了)"
)
_HURT = re.compile(
    "削去|削掉|弹片|打伤|打断|砍伤|划伤|割伤|刺伤|咬伤|烫伤|烧伤|"
    "摔伤|扭伤|受[了过]?伤|中了?[一]?[枪箭刀]|骨折|发炎|缠着|绷带"
)
_NO_HURT = re.compile("没有?|不|好好的|完好")
_LOST_LIMB_BEFORE = re.compile(
    "(?:瞎了|失去了?|断了|没了|瘸了|跛了|残了|废了|少了|缺了|打断了?|"
    "砍断了?|伤了|摔断了?|炸断了?|只剩下?一?[只条]?空荡荡的|空荡荡|空空|凹陷)的?$"
)
_WORKS_LIMB = re.compile(
    "^(?:[里中]?[^，]{0,2}(?:闪|亮|眨|转|盯|瞪|眯|瞄)|抄起|抓[起住着]|"
    "握[着住紧]|拎|提[着起]|举起|一[挥扬]|拔|拿着|捏|持|执|攥|端)"
)
_GREW = re.compile("又[收生添买盖]|添了|多了|新收|扩|加盖|少了|走了|死了|拆|塌|烧|翻修|改建|重修|新修")
_IS_A = re.compile(
    "(?:(?<![不可要但就只还算若总])是|当|做|干|身为|作为|成了)(?:了|着|过)?(?:一|这|那)?(?:个|名|位)?[^，。]{0,8}?$"
)
_NOT_NOW = re.compile(
    "不是|不再|想[当做]|要[当做]|曾|以前|从前|像|原来|本来|打算|将来|长大|假扮|冒充|扮|装作|"
    "如果|以为|请|找|叫来|听|问|说|认识|看|的(?:父亲|母亲|爹|娘|丈夫|妻子|哥哥|弟弟|儿子|女儿)"
)
_NEW_WORK = re.compile("改行|转行|辞|升|退休|考上|毕业|改[做当]|后来|调|当上|成了|从此|如今")
