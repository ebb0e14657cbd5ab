"""Statements of a person that are worth remembering, read from what they typed. Rules only: no model is asked.

Only what the person wrote is read, never an answer, a file or a result. Each pattern is anchored at the beginning of
a short sentence and has no nested repetition, so the time is linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST_TEXT = 4_000
"""Characters that are read: what is longer was pasted, not said."""
LONGEST_SENTENCE = 160
MOST = 5

_SENTENCE = re.compile(r"[^。！？；;!?\n]+")
_EXPLICIT = re.compile(
    r"^(?:请|麻烦)?(?:你)?(?:帮我)?记(?:住|得|一下)[，,：:\s]*(?P<zh>.+)$"
    r"|^(?:please\s+)?(?:remember|keep in mind|note)(?:\s+that|:)\s+(?P<en>.+)$",
    re.IGNORECASE,
)
_FRAMES: tuple[tuple[str, str], ...] = (
    # about (a key with one value at a time, or ""), pattern of the whole sentence
    ("name", r"(?:我叫|我的名字是|叫我)\S{1,20}"),
    ("name", r"(?:my name is|call me)\s+.{1,40}"),
    ("home", r"我(?:现在)?(?:住在|家在|搬到|搬去|定居在?)(?!哪).{1,30}"),
    ("home", r"i(?:'ve| have)?\s+(?:now\s+)?(?:live in|moved to|am based in)\s+.{1,40}"),
    ("home", r"i'm based in\s+.{1,40}"),
    ("work", r"我(?:是|做)(?:一名|一个|个|名)(?!问题).{1,30}"),
    ("work", r"我在.{1,20}(?:工作|上班|上学|读书)"),
    ("work", r"i(?:'m| am) an? .{2,40}"),
    ("work", r"i work (?:as|at|for|in)\s+.{1,60}"),
    ("", r"我(?:对.{1,15}过敏|不吃.{1,20}|吃素|不喝.{1,20}|(?:有|得了).{1,12}(?:病|症|过敏))"),
    ("", r"i(?:'m| am) (?:allergic to .{1,40}|vegetarian|vegan|diabetic|pregnant|lactose intolerant)"),
    ("", r"i (?:don't|do not|can't|cannot) (?:eat|drink|drive|walk|climb|fly) .{1,60}"),
    ("", r"我(?:最|很|非常|比较|一直)?(?:喜欢|讨厌|不喜欢|偏好|习惯|害怕|怕).{1,40}"),
    ("", r"i (?:really )?(?:like|love|hate|dislike|prefer|enjoy|always|never|usually)\s+.{2,80}"),
    ("", r"我(?:有|养了)(?:一|两|三|四|几|\d).{1,30}(?:孩子|儿子|女儿|狗|猫|车|房)"),
    ("", r"我(?:的)?(?:妻子|丈夫|老婆|老公|女朋友|男朋友|孩子|儿子|女儿|父母|爸爸|妈妈|爸妈|同事|老板).{2,40}"),
    ("", r"my (?:wife|husband|partner|girlfriend|boyfriend|son|daughter|kids?|children|parents)\s+.{2,80}"),
    ("", r"my (?:mother|father|boss|team|dog|cat|doctor)\s+.{2,80}"),
    ("", r"i have (?:a|an|one|two|three|four|\d+) (?:kids?|children|sons?|daughters?|dogs?|cats?|cars?)\b.{0,60}"),
    ("", r"(?:以后|今后|从现在起|从今以后).{2,60}"),
    ("", r"(?:from now on|in (?:the )?future),? .{3,80}"),
)  # fmt: skip
_COMPILED = tuple((about, re.compile(f"^{pattern}$", re.IGNORECASE)) for about, pattern in _FRAMES)
_QUESTION_WORDS = re.compile(r"什么|怎么|哪|几点|多少|吗$|呢$|谁|为什么|是否|要不要|能不能|可不可以")


@dataclass(frozen=True, slots=True)
class Statement:
    text: str
    about: str = ""
    is_request: bool = False
    """The person asked for it to be remembered."""


def statements(text: str) -> list[Statement]:
    """At most MOST of them, in their order. A question states nothing."""
    found: dict[str, Statement] = {}
    if len(text) <= LONGEST_TEXT:
        for sentence in _sentences(text):
            statement = _read(sentence)
            if statement is not None:
                found.setdefault(statement.text.casefold(), statement)
    return list(found.values())[:MOST]


def _sentences(text: str) -> Iterator[str]:
    for match in _SENTENCE.finditer(text):
        end = text[match.end() : match.end() + 1]
        # "I am vegetarian. We leave on Friday": full stops end English sentences, but stand inside numbers too.
        pieces = re.split(r"\.\s+", match.group())
        for place, piece in enumerate(pieces, 1):
            sentence = piece.strip(" \t，,、.")
            is_question = place == len(pieces) and end in ("?", "？")
            if not is_question and 2 <= len(sentence) <= LONGEST_SENTENCE:
                yield sentence


def _read(sentence: str) -> Statement | None:
    if match := _EXPLICIT.match(sentence):
        return Statement((match["zh"] or match["en"] or "").strip(), _about(match["zh"] or match["en"]), True)
    if _QUESTION_WORDS.search(sentence):
        return None
    for clause in _clauses(sentence):
        for about, pattern in _COMPILED:
            if pattern.match(clause):
                return Statement(sentence, about)
    return None


def _clauses(sentence: str) -> Iterator[str]:
    yield sentence
    for piece in re.split(r"[，,]", sentence):
        if piece.strip() != sentence:
            yield piece.strip()


def _about(text: str) -> str:
    return next((about for about, pattern in _COMPILED if about and pattern.match(text.strip())), "")
