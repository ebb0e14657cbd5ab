"""The dangerous things of `hazards.toml`, and what joins them: a size and a thing, an act and a device, a cord and a body.

Words stand in the data; here is only how they make a danger together. What excuses a whole clause is here as well.
"""

# ruff: noqa: E501 - lists of words: a group to a line reads best

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from app.core.resources import domain_dir

FILE = "hazards.toml"
BLOCKS_BELOW = {"S01": 36, "S02": 96, "S04": 72, "S06": 60}
"""Months; what is not here blocks at every age, as far as the plan names no grown-up beside water."""


@dataclass(frozen=True, slots=True)
class HazardousThing:
    code: str
    pattern: re.Pattern[str]
    below: int | None
    is_weak: bool
    """Also a word of harmless things: it counts only together with an act or a body."""


@dataclass(frozen=True, slots=True)
class _Ontology:
    things: tuple[HazardousThing, ...]
    device: re.Pattern[str]
    opening: re.Pattern[str]
    pinyin: Mapping[str, str]
    pinyin_words: re.Pattern[str]
    spelled: Mapping[str, str]
    """A long English hazard with one letter left out, and how it is written."""


_BODY = re.compile(
    r"\bneck\b|\bthroat\b|脖子|颈|\b(?:a?round|on|over|to|about) (?:his|her|their|the child'?s|your child'?s) (?:\w+ )?(?:waist|wrists?|arms?|ankles?|body|tummy|belly|head|chest)\b|"
    r"(?:绕|套|系|挂|围|拴|绑|缠|扎)[^,，]{0,6}(?:脖子|颈|腰|手腕|身上|脚踝|头|胸)|(?:脖子|颈|腰|手腕|脚踝|身)上?[^,，]{0,6}(?:绕|套|系|挂|围|拴|绑|缠)"
)
_PULLED = re.compile(
    r"拉上拉下|荡|吊|勒|拴|绑|捆|缠|绕|\b(?:tie|ties|tied|tying|wrap|wind|loop|hang|swing|knot|fasten|harness)\w*\b"
)
_COUNTED = re.compile(r"(?:[一二两三四五六七八九十几数每\d]\s?(?:颗|粒)|一颗颗|一粒粒)(?!大?(?:星|心|牙|树|大|糖葫芦))")
_SIZE = r"(?:\b(?:tiny|wee|teeny|itty[- ]bitty|little|mini|small|bitty|pea[- ]sized|thumbnail[- ]sized)\b(?: \w+){0,1} (?:%s)(?:e?s)?\b)"
_SMALL_THINGS = re.compile(
    _SIZE
    % "bead|button|stone|ball|block|brick|screw|wheel|part|piece|bit|bolt|shell|toy|figure|animal|car wheel|gem|peg|pin|cap|lid|ring|seed|bean|nut|cube|magnet|cell|disc|marble|pebble|pom-?pom|bell"
)
_EATING = r"(?:吃|尝|舔|咬|嚼|含|塞进嘴|放(?:进|到)?嘴|奖励|喂|嘴接|零食|点心|\beat|\btast|\blick|\bchew|\bfeed|\bsnack|\breward|\bnibbl|\bbit(?:e|ing)\b|\bmouth|\bgive (?:him|her|them)|\beach time|\bgets? (?:a|one)|\btreats?\b|\bhand (?:him|her))"
_TO_EAT = re.compile(_EATING)
_INTO_MOUTH = re.compile(
    r"(?:抛|扔|丢|弹|接)[^,，。]{0,12}(?:嘴|口)[^,，。]{0,4}(?:接|吃|里)?|(?:用嘴|张嘴|嘴巴?)(?:去)?接|\b(?:toss|throw|flick|drop|lob|pop)\w*\b.{0,40}\b(?:in|into|with|to) (?:his|her|their|the|your) (?:own )?mouth|\bcatch(?:es|ing)?\b.{0,24}\b(?:in|with) (?:his|her|their|the) mouth"
)
_ON_OFF = re.compile(
    r"\b(?:light|lamp|torch|bulb|switch|flashlight|led)s?\b.{0,24}\bon (?:and|n|'n'|&|/|-|then) ?off\b|\b(?:flick|click|flip)\w*\b.{0,24}\b(?:light|lamp|switch)|\bon[-/](?:and-)?off\b|\bstrob|(?:闪光灯|频闪|爆闪|闪灯)|(?:灯|光)[^,，。]{0,8}(?:一开一关|开开关关|开关开关|忽明忽灭|快速开关)|(?:灯|光|手电|手电筒|屏幕)[^,，。]{0,8}(?:快速|不停|来回|反复|一直|飞快)地?[^,，。]{0,3}(?:开关|开开|按|闪|晃|切换)|(?:灯|手电|光)[^,，。]{0,12}(?:雷电|闪电|打雷)|\b(?:torch|lamp|light|flashlight)\b.{0,30}\blightning|\bblue lights?\b.{0,12}\bflash|蹦迪灯|舞厅灯|\bdisco\b"
)
_IGNORES_STOP = re.compile(
    r"(?:喊|叫|说|求)(?:着)?(?:停|不要|够了|放开|饶)[^,，。]{0,4}(?:也|还|都|照样|接着|继续|再)|求饶[^,，。]{0,6}(?:再|继续|也)|\b(?:says?|said|shouts?|yells?|begs?|screams?|asks?)\b.{0,14}\b(?:stop|no|enough|to stop)\b.{0,20}\b(?:keep|again|one more|carry on|go on|continue|don't stop|another)\b|\b(?:keep|carry) (?:on )?(?:\w+ing )?(?:\w+ ){0,3}(?:even )?(?:when|after|though|if) (?:he|she|they) (?:says?|asks?|begs?|cries|screams?)"
)
_NOTHING_UNTIL = re.compile(
    r"\b(?:nothing|no \w+)\b.{0,40}\b(?:till|until|unless|before) (?:he|she|they|the child|you get)\b.{0,24}\b(?:look|say|said|answer|stop|sit|does|do|ask|eat|finish|behave|calm|repl|respond|point|obey|copy|copies|repeat|greet)\w*|"
    r"(?:站|坐|跪|待|罚|举|练|关|哭|饿|等)[^，,。]{0,4}到[^，,。]{1,8}(?:为止|才)|不(?:肯|愿意?|说|叫|看|做|吃|打招呼)[^，,。]{0,6}[，,]?就(?:不许|不准|不让|不能|别想|不给)|(?:什么|啥)(?:都|也)(?:没有|不给|别想|不许)[^。]{0,10}(?:直到|除非|什么时候)"
)
_CHILD_HERE_ADULT_THERE = re.compile(
    r"(?:他|她|孩子|宝宝|娃)[^，,。]{0,3}在[^，,。]{1,8}(?:玩|坐|待|泡|爬|睡|看)[^。！？]{0,10}(?:你|您|大人|家长|妈妈|爸爸|奶奶|爷爷)[^，,。]{0,3}(?:在|去|到|回)[^，,。]{1,8}(?:开会|做饭|看(?:电视|手机|剧|电脑|书|新闻|球|[一两]眼)|刷|忙|睡|洗|聊|上班|打|歇|躺|办公|工作|晾|收|拿|取|接|补)|隔着(?:玻璃|门|窗|墙|栏杆)|"
    r"\b(?:go|get (?:some|your|a|on)|do (?:the|some|your)|finish|catch up|work|cook|rest|nap|iron|answer)\b(?! together)[^.!?;]{0,28}\b(?:downstairs|upstairs|next door|(?:in|from|to) (?:the|another|your) (?:kitchen|garden|office|garage|study|bedroom|other room|living room|next room|room)|outside|elsewhere)\b|"
    r"\b(?:put|pop|leave|park|sit) (?:him|her|them) (?:in|into) (?:the|a|his|her) (?:cot|crib|playpen|high ?chair|car ?seat|buggy|pram|bath|room|tent|den)\b.{0,40}\b(?:and|then|while) (?:you )?(?:go|get|do|have|take|make|catch|finish|leave|slip|nip|pop)\b"
)
_TOGETHER = re.compile(
    r"\btogether\b|\bwe\b|\bwith (?:him|her|them|your child|the child)\b|\btake (?:him|her) with|\bhide\b|\bfind (?:him|you|her)|一起|带着?(?:他|她|孩子)|躲|找"
)
_CURES = re.compile(
    r"\b(?:rewir|revers|undo|erase|unlock|heal|beat|overcom|recover from|outgr|detox|eliminat|defeat|remov|wash(?:es)? away|turn(?:s)? off)\w*\b.{0,12}\b(?:autis\w+|asd|adhd|delay|disorder|condition|symptoms?|spectrum|stutter|seizures|epilepsy)|\b(?:doctors?|therapists?|hospitals?|they)\b.{0,12}\b(?:won't|don't want|will not|never) (?:to )?tell|\b(?:better|stronger|more effective|faster) than (?:any )?(?:therap\w+|medic\w+|treatment|doctors?)|"
    r"医生(?:都)?(?:不会|不肯|不想|没)(?:告诉|说)|(?:比|胜过|强过|顶得上|抵得上)[^，,。]{0,6}(?:吃药|训练|康复|治疗|机构|打针|干预|语训)[^，,。]{0,4}(?:管用|有效|好|强|快)?|(?:重塑|重启|打通|激活|修复)[^，,。]{0,4}(?:大脑|神经|脑)[^。]{0,10}(?:自闭|孤独|多动|迟缓|正常|痊愈|好)|(?:摘|脱)帽"
)
_CARED_BY_A_CHILD = re.compile(
    r"(?:[二三四五六七八九]岁的?)?(?:姐姐|哥哥|表姐|表哥|大宝|老大)(?:来)?(?:带|看|陪|管|照顾)着?(?:他|她|弟弟|妹妹|宝宝|孩子)[^。！？]{0,16}(?:大人|家长|你|爸|妈|我)[^。！？]{0,4}(?:去|在|可以|就|能)[^。！？]{0,8}(?:打|睡|做|忙|刷|歇|聊|看|办|洗)|"
    r"\b(?:big|older|\w+-year-old) (?:sister|brother|sibling|cousin)\b.{0,30}\b(?:in charge|babysit|watch(?:es)?|mind|look after)|\bleave (?:him|her|them) (?:to|with) (?:his|her|the) (?:big |older )?(?:sister|brother|sibling|cousin|tablet|tv)"
)
_NO_WATER = re.compile(
    r"没有水|不放水|不装水|不加水|无水|一滴水(?:都|也)没|空的?(?:盆|桶|浴缸|水池)|\bno water\b|\bwithout (?:any )?water\b|\bdry (?:tub|bath|pool|basin)|\bempty (?:tub|bath|pool|basin|bucket)"
)
_ON_CARPET = re.compile(
    r"\b(?:on|across|over|along) (?:the |a )?(?:carpet|rug|floor|mat|blanket|bed|sofa|couch|sheet|grass)\b|(?:地毯|地板|垫子|床单|毯子|地垫|沙发|床)上"
)
_DRY_WORDS = re.compile(
    r"^(?:swim|swimming|sea|ocean|river|stream|lake|pond|creek|fountain|小河|小溪|大海里|海边|湖边|河边|游泳)$"
)
_TIDIED = re.compile(
    r"(?<![让叫请教带])把(?:地上的|桌上的|屋里的|周围的|所有的?|房间里的)?[^。！？；!?;]{1,36}?(?:都|全|先|全部)*(?:捡干净|收好|收走|收起来|收[进到入][^，,。]{0,4}(?:柜|抽屉|高处|箱|锁)|锁(?:好|进|起来|到|在|上)|拿走|移走|移开|挪开|挪走|清走|清掉|清理掉|换成|放到(?:高处|孩子够不到|够不着)|放远|扔掉)|"
    r"(?:\b[a-z]{2,20}[- ])?\b(?:allergy|allergies|allergic to [a-z]{2,20})\b|\b[a-z]{2,20}[- ]free\b|(?:对)?[\u4e00-\u9fff]{1,4}过敏|(?:不含|无|没有|不加)[\u4e00-\u9fff]{1,3}(?:的零食|成分)?|"
    r"电池(?:都|全)?(?:装|锁|封|拧|关)[在紧好][^,，。]{0,14}|\bbatter(?:y|ies)(?: is| are)? (?:safely )?(?:screwed|locked|sealed|taped|shut|closed)[^,.]{0,20}|\bbattery (?:cover|compartment|door)s? (?:is|are|stays?|screwed|closed)[^,.]{0,20}"
)


_ACTS = (
    ("S11", _IGNORES_STOP), ("S11", _NOTHING_UNTIL), ("S12", _CURES), ("S13", _CARED_BY_A_CHILD),
    ("S13", _CHILD_HERE_ADULT_THERE),
)  # fmt: skip
_NEAR = 36
_MOST_HITS = 30
"""Of one kind in one clause: where so many are excused, the next one is too."""
_OF_IT = re.compile(r"^(?:\s?(?:it|up|apart|and|to|with)\b|\s?[^\w\s]|\s?$|开|下|出|后|看|掉|了)")
_BATTERY_CHANGED = re.compile(
    r"没电[^。！？]{0,20}(?:他|她|孩子|自己)[^。！？]{0,12}(?:换|拆|装)|\b(?:he|she|they|him|her|them|child)\b.{0,20}\b(?:chang|replac|swap)\w*\b.{0,16}\b(?:batter|cell)"
)
_AROUND_NECK = re.compile(
    r"(?:绕|套|系|挂|围|拴|绑|缠|勒)[^，,。]{0,6}(?:[、和][^，,。]{0,4})?(?:脖子|脖颈|颈)|(?:脖子|颈)上?[^，,。]{0,4}(?:绕|套|系|挂|围|拴|绑|缠|勒)|\b(?:tie|tied|tying|wrap|put|hang|loop|wind|knot|fasten|drape|pull|slip|sling)\w*\b.{0,40}\b(?:a?round|over|on|about) (?:his|her|their|the|your child's) (?:neck|throat)\b"
)
_KIND_AT_NECK = re.compile(
    r"围嘴|口水巾|围兜|纸|(?:抱|搂)[着住]?[^，,。]{0,4}脖子|\bbibs?\b|\bpaper\b|\barms?\b|\bhugs?\b|不要|别|不能|\bnever\b|\bdon't\b|\bnothing\b|\bno\b"
)
_TOLD = re.compile(
    r"\b(?:stor(?:y|ies)|songs?|books?|rhymes?|tales?|poems?|films?|pictures?) (?:of|about|with)\b|\bsing(?:s|ing)?\b.{0,16}\babout\b|(?:讲|听|唱|读|念|看)[^，,。]{0,8}(?:故事|儿歌|绘本|图画书|动画)"
)
_FED_TOY = re.compile(
    r"(?:喂|给)(?:小熊|娃娃|玩偶|布偶|恐龙|毛绒|小兔|小狗玩具|布娃娃)|\bfeed(?:s|ing)? (?:the |a |his |her )?(?:teddy|bear|doll|toy|puppet|monster puppet)"
)


def is_play(code: str, clause: str, start: int, end: int) -> bool:
    """Food for a toy, or a thing in quotation marks, which is something else that is called so."""
    quoted = clause[start - 1 : start] in ("“", "「", '"') and clause[end : end + 1] in ("”", "」", '"')
    if quoted or _TOLD.search(clause[:start]):
        return True
    return (
        code == "S06" and bool(_FED_TOY.search(clause)) and not re.search("他也|自己也|he (?:eats|too)|himself", clause)
    )


def folded_more(text: str) -> str:
    """Of a folded text: Chinese words in Latin letters, short forms of notes and single letters left out are read."""
    data = _ontology()
    plain = re.sub(r"\s(?:n|'n'|&)\s", " and ", text)
    plain = re.sub(r"\bw/ ?o\b", "without", plain)
    plain = re.sub(r"\bw/?(?=\s)", "with", plain)
    plain = data.pinyin_words.sub(lambda hit: data.pinyin[re.sub(r"[\s']", "", hit[0])], plain)
    return re.sub(r"\b[a-z]{6,14}\b", lambda hit: data.spelled.get(hit[0], hit[0]), plain)


def tidied(text: str) -> str:
    """Without what is put away, named as an allergy, or closed in."""
    return _TIDIED.sub("□", text)


def dangers(clause: str, age: int, *, is_mouthing: bool = False) -> Iterator[tuple[str, str, int, int]]:
    """Code, words and place of what blocks at that age, in one clause of a folded text."""
    data = _ontology()
    for thing in data.things:
        below = thing.below if thing.below is not None else BLOCKS_BELOW.get(thing.code)
        if below is not None and age >= below and not (is_mouthing and thing.code in ("S01", "S06")):
            continue
        for hit in islice(thing.pattern.finditer(clause), _MOST_HITS):
            if thing.is_weak and not _is_meant(thing.code, clause, age):
                continue
            yield thing.code, hit[0], hit.start(), hit.end()
    if age < BLOCKS_BELOW["S01"] or is_mouthing:
        for pattern in (_COUNTED, _SMALL_THINGS):
            for hit in islice(pattern.finditer(clause), _MOST_HITS):
                yield "S01", hit[0], hit.start(), hit.end()
    if age < BLOCKS_BELOW["S06"] and (caught := _INTO_MOUTH.search(clause)) is not None:
        yield "S06", caught[0], caught.start(), caught.end()


def acts(sentence: str, age: int, *, has_seizures: bool) -> Iterator[tuple[str, str, int]]:
    """Code, words and place of what is done with harmless things, in one sentence of a folded text."""
    data = _ontology()
    if (device := data.device.search(sentence)) and (opened := data.opening.search(sentence)):
        first, last = sorted((device, opened), key=lambda hit: hit.start())
        is_of_it = first is opened or _OF_IT.match(sentence[opened.end() :]) is not None
        if is_of_it and last.start() - first.end() <= _NEAR:
            yield "S03", f"{first[0]} … {last[0]}", first.start()
    if (changed := _BATTERY_CHANGED.search(sentence)) is not None:
        yield "S03", changed[0], changed.start()
    if (tied := _AROUND_NECK.search(sentence)) is not None and not _KIND_AT_NECK.search(sentence):
        yield "S05", tied[0], tied.start()
    for code, pattern in _ACTS:
        if (hit := pattern.search(sentence)) and not (
            pattern is _CHILD_HERE_ADULT_THERE and _TOGETHER.search(sentence)
        ):
            yield code, hit[0], hit.start()
    if has_seizures and (hit := _ON_OFF.search(sentence)):
        yield "S07", hit[0], hit.start()


def is_dry(clause: str, words: str) -> bool:
    """Water that is none: none in the tub, or played on a carpet."""
    return bool(_NO_WATER.search(clause)) or bool(_ON_CARPET.search(clause) and _DRY_WORDS.match(words.strip()))


def _is_meant(code: str, clause: str, age: int) -> bool:
    if code == "S05":
        return bool(_BODY.search(clause)) or (age < 36 and bool(_PULLED.search(clause)))
    return bool(_TO_EAT.search(clause))


@cache
def _ontology() -> _Ontology:
    with (domain_dir("play") / "data" / FILE).open("rb") as file:
        data: dict[str, Any] = tomllib.load(file)
    things = tuple(
        HazardousThing(one["code"], _pattern(one["zh"], one["en"]), one.get("below"), one.get("weak") is True)
        for one in data["thing"]
    )
    device, pinyin = data["device"], {str(key): str(word) for key, word in data["pinyin"].items()}
    names = sorted(pinyin, key=len, reverse=True)
    long = {word for one in data["thing"] for word in re.findall(r"[a-z]{7,}", one["en"])} | set(_LONG_WORDS.split())
    spelled = {word[:n] + word[n + 1 :]: word for word in sorted(long) for n in range(1, len(word))}
    return _Ontology(
        things, _pattern(device["zh"], device["en"]), _pattern(device["open_zh"], device["open_en"]), pinyin,
        re.compile(r"\b(?:" + "|".join(map(_sounds, names)) + r")\b"),
        {short: word for short, word in spelled.items() if short not in _WORDS_OF_THEIR_OWN},
    )  # fmt: skip


_LONG_WORDS = "balloon balloons magnetic magnets batteries marbles pebbles buttons scissors candles peanuts popcorn necklace lighter matches firework needles trampoline"
_WORDS_OF_THEIR_OWN = frozenset(
    "batter batters atteries needle needles candle button pebble magnet marble crisps cherries charms springs".split()
)


def _sounds(word: str) -> str:
    """With a gap where two syllables may be written apart: after a vowel or n or ng before a consonant."""
    return re.sub(r"(?<=[aeiouvng])(?=[bpmfdtlgkhjqxrzcsyw])", r"[\\s']?", word)


def _pattern(chinese: str, english: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{english})(?:e?s)?\b|{'|'.join(chinese.split())}")
