"""A chapter as sentences of narration: what is said in quotation marks masked, and how each is meant.

A sentence that is remembered, dreamt, supposed, denied or read out of a letter contradicts nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..model.project import Chapter

MASK = "\x01"
"""Stands for every sign inside quotation marks, so that places stay places."""
_PAIRS = {"“": "”", "「": "」", "『": "』", "‘": "’", "《": "》"}
_SPOKEN = frozenset("“「『‘")
_SENTENCE = re.compile(
    r"(?:[^。！？!?；;…\n.]|\.(?![\s\"”]|$)|(?<=\b[DM]r)\.|(?<=\bMrs)\.|(?<=\bSt)\.|"
    r"(?<=\b[A-Z])\.)+[。！？!?；;….\n]*"
)
_REMEMBERED = re.compile(
    "回忆|记忆|[想忆]起(?![^，。]{1,8}，(?:便|就|于是|连忙|急忙|赶紧|转身|起身))|想到从前|记得|梦[里中见]|梦到|"
    "当年|那年(?!轻)|那一年|做[了着]?(?:个|一个)?梦|从前|曾经|"
    "曾[在对跟与和说教给用是有把]|生前|过去的|往事|往昔|"
    "(?:[一二三四五六七八九十两几百多数\\d]{1,6}|多|许多|好些)年前|小时候|儿时|幼时|少年时|"
    "年轻时|童年|活着的时候|在世时|昔日|早年|"
    "那时候?|当时|rememb|dream|years (?:ago|before)|once had|used to|"
    "as a (?:child|boy|girl)|was a (?:child|boy|girl)|back then|memory|had (?:once|been)",
    re.IGNORECASE,
)
_OPENS = re.compile(
    "陷入.{0,4}回忆|思绪.{0,6}[回到飘]|回到了?.{0,8}年前|那是.{0,10}年前|做了一个.{0,6}梦|时间倒回|in the dream",
    re.IGNORECASE,
)
_RETURNS = re.compile(
    "回过神|醒[了过来]|惊醒|收回思绪|如今|现在|眼下|此刻|从回忆|梦醒|睁开眼|woke|came back to", re.IGNORECASE
)
_SUPPOSED = re.compile(
    "如果|要是|假如|假使|倘若|若是|若不是|要不是|仿佛|好像|好似|像是|似乎|宛如|恍若|如同|犹如|幻觉|幻影|"
    "幻想|想象|假装|"
    "以为|据说|传说|听说|传闻|传言|听人说|听人讲|传错|谣言|风传|盛传|相传|误传|讹传|谎称|谎报|自称|骗|谎说|撒谎|胡诌|"
    "瞎编|报[上纸]{1,2}说|有人说|都说|莫非|难道|也许|或许|可能|会不会|恐怕|"
    "was (?:only )?said|they sa(?:y|id) that|believed?|supposed|thought (?:that )?(?:he|she)|\\bword was|"
    "\\bif\\b|as though|as if|seemed|imagin|pretend|rumou?r|perhaps|maybe|might|would have",
    re.IGNORECASE,
)
_SIMILE = re.compile(
    "仿佛|好像|好似|像是|似乎|宛如|恍若|如同|犹如|听说|据说|听人[说讲]|as though|as if|seemed", re.IGNORECASE
)
"""Comparisons and hearsay: what stands before them is told all the same."""
_DREAMT = re.compile("梦|回忆|想起|记起|幻|dream|remember", re.IGNORECASE)
_DOCUMENT = re.compile(
    "信[上中里]写|信里|信中|来信|遗书|遗嘱|日记|笔记里|录音|录像|视频里|唱片|留声机|磁带|收音机|广播里|银幕|胶片|"
    "放映|全息|蜡像|塑像|"
    "照片[上里中]|的(?:照片|画像|塑像|录像|剪影)(?=[，。；]|$)|报纸上|合影|合照|相片|毕业照|全家福|画像|"
    "遗像|灵牌|牌位|墓碑|碑[上文]|"
    "雕像|letter said|\\b(?:in|on) the (?:painting|picture|drawing|sketch|film|video|mural|engraving)|diary|"
    "photograph|portrait|recording|gravestone|gramophone|phonograph|statue|voicemail",
    re.IGNORECASE,
)
_PICTURE = re.compile(
    "照片|合影|合照|相片|毕业照|全家福|in the|on the|画像|遗像|灵牌|牌位|墓碑|碑|雕像|蜡像|塑像|photograph|"
    "portrait|gravestone|"
    "statue",
    re.IGNORECASE,
)
"""Of these documents the sentence tells that names them; a letter goes on to the end of its paragraph."""
_DENIED = re.compile(
    "没有?|不是|并非|并未|未曾|从未|不曾|不再|不会|无法|再也|绝不|否认|not\\b|never|n['’]t\\b|no longer", re.IGNORECASE
)
_NO_DENIAL = re.compile(
    "没了(?:气|呼吸|脉搏|心跳)|没能?[挺熬撑]过|没有?能?再?[浮游爬]?上来|没少|没想到|没多久|没过多久|没一会儿|没说什么|再也没有?(?:起来|"
    "站起来|爬起来|醒来|醒过来|睁开)|再也不动|did not survive|"
    "never (?:woke|rose)"
)
"""Denials that tell a death."""
_PERFORMED = re.compile(
    "大幕|幕布|帷幕|落幕|谢幕|台下|戏台|散戏|这一?[场折出]戏|排[练演戏]|彩排|导演|剧本|镜头前|观众|剧组|"
    "curtain|audience|rehears|on stage|the play\\b",
    re.IGNORECASE,
)
"""In a paragraph on a stage who dies gets up again."""
_RETOLD = re.compile("回忆|倒叙|前传|插叙|往事|年前|过去|flashback|before the story|prequel", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StorySentence:
    chapter: Chapter
    start: int
    text: str
    """Narration; what is quoted is masked."""
    remembered_at: int | None
    """Where in it a memory begins, in signs; None: it is none."""
    supposed: bool
    document: bool
    document_at: int
    """Where in it the letter is named that tells the rest, in signs; 0: it is all of it, or none."""
    performed: bool
    """Its paragraph is about a stage: a death in it is part of a play."""
    speaker: str | None = None
    """It is said aloud: by whom, "" where nothing tells; None: narration."""

    @property
    def remembered(self) -> bool:
        return self.remembered_at is not None

    @property
    def is_plain(self) -> bool:
        """Told as what happens now."""
        return not (self.remembered or self.supposed or self.document)

    @property
    def states_facts(self) -> bool:
        """Something of it is told as true: what comes before a memory or a comparison."""
        compared = _SIMILE.search(self.text)
        supposed = self.supposed and (compared is None or _SUPPOSED.search(_SIMILE.sub("", self.text)) is not None)
        return not supposed and (not self.document or self.document_at > 0) and self.remembered_at != 0

    @property
    def is_told_now(self) -> bool:
        """As `is_plain`; a comparison at its end does not matter."""
        return self.states_facts and not self.remembered

    @property
    def lasts(self) -> bool:
        """What it remembers is so to this day, where it lasts by its nature: no dream."""
        return not self.supposed and not self.document and _DREAMT.search(self.text) is None

    @property
    def denied(self) -> bool:
        return _DENIED.search(_NO_DENIAL.sub("", self.text)) is not None

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def quote(self, most: int = 80) -> str:
        """As it stands in the chapter."""
        return self.chapter.text[self.start : self.end].strip()[:most]


def masked(text: str) -> str:
    """The text with everything between quotation marks replaced, sign for sign; a mark that is never closed ends with
    its paragraph."""
    signs = list(text)
    open_at, closing = -1, ""
    straight = -1
    for place, sign in enumerate(text):
        if sign == "\n":
            if open_at >= 0:
                _hide(signs, open_at, place)
            open_at, closing, straight = -1, "", -1
        elif closing:
            if sign == closing:
                _hide(signs, open_at, place)
                open_at, closing = -1, ""
        elif sign in _SPOKEN and not (sign == "‘" and place and text[place - 1].isalpha()):
            open_at, closing = place, _PAIRS[sign]
        elif sign == '"':
            if straight < 0:
                straight = place
            else:
                _hide(signs, straight, place)
                straight = -1
    if open_at >= 0:
        _hide(signs, open_at, len(signs))
    return "".join(signs)


def _hide(signs: list[str], start: int, end: int) -> None:
    """Between the marks; the marks themselves stay."""
    for place in range(start + 1, end):
        signs[place] = MASK


def sentences_of(chapter: Chapter) -> list[StorySentence]:
    sentences: list[StorySentence] = []
    text = masked(chapter.text)
    retold = is_retold(chapter)
    at, opened = 0, False
    for line in text.split("\n"):
        remembered, document = opened, False
        performed = _PERFORMED.search(line) is not None
        for match in _SENTENCE.finditer(line):
            piece = match[0]
            if _RETURNS.search(piece) and opened:
                opened = remembered = False
            if _OPENS.search(piece):
                opened = remembered = True
            # A memory may go on to the end of its paragraph; a supposition is one sentence.
            memory = _REMEMBERED.search(piece)
            at_sign = 0 if remembered or retold else memory.start() if memory is not None else None
            remembered = remembered or (memory is not None and _goes_on(piece, memory.start()))
            written = _DOCUMENT.search(piece)
            is_document = document or written is not None
            begins = 0 if document or written is None or _PICTURE.match(written[0]) else written.start()
            document = document or (written is not None and _PICTURE.match(written[0]) is None)
            sentences.append(
                StorySentence(
                    chapter,
                    at + match.start(),
                    piece,
                    at_sign,
                    _SUPPOSED.search(piece) is not None,
                    is_document,
                    begins,
                    performed,
                )
            )
        at += len(line) + 1
    return sentences


def _goes_on(sentence: str, place: int) -> bool:
    """A sentence that begins with a time long past, or tells that somebody remembers, opens a memory; one that only
    names such a time, of a scar or a marriage, does not."""
    return len(sentence[:place].strip("\u3000 ")) <= 2 or _DREAMT.search(sentence) is not None


_SAYS_BEFORE = re.compile(
    r"(?P<who>[^，。！？\s“”]{1,12}?)(?:[又也便就却还都正忽微慢轻缓低大高冷苦淡笑][一-鿿]{0,3})?(?:说道?|问道?|"
    r"答道?|喊道?|道|叫道?|嚷|回答|解释|开口)[：:，,]\s*$"
)
_SAYS_AFTER = re.compile(
    r"^[，,]?\s*(?:(?:said|asked|answered|replied|shouted|whispered|cried) (?P<b>[A-Z][\w.]*(?: [A-Z]\w+)?)|"
    r"(?P<c>[A-Z][\w.]*(?: [A-Z]\w+)?) (?:said|asked|answered|replied)|"
    r"(?P<a>[^，。！？\s“”]{1,12}?)(?:[又也便就却还都正忽微慢轻缓低大高冷苦淡笑][一-鿿]{0,3})?(?:说|问|答|喊|道|"
    r"叫|嚷|回答|解释))"
)
_PRONOUN = re.compile("[他她](?!们)|(?:he|she) (?:said|asked|answered|replied|added|went on)", re.IGNORECASE)
_QUOTED = re.compile('["“「](?P<v>[^"”」“「\n]{2,})["”」]')


def spoken_of(chapter: Chapter, names: Mapping[str, str]) -> list[StorySentence]:
    """What people say in it, sentence by sentence. `names`: each name and alias with the name of its card."""
    spoken: list[StorySentence] = []
    at, last = 0, ""
    for line in chapter.text.split("\n"):
        end = 0
        for quote in _QUOTED.finditer(line):
            last = _first_of(names, line[end : quote.start()]) or last
            end_before, end = end, quote.end()
            before = _SAYS_BEFORE.search(line[max(0, quote.start() - 30) : quote.start()])
            after = None if before is not None else _SAYS_AFTER.match(line[quote.end() : quote.end() + 40])
            words = before["who"] if before else next(filter(None, after.groupdict().values()), "") if after else ""
            who = next((card for name, card in names.items() if name in words), "")
            if not who:
                who = _who_does(line[end_before : quote.start()], line[quote.end() :], names)
            if not who and _PRONOUN.match(words or line[quote.end() : quote.end() + 12].strip(" ,，")):
                who = last
            for match in _SENTENCE.finditer(quote["v"]):
                piece = match[0]
                if piece.rstrip().endswith(("？", "?")):
                    continue
                memory = _REMEMBERED.search(piece)
                supposed, document = _SUPPOSED.search(piece) is not None, _DOCUMENT.search(piece) is not None
                place = at + quote.start("v") + match.start()
                spoken.append(
                    StorySentence(
                        chapter, place, piece, memory.start() if memory else None, supposed, document, 0, False, who
                    )
                )
        last = _first_of(names, line[end:]) or last
        at += len(line) + 1
    return spoken


_GESTURE = re.compile("[一-鿿A-Za-z]")


def _who_does(before: str, after: str, names: Mapping[str, str]) -> str:
    """Who does something right before or after a speech that no verb of saying tells of: 沈沧拍着马脖子."""
    if before.rstrip().endswith(("：", ":")):
        return _first_of(names, re.split("[。！？!?]", before)[-1])
    for name in sorted(names, key=len, reverse=True):
        if after.lstrip().startswith(name) and _GESTURE.match(after.lstrip()[len(name) :].lstrip()):
            return "" if after.lstrip()[len(name) :].startswith(("的", "'s", "’s")) else names[name]
    return ""


def _first_of(names: Mapping[str, str], text: str) -> str:
    """Who is named first in a piece of narration."""
    places = [(place, -len(name), card) for name, card in names.items() if (place := text.find(name)) >= 0]
    return min(places)[2] if places else ""


def is_supposed(text: str) -> bool:
    return _SUPPOSED.search(text) is not None


def is_retold(chapter: Chapter) -> bool:
    """Whether the chapter as a whole tells what was before: its title, notes or time in the story say so."""
    description = " ".join((chapter.title, chapter.notes, chapter.outline.time_in_story, chapter.outline.purpose))
    return _RETOLD.search(description) is not None


CLAUSE = re.compile(r"[^，,、：:—\n]+")


def clauses_of(sentence: StorySentence) -> list[tuple[int, str]]:
    """Pieces between commas, with their place in the chapter."""
    return [(sentence.start + match.start(), match[0]) for match in CLAUSE.finditer(sentence.text)]


def told_clauses(sentence: StorySentence) -> list[tuple[int, str]]:
    """Those before a memory or a comparison begins."""
    until = sentence.end if sentence.remembered_at is None else sentence.start + sentence.remembered_at
    if sentence.document_at:
        until = min(until, sentence.start + sentence.document_at)
    if (compared := _SIMILE.search(sentence.text)) is not None:
        until = min(until, sentence.start + compared.start())
    clauses = []
    for start, clause in clauses_of(sentence):
        if start + len(clause) <= until:
            clauses.append((start, clause))
        elif start < until and (compared is not None or sentence.document_at):
            clauses.append((start, clause[: until - start]))
    return clauses
