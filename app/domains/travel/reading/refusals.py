"""Whether a sentence refuses the place it names: "别安排X", "X就算了", "scrap the X", "X is a definite no".

Patterns of words, not a list of sentences: a negative word, the verbs that may follow it, then the place – or the
place, what may stand between, then the negative word. What looks like one and is none ("X不要错过",
"要不要去X") is excepted.
"""

from __future__ import annotations

import re

_ZH_VERBS = "去|看|逛|爬|玩|安排|排|加|走|进|打卡|参观|来|坐|上|考虑|买|要|包括|包含|含"
_ZH_BEFORE = re.compile(
    rf"(?:(?<![特区分级告])别|甭|勿|(?P<no>不)|没必要|不必|无需|除了|除开|除去|避开|跳过|略过|取消|删[掉除了]?|去掉|拿掉|砍掉|划掉|剔除|撤掉|换掉"
    rf"|放弃|排除|免了|省掉|省去|(?<!没)(?<!未)[去看玩逛]过了?)"
    rf"(?:再|太|怎么|是很|很|大)?(?:想|要|用|必|打算|准备|喜欢|爱|感兴趣)?(?:再)?(?P<verb>{_ZH_VERBS})?(?:了)?(?:那个|那些|这个|任何|什么)?$"
)
_ZH_BETWEEN = (
    r"(?:那边|那里|那个|这个|景区|公园|博物馆|什么的|之类的?|这些|这种)?(?:太[^,。;]{1,4}[,，]?)?"
    r"(?:就|也|都|还是|先|可以|我们|咱们|我|他们|这次|实在|真的|其实|暂时|已经|早就|都已|全|统统|一律|,|，)*"
)
_ZH_BEHIND = re.compile(
    rf"{_ZH_BETWEEN}(?:不(?:想|要|用|必|打算|准备)?再?(?:去|看|逛|爬|玩|要|安排|排|考虑|打卡|参观)|不要|不了|别(?:再)?(?:去|看|逛|爬|排|安排|放|要|了)"
    r"|算了|免了|就免|跳过|略过|忽略|取消|删|去掉|拿掉|砍掉|剔|划掉|踢掉|撤掉|没兴趣|没意思|不感兴趣|兴趣不大|兴趣不高|不感冒|[去看玩逛]过了?"
    r"|去腻|pass|放弃|省了|拉倒|拜拜)"
    r"(?!.{0,3}(?:错过|忘|漏|门票|预约|排队|钱|吗|么|\?|动|不行|不可|可惜))"
)
_EN_FILL = (
    r"(?:\s+(?:go|going|to|visit|visiting|see|seeing|do|doing|the|any|all|that|those|these|about|with|want|wanna|feel|"
    r"like|think|care|fancy|for|bother|of|more|at|really|whole|too|many|include|including|plan|on|interested|in|keen|"
    r"into|out|off|anything|stuff|please|just|then))*"
)
_EN_BEFORE = re.compile(
    r"\b(?:no|not|nor|without|skip|skipping|scrap|scrapping|ditch|ditching|drop|dropping|lose|bin|cut|forget|remove|"
    r"removing|delete|cancel|omit|exclude|excluding|except|avoid|avoiding|axe|pass on|give up|leave out|leave off|"
    r"leaving out|take out|take off|cross off|cross out|strike|hate|hates|dislike|instead of|rather than|other than|"
    r"apart from|besides|(?<!haven't )(?<!never )(?<!not )been to|already (?:seen|did|done|visited|been to)|"
    r"i've (?:seen|done|visited)|we've (?:seen|done|visited)|don't|dont|doesn't|do not|does not|can do without|"
    r"could do without|tired of|bored of|sick of|had enough of|get rid of|rid of|minus|swap out|lukewarm on)"
    rf"{_EN_FILL}\s*$"
)
_EN_BEHIND = re.compile(
    r"\s*(?:(?:is|are|was|'s|can be|should be|seems|sounds)\s+)?(?:(?:a|an|just|definitely|really|so)\s+)*"
    r"(?:(?:definite|absolute|hard|big|firm|clear)\s+)?"
    r"(?:no\b(?!w| problem| matter| later)|nope|no-no|no go|not (?:for (?:us|me)|needed|necessary|interesting|"
    r"our thing)|"
    r"isn't (?:for|our|my)|aren't (?:for|our|my)|isn't necessary|can go\b(?! to| on| at| in| first| second| last)|"
    r"has to go\b(?! on| to| in| first)|(?<=is )out\b|(?<=are )out\b|off the (?:list|table|plan)|"
    r"doesn't (?:interest|appeal)|don't (?:interest|appeal)|does not (?:interest|appeal)|miss\b|skip\b)"
)


def is_refused_before(before: str) -> bool:
    """`before` is the normalised text in front of the place."""
    part = re.split(r"[,，。;；.!！?？]", before)[-1].removesuffix(" the").removesuffix(" a")
    if _EN_BEFORE.search(part):
        return True
    match = _ZH_BEFORE.search(before.rstrip())
    if match is None:
        return False
    head = before[: match.start()]
    if match["no"] and (head.endswith(("能", "得", "可", "要", "会", "是", "差")) or _asks(head, match["verb"])):
        return False
    return not head.endswith(("没", "未", "从没", "还没"))


def _asks(head: str, verb: str | None) -> bool:
    """去不去, 看不看."""
    return bool(verb) and head.endswith(str(verb))


def is_refused_behind(behind: str) -> bool:
    """`behind` is the normalised text from the end of the place on."""
    clause = re.split(r"[。;；!！]", behind)[0]
    match = _ZH_BEHIND.match(clause.lstrip())
    if match is not None:
        # "X，不去Y" is about Y.
        joined = clause.lstrip()[:1] in (",", "，")
        return not joined or clause.lstrip()[match.end() :].strip("了吧呢啊的 ") in ("", ",", "，")
    return _EN_BEHIND.match(clause) is not None
