"""What a sentence states of a person or a thing, by the forms such statements have: eyes, hair, hand, age, scars, kin,
what somebody cannot do, what a thing is made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..reading.numerals import CHINESE, heading_number
from . import english, relatives, traits
from .sentences import StorySentence, clauses_of, told_clauses

COLOURS = (
    "漆黑|乌黑|黑|雪白|花白|银白|白|棕|褐|碧蓝|湛蓝|蓝|碧绿|墨绿|绿|碧|深灰|浅灰|灰|琥珀|金|火红|枣红|红|紫|银|青|栗|黄"
)
SAME_COLOUR = {
    "漆黑": "黑",
    "乌黑": "黑",
    "碧蓝": "蓝",
    "湛蓝": "蓝",
    "碧绿": "绿",
    "墨绿": "绿",
    "碧": "绿",
    "深灰": "灰",
    "浅灰": "灰",
    "雪白": "白",
    "银白": "白",
    "花白": "白",
    "火红": "红",
    "枣红": "红",
    "褐": "棕",
    "栗": "棕",
}
_NUMBER = rf"[0-9]{{1,3}}|[{CHINESE}]{{1,4}}"
_EYES = re.compile(rf"(?P<v>{COLOURS})色?的?(?:大|小|一)?(?:眼睛|眼眸|眸子|双眼|眼珠|瞳孔|瞳仁|双眸|瞳)")
_EYES_AFTER = re.compile(rf"(?:眼睛|眼眸|眸子|眼珠|瞳孔|瞳仁|双眸)是?(?P<v>{COLOURS})色")
_HAIR = re.compile(rf"(?P<v>{COLOURS})色?的?(?:长发|短发|头发|发丝|卷发|马尾|辫子|秀发|发(?=[，。披]))")
_LEFT = re.compile("左撇子|惯用左手|习惯用左手|左利手")
_RIGHT = re.compile("右撇子|惯用右手|习惯用右手|右利手")
_TOOL = "豆腐|菜|肉|剑|刀|笔|枪|筷|毛笔|匕首|弓|斧|锤|菜刀|钢笔"
_HAND = re.compile(
    rf"(?P<v>[左右])手(?:[一反紧稳]?[持握执提使拔挥]|拿[着起]|抽出|夹|写)(?:着|起|住|出|"
    rf"了)?.{{0,5}}(?:{_TOOL}|字)|用(?P<w>[左右])手[^，。]{0, 4}?(?:写|拿笔|使剑|使刀|握笔|握剑|执笔|持剑|夹)"
    "|(?P<x>[左右])手在[^，。]{1,8}(?:写|画|签|记)|(?:剑|刀|笔|枪)[^，。]{0,3}(?:握|拿|持|提|攥)在(?P<y>[左右])手"
)
_LIMB = re.compile(
    "(?:瞎了|失明的?|盲了|断了|失去了?|没了|瘸了|跛了|残了|废了)的?(?P<v>[左右])(?P<part>眼|臂|手|腿|脚|"
    "耳)|(?P<w>[左右])(?P<p2>眼|臂|手|腿|脚|耳)(?:早[就已]|[也都]|在[^，。]{1,10}[里中时后]|被[^，。]{1,8}|"
    "从小|天生)?"
    "(?:瞎|失明|盲|断了|瘸|跛|残|废|聋|[炸打震弄]聋|[炸打刺弄]瞎|听不[见到清]|看不[见到清])"
)
_AGE = re.compile(rf"(?:今年|刚满|刚过|年方|年仅|才|已经?|正好|现年|年)?(?P<v>{_NUMBER})岁(?!月|的时候|那年|时)")
_AGE_BARE = re.compile(
    r"(?:今年|刚满|年方|现年|虚岁)(?:才|已经?|刚|都|就)?(?P<v>[0-9]{2}|[二三四五六七八九]?十[一二三四五六七八九]?)(?=[，。；了]|$)"
)
_NO_AGE = re.compile("不到|不止|比|看上去|看起来|像|骗|谎|自称|至少|装作|冒充")
_AGE_PAST = re.compile(rf"(?:{_NUMBER})岁(?:那年|时|的时候|之前|以前|起|开始|上)")
_KIN = "父亲|母亲|爹|娘|妻子|丈夫|师父|师傅|儿子|女儿|哥哥|姐姐|弟弟|妹妹|祖父|祖母|爷爷|奶奶|未婚妻|未婚夫"
_ONLY = re.compile(
    "独生子|独生女|独子|独女|没有?(?:任何|什么)?(?:亲)?(?:兄弟姐妹|兄弟姊妹|手足)|(?:从小)?(?:没有|"
    "无)(?P<kin>哥哥|姐姐|"
    "弟弟|妹妹|兄弟|姐妹|儿子|女儿|孩子)"
)
_SIBLING = re.compile(
    "(?<![表堂师干义学族远道友盟])(?P<kin>亲?(?:哥哥|姐姐|弟弟|妹妹|大哥|二哥|大姐|二姐|胞弟|胞兄|胞妹|胞姐))"
)
_OPENING = re.compile(
    "^(?:其实|原来|只见|此时|这时候?|那时候?|可是?|但是?|不过|而|于是|后来|如今|现在|就见)+(?=[他她])"
)
_OF_KIN = re.compile(
    rf"[他她](?:的|家)?(?:{_KIN}|[表堂][兄弟姐妹哥]|叔父|叔叔|伯父|舅舅|姑姑|姨|外婆|外公|朋友|同学|邻居|同事|"
    rf"徒弟)(?![一-鿿]{{0,2}}[给对跟])"
)
_SAME_PERSON = (
    "这孩子",
    "那孩子",
    "这小子",
    "那小子",
    "这丫头",
    "这家伙",
    "这位",
    "此人",
    "这人",
    "这个人",
    "这名",
    "这女人",
    "这男人",
    "这姑娘",
    "这老头",
)
"""Begins a clause about whoever was named last."""
_ELDERS = "哥姐弟妹兄"
_OTHERS = re.compile("[一-鿿]{1,4}的$|(?:人家|别人|邻居|同学|朋友|老板|师父|对方)")
_BORN = re.compile(
    "(?:出生在|出生于|生于|生在|老家在|故乡是|故乡在|籍贯是?|祖籍是?|来自|"
    "是土生土长的)(?P<v>[一-鿿]{2,4}?)(?=人|[，。的、；]|$)|"
    "是(?!江湖)(?P<w>[一-鿿]{1,2}[东西南北州京津海江城阳安川湖港庆宁沙])人(?=[，。]|$)"
)
_COUNT = re.compile(
    rf"(?:有|带了|收了|教了|生了|养了|一共|共有|总共)(?P<v>{_NUMBER})个?(?P<kind>儿子|女儿|孩子|兄弟|姐妹|"
    rf"徒弟|弟子|哥哥|姐姐|弟弟|妹妹)"
)
CHANGES = re.compile(
    "染[成了回过]?|换成|换了|改成|变成|变得|变作|已经?不再|后来|从此|自从|长成|戴上|美瞳|"
    "隐形眼镜|受了?伤|只好用|不得不用|伤了|断了|缠着|绷带|肿|不便|学会|"
    "练成|学了|终于能|破了?戒|破例|过继|认了|收养|改姓|改名|搬到|迁到|重建|重修|重铸|修好|"
    "修补|找回|另一|又一|新买|仿|赝|(?<!是)假(?![肢腿手眼牙])"
)
_COLOURED_BY = re.compile("哭|熬|充血|泪|灯|火光|月光|夕阳|霞|映|阳光|雪光|雨|落满|沾满|尘|面粉|气红|通红|发红|染")
_SHORT = re.compile(
    "(?:少了|缺了|断了|没有|失去了?|只剩)(?P<n>[一二两三四五半])(?P<k>根手指|截手指|只手|条胳膊|条腿|"
    "只眼睛?|只耳朵|颗门牙)"
)
_SIDED = re.compile(
    "(?P<v>[左右])(?P<part>手|腿|脚|臂|眼|耳)(?:上)?的?(?:少了|缺了|是(?:一?[只条])?假|装着?假|"
    "戴着?(?:一?[副只])?(?:假|义)|的?假肢|的?义肢)"
)
_WORKS = (
    "医生|护士|老师|教师|律师|记者|警察|厨师|司机|工程师|程序员|飞行员|宇航员|地质学家|会计|裁缝|铁匠|木匠|"
    "猎人|渔夫|郎中|大夫|"
    "镖师|捕快|秀才|书生|和尚|道士|画家|歌手|演员|作家|法医|侦探|军人|士兵|将军|商人|掌柜|船长|水手|教授|"
    "学生|药剂师|机械师"
)
_WORK = re.compile(
    rf"(?:是|当|做|身为|作为)(?:了|着|过)?(?:一|这|那|本)?(?:个|名|位|里|站里|村里|镇上|城里|县里|店里|船上|"
    rf"队里|院里|学校|公司)*的?"
    rf"[一-鿿]{{0,3}}?(?P<v>{_WORKS})(?=[，。；、]|$)"
)


@dataclass(frozen=True, slots=True)
class StoryStatement:
    subject: str
    attribute: str
    value: str
    sentence: StorySentence
    place: int
    changes: bool
    """It tells that something has become different: what was said before ends here."""
    weak: bool = False
    """What differs may well be so: a warning and no error."""


Extract = Callable[[str], Iterator[tuple[str, str]]]


def _first(match: re.Match[str], *names: str) -> str:
    return next((match[name] for name in names if match[name]), "")


def _states(clause: str) -> Iterator[tuple[str, str]]:
    """Attribute and value of what a clause says of its subject."""
    coloured = _COLOURED_BY.search(clause) is not None
    for form in (_EYES, _EYES_AFTER):
        if (match := form.search(clause)) and not coloured:
            yield "眼睛", SAME_COLOUR.get(match["v"], match["v"])
    if (match := _HAIR.search(clause)) and not re.search("雨|落满|沾满|尘|雪花|面粉", clause):
        yield "头发", SAME_COLOUR.get(match["v"], match["v"])
    if _LEFT.search(clause):
        yield "惯用手", "左"
    elif _RIGHT.search(clause):
        yield "惯用手", "右"
    elif (match := _HAND.search(clause)) and "双手" not in clause and "左右手" not in clause:
        yield "惯用手", _first(match, "v", "w", "x", "y")
    if match := _LIMB.search(clause):
        yield f"伤残的{_first(match, 'part', 'p2')}", _first(match, "v", "w")
    if (
        (match := _AGE.search(clause) or _AGE_BARE.search(clause))
        and not _AGE_PAST.search(clause)
        and not _NO_AGE.search(clause)
    ):
        number = heading_number(match["v"])
        if number is not None and "几" not in clause[max(0, match.start() - 2) : match.end()] and "来岁" not in clause:
            yield "年龄", str(number)
    if match := _BORN.search(clause):
        yield "出生地", _first(match, "v", "w").removesuffix("城").removesuffix("县").removesuffix("省")
    if match := _COUNT.search(clause):
        yield f"{match['kind']}的数目", str(heading_number(match["v"]) or match["v"])
    yield from _lacks(clause)
    if match := _ONLY.search(clause):
        yield (f"有{match['kin']}" if match["kin"] else "有兄弟姐妹"), "无"


def _lacks(clause: str) -> Iterator[tuple[str, str]]:
    """What somebody has no more, does not take, and works as."""
    if (match := _SHORT.search(clause)) and not re.search("没有[一两]", clause):
        yield f"残{match['k'][-2:]}", match["n"]
    if match := _SIDED.search(clause):
        yield f"残{match['part']}", match["v"]
    if (match := _WORK.search(clause)) and not re.search("不是|曾|以前|从前|想|要|像|原来|本来|打算|将来|长大", clause):
        yield "职业", {"大夫": "医生", "郎中": "医生", "教师": "老师"}.get(match["v"], match["v"])


_NAMED_KIN = re.compile(rf"(?:的|他|她)(?P<kin>{_KIN})(?:名叫|叫做|叫|是|便是|就是|，)?(?P<v>[一-鿿]{{2,3}})")


def of_persons(sentence: StorySentence, names: dict[str, str], last: str = "") -> Iterator[StoryStatement]:
    """`names`: each name and alias with the name of its card; `last`: who the sentence before was about, for a clause
    that begins with 他 or 她."""
    if english.is_english(sentence.text):
        return
    if sentence.lasts:
        yield from _lasting(sentence, names, last)
    changed = CHANGES.search(sentence.text) is not None
    subject = sentence.speaker or ""
    for start, spoken in told_clauses(sentence):
        clause = _by_speaker(spoken, sentence)
        if _is_of_unnamed(clause, sentence):
            continue
        whose, of_other = _subject(clause, names, subject or last)
        of_other = of_other or _is_of_kin(clause, names)
        subject = whose or subject
        about = whose or subject
        if not about:
            continue
        if not of_other:
            for attribute, value in _states(clause):
                yield StoryStatement(about, attribute, value, sentence, start, changed and attribute != "年龄")
        sibling = _SIBLING.search(clause)
        if sibling is not None and _is_own(about, clause, sibling.start()):
            yield StoryStatement(about, "有兄弟姐妹", "有", sentence, start, changed)
            word = sibling["kin"].removeprefix("亲")
            yield StoryStatement(about, f"有{word}", "有", sentence, start, changed)
        own = [name for name, card in names.items() if card == about]
        for relation, value in relatives.states(own, clause, of_other):
            is_change = changed or relatives.CHANGES.search(sentence.text) is not None
            yield StoryStatement(about, relation, value, sentence, start, is_change)
        for match in _NAMED_KIN.finditer(clause):
            if match["v"] in names and names[match["v"]] != about:
                yield StoryStatement(about, match["kin"], names[match["v"]], sentence, start, changed)


def _is_of_kin(clause: str, names: dict[str, str]) -> bool:
    """说他表弟有一双… is about the cousin; a kin with a name is somebody of the book."""
    return _OF_KIN.search(clause) is not None and not any(name in clause for name in names if len(name) > 1)


_APPOSED = re.compile(
    rf"的?(?:{_KIN}|媳妇|太太|老婆|夫人|长子|次子|独子|独女|闺女|孙子|孙女|侄子|外甥|徒弟|"
    rf"搭档|同事)"
)


def _apposed(rest: str, names: dict[str, str]) -> str | None:
    """Of 罗承业的媳妇沈素娥 she; `rest` is what stands behind the first name."""
    match = _APPOSED.match(rest)
    if match is None:
        return None
    behind = rest[match.end() :]
    return next((card for name, card in names.items() if behind.startswith(name)), None)


def _lasting(sentence: StorySentence, names: dict[str, str], last: str) -> Iterator[StoryStatement]:
    """What is so to this day, whether it is remembered or not (`traits`)."""
    changed, subject = CHANGES.search(sentence.text) is not None, sentence.speaker or ""
    for start, spoken in clauses_of(sentence):
        clause = _by_speaker(spoken, sentence)
        if _is_of_unnamed(clause, sentence):
            continue
        whose, of_other = _subject(clause, names, subject or last)
        of_other = of_other or _is_of_kin(clause, names)
        subject = about = whose or subject
        for family, attribute, value in traits.counted(clause):
            whole = family or about[:1] or traits.family_in(clause)
            if whole:
                yield StoryStatement(whole, attribute, value, sentence, start, changed)
        if not about and sentence.speaker is None and re.search("[他她](?!们)", clause):
            about = last
        if not about:
            continue
        own = next((name for name, card in names.items() if card == about and name in clause), about)
        for attribute, value in traits.kin(own, clause):
            yield StoryStatement(about, attribute, value, sentence, start, False)
        if of_other:
            continue
        lasting = (traits.years, traits.identity)
        for attribute, value in (pair for read in lasting for pair in read(clause)):
            yield StoryStatement(about, attribute, value, sentence, start, changed and "年数" not in attribute)


def _by_speaker(clause: str, sentence: StorySentence) -> str:
    """我 in what somebody says is he himself."""
    return clause.replace("我", sentence.speaker) if sentence.speaker and "我们" not in clause else clause


def _is_of_unnamed(clause: str, sentence: StorySentence) -> bool:
    """他 and 你 in what somebody says may be anybody."""
    return sentence.speaker is not None and clause.strip("\u3000 ")[:1] in "他她你"


def _is_own(about: str, clause: str, place: int) -> bool:
    """苏晚的哥哥, or what 苏晚 gives to 妹妹; and nobody else's."""
    own = re.search(
        rf"{re.escape(about)}的|(?:{re.escape(about)}|^[他她\\u3000 ]*)(?:还|只|也|另)?有(?:一|两|三)?个|(?:^|"
        rf"[给跟和与对向问替为写])(?:他|"
        rf"她)?的?(?=亲?[{_ELDERS}])",
        clause,
    )
    return own is not None and not _OTHERS.search(clause[:place].replace(about, ""))


_WITH_KIN = re.compile(
    rf"(?:的|他|她)?(?:{_KIN}|朋友|同伴|仆人|徒弟|手下|对手|邻居|同桌|室友|同事|同学|[师表堂]?[兄弟姐妹]|马|狗)"
)
_BESIDE = re.compile("对面|面前|身旁|身边|旁边|身后|看着|望着|看见|跟着|扶着|给|替|问|对|向$")
_HIS = re.compile(rf"[他她]的?(?:{_KIN}|朋友|同伴|徒弟)")


def _subject(clause: str, names: dict[str, str], last: str) -> tuple[str, bool]:
    """Whom a clause is about; and whether it is about somebody of his: 林舟的父亲 is not 林舟."""
    plain = _OPENING.sub("", clause.strip('\u3000 “”"'))
    candidates = [(clause.find(name), name) for name in names if name in clause]
    if candidates:
        place, name = min(candidates, key=lambda one: (one[0], -len(one[1])))
        rest = clause[place + len(name) :]
        kin = _WITH_KIN.match(rest)
        if (named := _apposed(rest, names)) is not None:
            return named, False
        if place > 8 and last and plain[:1] in "他她":
            return last, False
        if _BESIDE.search(clause[:place][-4:]):
            return (last, False) if plain[:1] in "他她" else ("", True)
        return names[name], kin is not None and bool(kin[0])
    if plain.startswith(_SAME_PERSON):
        return last, False
    if plain[:1] in "他她" and not plain.startswith(("他们", "她们")):
        return last, _HIS.match(plain) is not None
    return "", False
