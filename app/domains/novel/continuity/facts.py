"""N03: what the book says of somebody or something, against what it said before or what the ledger holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from ..model.project import Book, StoryFact
from ..reading.numerals import CHINESE, heading_number
from . import english
from .finding import ContinuityFinding
from .sentences import StorySentence, spoken_of
from .statements import StoryStatement, of_persons
from .things import of_places, of_things, placed

_ATTRIBUTES = {
    "惯用手": ("惯用手", "手", "handedness", "左撇子"),
    "眼睛": ("眼睛", "眼睛颜色", "瞳色", "眼色", "眼眸", "eyes", "eye colour"),
    "头发": ("头发", "发色", "头发颜色", "hair"),
    "年龄": ("年龄", "岁数", "年纪", "age"),
    "出生地": ("出生地", "籍贯", "故乡", "老家", "birthplace"),
}
_MANY_YEARS = 100
_KEPT = frozenset("有兄弟姐妹 游泳 骑马 识字 开车 外语 弹琴".split())
"""Who has it or can do it does not lose it by itself."""
_SPARED = re.compile("差点|险些|几乎|没有?[碎断毁丢]|不会|要是")
_GONE = re.compile(
    "碎成|碎了|摔碎|砸碎|沉进|沉没|落[进入]|坠[入进]|滚[进入]|滑[进入]|[冲卷漂飘]走|烧尽|烧成|烧毁|烧掉|焚毁|化为灰烬|沉入|沉到|丢进|扔进|掉进|毁了|毁于|"
    "折断|断成|断为|摔在|砸在|踩得粉碎|踩碎|撕碎|撕成|撕了|烧了|捏碎|打碎|抛[进入下]|熔|融成|卖掉|当掉|"
    "送给了|被.{0,6}抢走|被.{0,6}偷走|遗失|弄丢|丢了"
)
_USED = re.compile(
    "(?:拿|取|掏|拔|抽|摸|亮|端|捧|举)(?:出|起|着)|握(?:着|住|紧)|戴(?:着|上)|佩(?:着|上)|"
    "挂(?:着|在|起)|点(?:亮|着|起|上|燃)|把玩|摩挲|挥|吹(?:起|响)|弹(?:起|奏)|[打翻展拆]开|插回|擦"
)
_BACK = re.compile("找回|修好|修补|粘好|补好|重铸|重打|赎回|失而复得|还回|捞[起上]")
_OTHER = re.compile("另一|又一|仿|赝|假的|复制|同样的|一模一样|新的|新买|残片|碎片|断片|灰烬|半[块截]")
_YEARS = re.compile("年后|过了.{0,4}年|又是一年|.{1,3}年过去|生日|寿辰|来年|转年|翌年|次年|第二年|开春|过完年|新年")
_POINTED = re.compile(
    "那[封把本幅张枚盏顶面串卷支块只](?:[一-鿿]{1,2})?"
    "(?:信|刀|剑|书|画|伞|灯|旗|琴|箫|笛|帽子|照片|地图|钥匙|镜子|扇子)"
)
_OWNED = re.compile("(?<=的)(?=([一-鿿]{2,3}))")
_SINGLE = re.compile("^(?:父亲|母亲|爹|娘|妻子|丈夫|师父|师傅)$")


def conflicts(book: Book, sentences: Sequence[StorySentence], wanted: frozenset[str]) -> Iterator[ContinuityFinding]:
    """In the chapters `wanted`, against all that stands before them."""
    order = {chapter.id: place for place, chapter in enumerate(book.chapters)}
    standing: dict[tuple[str, str], StoryStatement] = {}
    ledger = _ledger(book)
    reported: set[tuple[str, str, str]] = set()
    years: list[tuple[int, int]] = []
    names = {name: who.name for who in book.characters for name in who.names}
    spoken = [one for chapter in book.chapters for one in spoken_of(chapter, names)]
    told = sorted([*sentences, *spoken], key=lambda one: (order[one.chapter.id], one.start))
    for statement in _statements(book, told, years):
        key = (statement.subject, statement.attribute)
        if statement.changes:
            standing[key] = statement
            ledger.pop(key, None)
            continue
        fact = ledger.get(key)
        here = order[statement.sentence.chapter.id]
        earlier = standing.get(key)
        if fact is not None and _holds(fact, statement, book):
            expected, other, quote = _plain_value(fact.value, statement.attribute), fact.chapter, fact.quote
        elif earlier is not None:
            expected, other, quote = earlier.value, earlier.sentence.chapter.id, earlier.sentence.quote()
        else:
            if statement.value not in ("会", "有") or statement.attribute in _KEPT:
                standing[key] = statement
            continue
        if not _differ(statement, expected) or _grew_older(statement, earlier, expected, years):
            if statement.attribute == "年龄":
                standing[key] = statement
            continue
        is_spoken = statement.sentence.speaker is not None or (
            earlier is not None and fact is None and earlier.sentence.speaker is not None
        )
        mark = (statement.subject, statement.attribute, statement.sentence.chapter.id)
        if statement.sentence.chapter.id not in wanted or mark in reported:
            continue
        reported.add(mark)
        assert here >= 0
        yield ContinuityFinding(
            "N03",
            "warn" if is_spoken else "error",  # people err, and lie
            statement.sentence.chapter.id,
            statement.sentence.start,
            statement.sentence.end,
            statement.sentence.quote(),
            statement.subject,
            expected,
            statement.value,
            other,
            quote,
            {"attribute": statement.attribute},
        )
    yield from _gone_things(book, sentences, wanted)


def _statements(
    book: Book, sentences: Sequence[StorySentence], years: list[tuple[int, int]]
) -> Iterator[StoryStatement]:
    persons = {name: who.name for who in book.characters for name in who.names}
    things = {name: note.title for note in book.world for name in note.names}
    last, chapter, before = "", "", ""
    for number, sentence in enumerate(sentences):
        if sentence.chapter.id != chapter:
            last, chapter = "", sentence.chapter.id
        if _YEARS.search(sentence.text) and not sentence.remembered:
            years.append((number, _years_in(sentence.text)))
        subjects = [name for name in persons if name in sentence.text]
        if sentence.states_facts:
            is_spoken = sentence.speaker is not None
            yield from of_persons(sentence, persons, sentence.speaker or "" if is_spoken else last)
            yield from of_things(sentence, things | placed(sentence, things))
            yield from of_places(sentence, before)
        before = sentence.text
        if subjects and sentence.speaker is None:
            last = persons[min(subjects, key=sentence.text.find)]


def _ledger(book: Book) -> dict[tuple[str, str], StoryFact]:
    names = {name: who.name for who in book.characters for name in who.names}
    facts: dict[tuple[str, str], StoryFact] = {}
    for fact in book.facts:
        attribute = next(
            (one for one, words in _ATTRIBUTES.items() if fact.attribute.casefold() in words), fact.attribute
        )
        facts[(names.get(fact.subject, fact.subject), attribute)] = fact
    return facts


def _holds(fact: StoryFact, statement: StoryStatement, book: Book) -> bool:
    number = statement.sentence.chapter.number
    return number >= fact.since_chapter and (fact.until is None or number <= fact.until)


def _plain_value(value: str, attribute: str) -> str:
    plain = value.strip()
    if attribute == "惯用手":
        sides = (("左", "左"), ("右", "右"), ("left", "left"), ("right", "right"))
        return next((side for mark, side in sides if mark in plain.casefold()), plain)
    if attribute == "年龄":
        return re.sub(r"\D", "", plain) or plain
    return plain.removesuffix("色")


def _differ(statement: StoryStatement, expected: str) -> bool:
    if statement.attribute == "出生地":
        return not (expected.startswith(statement.value) or statement.value.startswith(expected))
    return statement.value not in (expected, expected.removesuffix("色")) and expected not in (
        "",
        statement.value + "色",
    )


def _grew_older(
    statement: StoryStatement, earlier: StoryStatement | None, expected: str, years: list[tuple[int, int]]
) -> bool:
    """An age may rise where the story says that time has passed, by a year in any case; it never falls."""
    if statement.attribute.endswith("年数") and expected.isdecimal():
        return int(statement.value) - int(expected) in (0, 1) or (bool(years) and int(statement.value) > int(expected))
    if statement.attribute != "年龄" or not expected.isdecimal() or not statement.value.isdecimal():
        return False
    return 0 <= int(statement.value) - int(expected) <= sum(amount for _number, amount in years)


def _years_in(text: str) -> int:
    """How many years a sentence says have passed; a new year or a birthday is one."""
    match = re.search(rf"([0-9]{{1,3}}|[{CHINESE}]{{1,3}})(?:多|来)?年(?:后|以后|之后|过去)", text)
    number = heading_number(match[1]) if match is not None else None
    if number is not None:
        return number + 1
    return _MANY_YEARS if re.search("[多几数]年|许多年|years", text) else 1


_DESTROYED = re.compile(
    "(?:把|将)(?:他|她|自己|那|这|手里|手中|桌上|身上|最后|唯一|仅有|[一二两]|个|块|把|封|张|部|台|本|条|支|"
    "枚|件|的)*(?P<v>[一-鿿]{2,5}?)"
    "(?:给|都|全|一把|一下|狠狠|用力|随手)*(?:摔[在得碎成了]|砸[在得碎成烂了]|烧[了成掉毁]|撕[了成碎]|"
    "扔[进到下出]|丢[进到下]|折[断成]|踩[得碎]|"
    "劈[成开]|捏碎|打碎|碾碎|熔[了成]|沉[入到进]|抛[进入下])"
)


def _destroyed(sentences: Sequence[StorySentence], known: Collection[str]) -> Iterator[str]:
    """Things without a card of which the text tells that they were destroyed."""
    for sentence in sentences:
        if sentence.is_plain and not sentence.denied and not _SPARED.search(sentence.text):
            for form in (_DESTROYED, english.DESTROYED):
                for match in form.finditer(sentence.text):
                    thing = match["v"] or match["w"] if form is english.DESTROYED else match["v"]
                    if not any(thing in one or one in thing for one in known):
                        yield thing


_TAKEN = re.compile(
    "(?:[掏摸拿取亮抽举捧][出起着]|[握戴佩挂揣]着|[翻展拆]开)[了一那这他她的只把枚块张条支本串面方根]{0,5}?"
    "(?P<v>[一-鿿]{2,3})(?=[，。；！？、…]|$)"
)
_OF_MANY = tuple("杯碗盘碟瓶壶灯烟茶酒水饭菜信纸布钱手臂腿脚头脸眼指子们里上下中")
"""Endings of what there is another of on every table, of limbs, and of words that are no name of a thing."""


def _belongings(sentences: Sequence[StorySentence], known: Collection[str]) -> Iterator[str]:
    """Things without a card that somebody takes in the hand, that are called somebody's elsewhere, and that stand in
    a sentence about something lost or destroyed."""
    told = [sentence.text for sentence in sentences if sentence.is_plain]
    lost = "\n".join(text for text in told if _GONE.search(text))
    owned: set[str] = set()
    for text in told:
        for match in _OWNED.finditer(text):
            owned |= {match[1], match[1][:2]}
    pointed = Counter(match[0] for text in told for match in _POINTED.finditer(text))
    things = {words for words, times in pointed.items() if times >= 2}
    taken = {match["v"] for text in told for match in _TAKEN.finditer(text)}
    things |= {thing for thing in taken & owned if not thing.endswith(_OF_MANY)}
    for thing in sorted(things):
        if thing in lost and not any(thing in one or one in thing for one in known):
            yield thing


def _is_another(name: str, text: str) -> bool:
    return bool(_OTHER.search(text) or english.OTHER.search(text) or f"备用{name}" in text or f"备用的{name}" in text)


def _is_used(name: str, text: str) -> bool:
    place = text.find(name)
    near = text[max(0, place - 10) : place + len(name) + 8]
    return _USED.search(near) is not None or english.USED.search(text[max(0, place - 24) : place]) is not None


def _is_destroyed(name: str, text: str) -> bool:
    start = max(0, text.find(name) - 12)
    for match in _GONE.finditer(text, start):
        clause = text[start : match.start()].rpartition("，")[2]
        if name in clause or not re.search("[把将]", clause):
            return True
    return any(name in (match["v"] or match["w"]) for match in english.DESTROYED.finditer(text))


def _gone_things(book: Book, sentences: Sequence[StorySentence], wanted: frozenset[str]) -> Iterator[ContinuityFinding]:
    """A thing that was destroyed or lost is used again, and nobody has mended or found it."""
    items = {name: note.title for note in book.world if note.kind == "item" for name in note.names}
    items |= {name: name for name in _destroyed(sentences, items)}
    items |= {name: name for name in _belongings(sentences, items)}
    gone: dict[str, StorySentence] = {}
    for sentence in sentences:
        for name, title in items.items():
            if name not in sentence.text or not sentence.is_plain:
                continue
            if _is_another(name, sentence.text):
                continue
            if _BACK.search(sentence.text):
                gone.pop(title, None)
            elif title in gone:
                if _is_used(name, sentence.text) and not sentence.denied and sentence.chapter.id in wanted:
                    loss = gone.pop(title)
                    yield ContinuityFinding(
                        "N03",
                        "error",
                        sentence.chapter.id,
                        sentence.start,
                        sentence.end,
                        sentence.quote(),
                        title,
                        "",
                        "",
                        loss.chapter.id,
                        loss.quote(),
                        {"attribute": "gone"},
                    )
            elif _is_destroyed(name, sentence.text) and not _SPARED.search(sentence.text):
                gone[title] = sentence
