"""Things that were destroyed, lost or given away and are used again: N03."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from ..model.project import Book
from . import english
from .finding import ContinuityFinding
from .sentences import StorySentence
from .things import is_another

_SPARED = re.compile("差点|险些|几乎|没有?[碎断毁丢]|不会|要是")
_GONE = re.compile(
    "碎成|碎了|摔碎|砸碎|沉进|沉没|落[进入]|坠[入进]|滚[进入]|滑[进入]|[冲卷漂飘]走|烧尽|烧成|烧毁|烧掉|焚毁|"
    "化为灰烬|沉入|沉到|丢进|扔进|掉进|毁了|毁于|"
    "折断|断成|断为|摔在|砸在|踩得粉碎|踩碎|撕碎|撕成|撕了|烧了|捏碎|打碎|抛[进入下]|熔|融成|卖掉|当掉|"
    "送给了|被.{0,6}抢走|被.{0,6}偷走|遗失|弄丢|丢了"
)
_USED = re.compile(
    "(?:拿|取|掏|拔|抽|摸|亮|端|捧|举)(?:出|起|着)|握(?:着|住|紧)|戴(?:着|上)|佩(?:着|上)|"
    "挂(?:着|在|起)|点(?:亮|着|起|上|燃)|把玩|摩挲|挥|吹(?:起|响)|弹(?:起|奏)|[打翻展拆]开|插回|擦"
)
_BACK = re.compile("找回|修好|修补|粘好|补好|重铸|重打|赎回|失而复得|还回|捞[起上]")
_POINTED = re.compile(
    "那[封把本幅张枚盏顶面串卷支块只](?:[一-鿿]{1,2})?"
    "(?:信|刀|剑|书|画|伞|灯|旗|琴|箫|笛|帽子|照片|地图|钥匙|镜子|扇子)"
)
_OWNED = re.compile("(?<=的)(?=([一-鿿]{2,3}))")

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
                    thing = next(filter(None, match.groups()), "")
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
    texts = [sentence.text for sentence in sentences if sentence.is_plain]
    lost = "\n".join(text for text in texts if _GONE.search(text))
    owned: set[str] = set()
    for text in texts:
        for match in _OWNED.finditer(text):
            owned |= {match[1], match[1][:2]}
    pointed = Counter(match[0] for text in texts for match in _POINTED.finditer(text))
    things = {words for words, times in pointed.items() if times >= 2}
    taken = {match["v"] for text in texts for match in _TAKEN.finditer(text)}
    things |= {thing for thing in taken & owned if not thing.endswith(_OF_MANY)}
    for thing in sorted(things):
        if thing in lost and not any(thing in one or one in thing for one in known):
            yield thing


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
    return any(name in next(filter(None, match.groups()), "") for match in english.DESTROYED.finditer(text))


def gone_things(book: Book, sentences: Sequence[StorySentence], wanted: frozenset[str]) -> Iterator[ContinuityFinding]:
    """A thing that was destroyed or lost is used again, and nobody has mended or found it."""
    items = {name: note.title for note in book.world if note.kind == "item" for name in note.names}
    items |= {name: name for name in _destroyed(sentences, items)}
    items |= {name: name for name in _belongings(sentences, items)}
    gone: dict[str, StorySentence] = {}
    for sentence in sentences:
        for name, title in items.items():
            if name not in sentence.text or not sentence.is_plain:
                continue
            if is_another(name, sentence.text):
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
