"""A text as the terms are looked for: folded, in clauses, and whether a clause warns of a thing or asks for it."""

# ruff: noqa: E501 - lists of words: a group to a line reads best

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

_HIDDEN = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\ufe00-\ufe0f]")
_CJK_GAP = re.compile(r"(?<=[\u4e00-\u9fff])[ \t·・._*-]+(?=[\u4e00-\u9fff])")
_SPELLED = re.compile(r"\b(?:[a-z][ .*_-]){3,}[a-z]\b")
_CLAUSE = re.compile(r"[.!?;:,\n。！？；：，、…()（）—]+|\bbut\b|\bthen\b|但是?|然后|(?<!不)再(?=把|给|让|用)")
_SENTENCE = re.compile(r"[.!?\n。！？]+")
_TOPIC = re.compile(r"(?:(?<=^)|(?<=[.。!！;；])|(?<=[.!;] ))([a-z]+(?: [a-z]+)?|[\u4e00-\u9fff]{1,6})[?？]")
"""A question that only names what is spoken of: "Grapes? Cut in four." """
_NEIGHBOURS = 64
_TRADITIONAL = str.maketrans(
    "氣釦鈕釘鐵電繩線頭頸藥療診斷熱燙閃燈爐刀剪針玻璃強壓懲罰餓關獨離開門媽爸個東從書樓陽臺臺幣錢顆圓豬腳貓馬鳥魚蝦"
    "雞麵糖堅葡萄麥奶蠟燭與讓進過還這裡說話叫聽為樣傷險顧著後會兒嬰嚨嚥喉嘴裡聲響車輛邊廠場園樂餵飯",
    "气扣钮钉铁电绳线头颈药疗诊断热烫闪灯炉刀剪针玻璃强压惩罚饿关独离开门妈爸个东从书楼阳台台币钱颗圆猪脚猫马鸟鱼虾"
    "鸡面糖坚葡萄麦奶蜡烛与让进过还这里说话叫听为样伤险顾着后会儿婴咙咽喉嘴里声响车辆边厂场园乐喂饭",
)
_NOT = re.compile(
    r"\b(?:no|not|never|without|avoid(?:ing)?|instead of|rather than|don'?t|do not|doesn'?t|isn'?t|aren'?t|nothing like|"
    r"free of|replac(?:e|es|ing)|remov(?:e|es|ing)|put away|lock(?:ed)? away|skip|leave out|stay away from|"
    r"beware of|check (?:the \w+ )?for|not even|nor)\b"
    r"|不要|不用|不使用|不许|不可以?|不能|不会|不必|不需要|不放|不给|不带|不玩|不碰|不让|别|避免|避开|禁止|禁用|切勿|请勿|勿|远离|没有|无需|收走|拿走|移开|收好|代替|换掉|防止|以免|杜绝|严禁|绝不|从不"
)
_NOT_AT_ALL_A_WARNING = re.compile(
    r"forget|hesitate|worry|stop|mind|put away|remove|only|just|until|unless|fail to|skip|"
    r"忘|担心|害怕|犹豫|停|收|拿走|只|光|直到|除非|介意|怕|缺|错过"
)
_AFTER = re.compile(
    r"^[^,.;。；，]{0,24}?(?:out of (?:his|her|their|the child'?s )?\s?reach|off limits|stays? (?:in|out)|put away|locked|"
    r"(?:is|are) (?:not (?:used|part|allowed|needed)|out today|left out|off the menu)|收起来|收好|放远|拿开|够不到|锁好|放好|不用|不要用|不能用|都不用|换成|[^,.;。；，]{0,3}(?:太|很|会|有点?|不)(?:危险|安全|噎|呛)|容易(?:噎|呛|勒|吞))|"
    r"^ (?:is|are) (?:too |very )?(?:dangerous|unsafe|risky|not safe)|^ can choke"
)

_LISTS = re.compile(r"\b(?:and|or|nor)\b|[、也和]")
"""Between two negations that each hold: "no cable and no battery"."""
_FORBIDDEN_AFTER = re.compile(r"^[^.!?;。！？；]{0,10}(?:都|也|绝)?(?:不要用|不可以|不允许|不应该|不行|用不得)")
_KINDLY = re.compile(
    r"(?:\b(?:never|don'?t|do not|no|not|without|avoid|rather than|instead of)(?: \w+){0,2}|(?:不要|不会|不能|不可以?|不应|不该|不|别|避免|禁止|切勿|请勿|绝不|从不|没有|而不是|不是)(?:去|再|对|把|让|用|给|孩子|他|她|任何){0,3})\s?$"
)
_STILL_HARSH = re.compile(r"stop|forget|hesitate|be afraid|worry|mind|停|忘|犹豫|怕|介意")


def folded(text: str) -> str:
    """Without hidden characters, width, case and the gaps that break a word."""
    plain = unicodedata.normalize("NFKC", _HIDDEN.sub("", text)).casefold().translate(_TRADITIONAL)
    plain = plain.replace("’", "'").replace("‘", "'").replace("`", "'")
    plain = _CJK_GAP.sub("", plain)
    return _SPELLED.sub(lambda spelled: re.sub(r"[ .*_-]", "", spelled[0]), plain)


@dataclass(frozen=True, slots=True)
class Clause:
    text: str
    before: str
    """Of its sentence, the end of what stands before it."""
    after: str


def clauses(text: str) -> Iterator[Clause]:
    """Of a folded text. What a clause says of a thing may be in the next one: "the coins are put away"."""
    for sentence in _SENTENCE.split(_TOPIC.sub(r"\1,", text)):
        start = 0
        for end, following in (*(hit.span() for hit in _CLAUSE.finditer(sentence)), (len(sentence),) * 2):
            if sentence[start:end].strip():
                yield Clause(
                    sentence[start:end],
                    sentence[max(0, start - _NEIGHBOURS) : start],
                    sentence[end : end + _NEIGHBOURS],
                )
            start = following


def is_warned_of(clause: str, start: int, end: int) -> bool:
    """Whether the clause forbids or puts away what stands between `start` and `end`, rather than asking for it."""
    before = clause[:start]
    negations = list(_NOT.finditer(before))
    if negations:
        between = before[negations[-1].end() :]
        return not _NOT_AT_ALL_A_WARNING.search(between) and not (len(negations) > 1 and _doubled(before, negations))
    return bool(_AFTER.match(clause[end:]))


def _doubled(before: str, negations: list[re.Match[str]]) -> bool:
    """ "不要不用…", "never go without …"."""
    last, previous = negations[-1], negations[-2]
    if _LISTS.search(before[previous.end() : last.start()]):
        return False
    return len(before[previous.end() : last.start()].split()) <= 2 and last.start() - previous.end() < 12


def is_ruled_out(after: str) -> bool:
    """Whether what stands after an act says that it is not done: "罚站、饿肚子都不要用"."""
    return _FORBIDDEN_AFTER.match(after) is not None


def is_forbidden(before: str) -> bool:
    """Whether what stands before an act says not to do it."""
    kindly = _KINDLY.search(before)
    return kindly is not None and not _STILL_HARSH.search(kindly[0])
