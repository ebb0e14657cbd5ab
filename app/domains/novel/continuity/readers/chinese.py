"""The statements of a book's Chinese sentences, read in their order: what they say of persons by whose it is, of things
and places by their heads, and what somebody never does and does later."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .. import traits
from ..abilities import KEPT, abilities, unable_in
from ..sentences import StorySentence, clauses_of, told_clauses
from ..statements import CHANGES, StoryStatement
from ..things import is_another
from . import amounts, habits, looks, roles, sets
from .looks import Reading
from .people import People

_NOT_DONE = re.compile(
    "没有?|不会|不能|不敢|不肯|不[喝吃抽坐去碰]|从不|差点|想要?|要是|如果|劝|让|请|托|求|由|陪[着他她]?|"
    "等[着他她]|看着|望着|听着|看见|闻了闻|假装|装作|叫[他她]|教"
)
_LEARNS = re.compile(
    "学会|学了|学着|练成|练会|戒不|破戒|破例|开了戒|治好|康复|痊愈|恢复|克服|硬着头皮|第一次|头一回|终于|总算|复明"
)
_PET = re.compile(
    "(?P<n>狗|犬|猫|马|驴|牛|鹰|鸟|鹦鹉|船|车|店|剑|刀)[^，。]{0,4}(?:[，,]|就|便)?(?:名字)?(?:叫|"
    "名叫|唤作|取名|起名|名唤)(?:做|叫)?(?P<v>[一-鿿]{2,3})(?=[，。；的]|$)"
                  "|叫(?P<w>[一-鿿]{2,3})的(?:那[只条匹头])?[一-鿿]{0,3}?(?P<m>[狗犬猫马驴牛])")  # fmt: skip
_MORE = re.compile(
    "刮[了掉净]|剃[了掉去]|留起|蓄起|削发|还俗|升[任了为]|擢|贬|调任|改行|转行|改做|辞|退休|入赘|搬|迁|长高|长胖|"
    "受了?伤|只好用|不得不用|换了?.{0,2}手|增|添|扩|加盖|拆|改建|翻修|第[一二三]年"
)
_TURNS = (
    (
        re.compile("[娶嫁](?:了|给|进|过)|成亲|结婚|拜堂|完婚|成了家|过门|订婚|定亲"),
        ("有配偶", "在世的妻子", "在世的丈夫"),
    ),
    (
        re.compile("(?<![只共])生了(?!一辈子)|生下|出生|收养|过继|认了?.{0,6}(?:儿子|女儿|孩子)"),
        ("有子女", "有儿子", "有女儿", "儿子的数目", "女儿的数目", "孩子的数目"),
    ),
    (re.compile("染.{0,6}发|发.{0,6}染|剃[了光去]|剪[了短掉]|假发"), ("头发", "有头发")),
    (re.compile("刮[了掉净]|剃[了掉净]|留起|蓄起"), ("胡子",)),
    (re.compile("搬[到进去了回]|搬家|乔迁"), ("住的楼", "住的号", "住的楼层", "住的房号")),
)
_LONG_AGO = re.compile("(?:的)?(?:那天|那年|那晚|那一[天年]|时候|时(?=[，。]|$)|那会儿|以来|多年)")
"""What somebody tells of his wedding changes nothing now."""
_KIN_GROWS = re.compile("生了|又生|生下|出生|夭折|过继|收养|添了")


_INHERITS = re.compile("继承|遗传|随了|一样的|像极了")


class ChineseReader:
    def __init__(self, people: People) -> None:
        self._people = people
        self._pets: dict[str, str] = {}
        self._unable: dict[str, set[str]] = {}
        self._never: dict[str, list[tuple[str, str]]] = {}
        self._averse: dict[str, set[str]] = {}
        self._storeys: dict[str, int] = {}
        self._heads: dict[str, list[str]] = {}

    def read(self, sentence: StorySentence, last: str) -> Iterator[StoryStatement]:
        """`last`: whom the sentence before was about."""
        text = sentence.text
        is_told, lasts = sentence.states_facts, sentence.lasts
        if not is_told and not lasts:
            return
        changed = CHANGES.search(text) is not None or _MORE.search(text) is not None
        told = {start for start, _clause in told_clauses(sentence)} if is_told else set()
        spoken = sentence.speaker is not None
        subject = sentence.speaker or last
        named = spoken
        before = ""
        for start, raw in clauses_of(sentence):
            clause = raw.replace("我", sentence.speaker) if sentence.speaker and "我们" not in raw else raw
            if spoken and clause.strip("\u3000 ")[:1] in "他她你":
                continue
            named = named or self._people.names_somebody(clause)
            about = subject if named else ""
            for reading in self._lasting(clause):
                if reading.attribute == "名字" and "的" not in self._people.owner(clause, reading.place, about):
                    continue
                if (whose := self._people.owner(clause, reading.place, about)) and (lasts or start in told):
                    yield self._statement(whose, reading, sentence, start, changed)
            if start in told:
                yield from self._now(clause, about, before, sentence, start, changed)
                yield from self._of_pets(clause, sentence, start, changed)
            subject = self._people.about(clause, subject)
            before = clause
        if lasts:
            for reading in looks.sides(text) if "镜" not in text else ():
                lead = re.split("[，。；]", text[: reading.place])
                whose = self._people.owner(text, reading.place, last if self._people.names_somebody(text) else "")
                if whose and lead:
                    yield self._statement(whose, reading, sentence, sentence.start, changed)

    @staticmethod
    def _statement(
        subject: str, reading: Reading, sentence: StorySentence, start: int, changed: bool
    ) -> StoryStatement:
        is_mark = "上的" in reading.attribute
        changes = changed and not is_mark and reading.attribute not in ("年龄", "出生年", "性别")
        weak = reading.weak or (changed and is_mark)  # an old wound hurts again, or there is a new one
        return StoryStatement(subject, reading.attribute, reading.value, sentence, start, changes, weak)

    @staticmethod
    def _lasting(clause: str) -> Iterator[Reading]:
        if "镜" not in clause:
            for attribute, value in traits.body(clause):
                if attribute.startswith("身上的") and looks.is_mark(attribute[3:]):
                    continue  # with its place: `looks.sides`
                yield Reading(looks.place_of_side(clause), attribute, value)
        yield from looks.build(clause)
        yield from roles.names(clause)
        yield from (one for one in looks.ages(clause) if one.attribute != "年龄")
        yield from sets.of_person(clause)

    def _now(
        self, clause: str, about: str, before: str, sentence: StorySentence, start: int, changed: bool
    ) -> Iterator[StoryStatement]:
        people = self._people
        readings = [*looks.colours(clause), *roles.works(clause), *sets.kept_things(clause)]
        if not re.search("看上去|看起来|像|骗|谎|自称|不止|不到|比", clause):
            readings += [one for one in looks.ages(clause) if one.attribute == "年龄"]
        for reading in readings:
            whose = people.owner(clause, reading.place, about)
            if "的" in whose and reading.attribute in ("眼睛", "头发") and _INHERITS.search(clause):
                whose = whose.partition("的")[0]
            if whose:
                yield self._statement(whose, reading, sentence, start, changed)
            if reading.attribute.endswith("的颜色") and "的" in whose:  # what a relative left with him
                yield self._statement(whose.partition("的")[0], reading._replace(weak=True), sentence, start, changed)
            elif (
                not whose
                and reading.attribute.endswith("的颜色")
                and (head := amounts.head_of(clause[: reading.place]))
            ):
                yield self._statement(self._same(reading.attribute, head), reading, sentence, start, changed)
        for _whose, reading in roles.family(clause, people):
            if (whose := people.owner(clause, reading.place, about)) and "的" not in whose:
                if reading.attribute.startswith("与") and reading.value in ("哥哥", "姐姐", "弟弟", "妹妹"):
                    of = reading.attribute[1:].removesuffix("的关系")
                    elder = whose if reading.value in ("哥哥", "姐姐") else of
                    yield StoryStatement(min(whose, of), f"与{max(whose, of)}谁大", elder, sentence, start, changed)
                grows = changed or _KIN_GROWS.search(sentence.text) is not None
                yield self._statement(whose, reading, sentence, start, grows and reading.value != "无")
        for place, attribute, value in amounts.addresses(clause):
            if whose := people.owner(clause, place, about):
                yield StoryStatement(whose, attribute, value, sentence, start, changed, attribute == "住的号")
        if (storeys := sets.storeys(clause)) is not None:
            head, number, is_all = storeys
            most = self._storeys.setdefault(head, number) if is_all else self._storeys.get(head, number)
            yield StoryStatement(head, "楼层的总数", str(max(number, most)), sentence, start, changed, True)
        for head, attribute, value in sets.wholes(clause):
            yield StoryStatement(head, attribute, value, sentence, start, changed, True)
        for amount in amounts.amounts(sentence.text, clause, before):
            head = self._same(amount.attribute, amount.head)
            if head and not re.search("年后|多年|后来", sentence.text):
                yield StoryStatement(head, amount.attribute, amount.value, sentence, start, changed, amount.weak)
        yield from self._turns(clause, about, sentence, start)
        yield from self._deeds(clause, about, sentence, start, changed)

    def _turns(self, clause: str, about: str, sentence: StorySentence, start: int) -> Iterator[StoryStatement]:
        """What ends with an event: who marries is no bachelor any more."""
        for form, attributes in _TURNS:
            event = form.search(clause)
            if event is not None and _LONG_AGO.match(clause[event.end() :]):
                continue
            if event is not None and not re.search("[没未不][^，。]{0,4}$", clause[: event.start()]):
                for who in sorted({self._people.about(clause, about), *self._people.all_in(clause)} - {""}):
                    for attribute in attributes:
                        yield StoryStatement(who, attribute, "", sentence, start, True)

    def _same(self, attribute: str, head: str) -> str:
        if not head or head in ("他", "她", "他们", "我", "谁", "人"):
            return ""
        heads = self._heads.setdefault(attribute + head[-1], [])
        same = next((one for one in heads if amounts.same_head(one, head)), None)
        if same is None:
            heads.append(head)
        return same or head

    def _deeds(
        self, clause: str, about: str, sentence: StorySentence, start: int, changed: bool
    ) -> Iterator[StoryStatement]:
        """What somebody cannot or will not do, and what he does."""
        people = self._people
        actor = people.about(clause, about)
        forms = abilities("zh")
        for name in unable_in(clause, "zh"):
            match = forms[name].unable.search(clause)
            assert match is not None
            if one := people.owner(clause, match.start(), about):
                self._unable.setdefault(one, set()).add(name)
                yield StoryStatement(one, name, "不会", sentence, start, False)
        learns = _LEARNS.search(sentence.text) is not None
        for name in sorted({*self._unable.get(actor, ()), *KEPT} & forms.keys()):
            match = forms[name].does.search(clause)
            if learns and (match is not None or name in sentence.text) and actor:
                yield StoryStatement(actor, name, "会", sentence, start, True)
            elif (
                match is not None
                and actor
                and ((but := forms[name].but) is None or but.search(sentence.text) is None)
                and not _NOT_DONE.search(clause[: match.start()])
                and not forms[name].unable.search(clause)
                and people.owner(clause, match.start(), about) == actor
            ):
                yield StoryStatement(actor, name, "会", sentence, start, False)
        for place, food in habits.averse(clause):
            if one := people.owner(clause, place, about):
                self._averse.setdefault(one, set()).add(food)
                yield StoryStatement(one, f"忌{food}", "不会", sentence, start, False)
        for food in sorted(self._averse.get(actor, ())):
            if habits.takes(clause, sentence.text, food) and not any(habits.averse(clause)):
                yield StoryStatement(actor, f"忌{food}", "会", sentence, start, learns)
        for place, verb, thing in habits.never(clause):
            if one := people.owner(clause, place, about):
                self._never.setdefault(one, []).append((verb, thing))
                yield StoryStatement(one, f"{verb}{thing}", "不会", sentence, start, False, True)
        for verb, thing in self._never.get(actor, ()):
            if habits.does(clause, verb, thing) is not None and not is_another("", clause):
                yield StoryStatement(actor, f"{verb}{thing}", "会", sentence, start, learns, True)
        for place, what, value in habits.knows(clause):
            if one := people.owner(clause, place, about):
                yield StoryStatement(one, f"知道{what}", value, sentence, start, changed and value == "无", True)
        for place, where, value in habits.been(clause):
            if one := people.owner(clause, place, about):
                yield StoryStatement(one, f"去过{where}", value, sentence, start, changed and value == "无", True)

    def _of_pets(self, clause: str, sentence: StorySentence, start: int, changed: bool) -> Iterator[StoryStatement]:
        """Animals and things with names of their own."""
        whole = sentence.text
        if (match := _PET.search(whole)) is not None and (match["v"] or match["w"]) in whole:
            self._pets.setdefault(match["v"] or match["w"], match["n"] or match["m"])
        for name in self._pets:
            place = clause.find(name)
            if place < 0:
                continue
            hue = looks.colour_of_body(clause[place + len(name) :])
            near = next((one for one in looks.colours(clause) if one.attribute.startswith(self._pets[name])), None)
            if hue or near is not None:
                yield StoryStatement(
                    name,
                    f"{self._pets[name]}的颜色",
                    near.value if near is not None else hue,
                    sentence,
                    start,
                    changed,
                )
        for reading in looks.colours(clause):
            kind = reading.attribute.partition("的")[0]
            for name, noun in self._pets.items():
                is_it = re.search(f"[这那][只条头匹].{{0,6}}{noun}", clause) is not None
                if noun == kind and name in whole and name not in clause and (is_it or _PET.search(whole)):
                    yield StoryStatement(name, f"{noun}的颜色", reading.value, sentence, start, changed)
