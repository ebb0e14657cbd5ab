"""Force, neglect and promises by what stands together in one sentence: wordings differ, their parts do not.

A child that does not want to and somebody who goes on; a treat and a condition; a grown-up and the way out.
"""

# ruff: noqa: E501 - lists of words: a group to a line reads best

from __future__ import annotations

import re
from collections.abc import Iterator

from .context import harmless_as
from .kinds import KINDS
from .text import is_forbidden, is_ruled_out

_UNWILLING = re.compile(
    r"推开|捂住?耳|捂住?眼|躲开|躲到|哭|尖叫|挣扎|抗拒|反抗|害怕|不愿|不肯|不想|扭开|逃开|说不|"
    r"\b(?:pull|push|turn|back|run|walk|crawl|wriggle)(?:s|es)? away\b|\bcr(?:y|ies|ying)\b|\bscreams?\b|\bprotests?\b|\brefuses?\b|\bresists?\b|"
    r"\bsays? no\b|\bwants? (?:to leave|to stop|out)\b|\bstruggles?\b|\bcovers? (?:his|her) (?:ears|eyes)|\bis (?:afraid|scared|upset)"
)
_PERSISTING = re.compile(
    r"坚持|继续|做完|握紧|抓紧|用力|再来|不放|也要|必须|一定要|别停|不要停|强忍|直到完成|到(?:他|她|孩子)不|就(?:抓|按|拉|压|塞)(?:着|住)|"
    r"\b(?:keep (?:going|on|at it)|carry on|continue|hold on|firmly|tightly|tighter|harder|insist|push through|anyway|regardless|must finish|repeat it|don't stop|do not stop|again and again)\b"
)
_YIELDING = re.compile(
    r"停下|就停|马上停|松开|放开|放手|道歉|换一|休息|抱一抱|等他|等她|跟着|不要继续|不继续|结束|不坚持|不强|或者不|也可以不|不来也|"
    r"\b(?:stop at once|stop when|then stop|let go|pause|offer|wait|comfort|end the game|follow|do not (?:continue|insist|carry|keep)|don't (?:continue|insist|carry|keep)|never (?:insist|continue|carry)|or not)\b|, stop\b|\bstop(?:ping)? (?:if|as soon)"
)
_TRAPPED = re.compile(
    r"\b(?:sit|kneel|lie|lean|stand|step)(?:ting|ing|s)? on (?:him|them|her(?= ?(?:$|[,;:]|until|till|so|and|to))|(?:his|her|their) (?:\w+ )?(?:hands?|arms?|legs?|feet|foot|back|chest|tummy|belly|body|fingers|shoulders|stomach))\b|\bso (?:that )?(?:he|she|they) (?:cannot|can't|can not|won't be able to|has no way|is unable) \w+|"
    r"(?:让|使|叫)(?:他|她|孩子)(?:跑|动|逃|走|挣|躲|起|离)(?:脱)?不(?:了|开|掉)|动弹不得|(?:骑|坐|压|跪)在(?:他|她|孩子)(?:的)?(?:腿|身|背|手)|"
    r"把(?:他|她|孩子)的?(?:脸|头|下巴|手|身子|身体)(?:硬|强)?(?:转|扳|掰|按|压|拉|扭|摁)|\b(?:block|bar|stand in front of)(?:s|ing)? the (?:exit|door|doorway|way)|"
    r"(?:笑话|取笑|嘲笑|挖苦|讽刺|笑)(?:他|她|孩子)(?:像|是|笨|胆小|不|没|连)|\b(?:laugh at|mock|tease|ridicule)s? (?:him|her|them)\b"
)
_TREAT = r"(?:tablet|tv|television|toys?|screen|ipad|phone|park|story|cartoons?|outing|treats?|sweets|play ?time|hug|cuddle|snack|dinner|dessert)"
_DEPRIVED = re.compile(
    rf"\b(?:if|unless|when)\b.{{0,50}}\bloses? (?:his|her|the|a) (?!round|game|turn|match|race)|\bno (?:more )?{_TREAT}\b.{{0,30}}\b(?:if|until|unless|when|for (?:a|the|two|three|one))\b|\b(?:if|unless|when)\b.{{0,40}}\b(?:no (?:more )?{_TREAT}|loses? (?:his|her|the) \w+|goes to bed|take (?:his|her|the) \w+ away)\b|"
    r"(?:如果|要是|只要|没有?|不|错)[^.!?;]{1,14}(?:就|便|则)?(?:不许|不准|不能|别想|没有|取消|扣)(?:再)?(?:看|玩|去|吃|听|有)?(?:电视|平板|动画|手机|公园|故事|零食|玩具|晚饭|抱抱|糖|饼干)"
)
_UNNEEDED = re.compile(
    r"\b(?:doctors?|therapists?|therapy|medication|medicine|hospitals?|specialists?|treatment)\b(?: \w+){0,3} (?:(?:is|are|becomes?|will be) )?(?:not |no longer |never |hardly )?(?:needed|necessary|required|unnecessary|superfluous|a waste|pointless|useless)\b|"
    r"(?:医生|医院|治疗|康复|药物?|机构|语训|复诊)[^.!?;]{0,6}(?:没必要|没用|多余|用不着|不需要|可以不|不必|都不用|可以停)|"
    r"\bforget (?:about )?(?:the|his|her|your) (?:\w+ ){0,2}(?:doctor|therap\w+|medic\w+|specialist|appointments?)|(?:回到|恢复|达到|变回)(?:了)?正常(?:水平|范围|值)?|(?:量表|评估|测评)[^.!?;]{0,8}(?:正常|达标|满分)|\b(?:test|assessment|scale)s? scores?\b.{0,30}\bnormal"
)
_NEEDED_AFTER_ALL = re.compile(r"(?<!not )(?<!no longer )(?<!never )(?<!hardly )\b(?:needed|necessary|required)\b")
_LEAVING = re.compile(
    r"\b(?:pop|nip|run|head|dash|slip|step|sneak|go) (?:out|off|downstairs|upstairs|next door|outside|(?:over )?to the (?:shops?|store|kitchen|garage|office|basement|neighbou?r\w*))\b|"
    r"(?:你|您|大人|家长|妈妈|爸爸|奶奶|爷爷)[^,.!?;]{0,4}(?:下楼|出去|出门|上楼|外出|取快递|取个快递|去取|买东西|买菜|倒垃圾|抽(?:根|支)?烟|到阳台|去阳台|去楼|晾衣|洗碗|加班|处理工作|开会|去忙)"
)
_TOGETHER = re.compile(
    r"假装|扮演|一起|带着?(?:他|她|孩子)|pretend|together|with (?:him|her|your child|the child)(?! in it| inside| there)|hand in hand|let(?:'s| us)|like a"
)


def _is_excluded(code: str, sentence: str, hit: re.Match[str]) -> bool:
    before, after = sentence[: hit.start()], sentence[hit.end() :]
    return is_forbidden(before) or is_ruled_out(after) or bool(harmless_as(code, before, hit[0], after, "conduct"))


def conduct(sentence: str) -> Iterator[tuple[str, str]]:
    """Codes with the words they were found by, of one folded sentence."""
    unwilling, persisting = _UNWILLING.search(sentence), _PERSISTING.search(sentence)
    if unwilling and persisting and not _YIELDING.search(sentence):
        yield "S11", f"{unwilling[0]} … {persisting[0]}"
    for pattern in (_TRAPPED, _DEPRIVED):
        hit = next((one for one in pattern.finditer(sentence) if not _is_excluded("S11", sentence, one)), None)
        if hit is not None:
            yield "S11", hit[0]
    if (hit := _UNNEEDED.search(sentence)) and not _NEEDED_AFTER_ALL.search(hit[0]):
        yield "S12", hit[0]
    if (hit := _LEAVING.search(sentence)) and not _TOGETHER.search(sentence[max(0, hit.start() - 14) :]):
        yield "S13", hit[0]
    for kind in KINDS:
        if kind.excused is not None and kind.excused.search(sentence):
            continue
        hit = next((one for one in kind.pattern.finditer(sentence) if not _is_excluded(kind.code, sentence, one)), None)
        if hit is not None:
            yield kind.code, hit[0]
