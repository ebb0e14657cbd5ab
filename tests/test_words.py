"""One word per thing, in both languages: what a person reads holds to the glossary.

A line says which word is not used and what is said instead; `where` narrows it to a message that means the thing.
"""

from __future__ import annotations

import re
from pathlib import Path

from app.core.text.i18n import read_po

CATALOGUE = Path(__file__).parents[1] / "resources" / "i18n" / "zh_CN.po"

NOT_CHINESE = {
    "按快捷方式": "按快捷键",
    "密钥环": "钥匙串",
    "推理窗格|推理过程|思考窗格": "推理面板, 推理",
    "偏好设置|首选项": "设置",
    "已完成[。，]?$": "完成",
    "读入": "读取",
    "您": "你",
    "智能代理": "智能体",
    "垃圾桶|垃圾箱|废纸篓": "回收站",
    "供应商(?!品)|提供商": "服务商",
    "计算机": "电脑",
    "词元": "token",
    "更改": "修改, 改动",
    "答复": "回答, 回应",
    "耗时": "用时",
    "临时对话": "临时会话",
}
NOT_ENGLISH = {
    r"\bThrown away\b": "Deleted on",
    r"\bStays for\b": "Kept for",
    r"\b[Tt]ake(?:n)? back\b": "Restore, Undo",
    r"\bUsual keys\b": "Restore defaults",
    r"\bCopies\b": "Backups",
    r"\bshall\b": "should, or another question",
    r"\bwill stand here\b": "appears here",
    r"\breckoned\b|\bways are counted\b": "calculated, distances count from",
    r"^Try again$": "Retry",
    r"^Open providers$": "Open provider settings",
    r"\bin all\b": "together, altogether",
    r"\b[Mm]ake a copy of everything\b|\bcopy now\b|\b(?:good|sound|newer) cop(?:y|ies)\b(?! is used)": "backup",
    r"\bthis machine\b": "this computer",
    r"\bSees images\b|\bsees no images\b": "pictures",
    r"\b[Pp]references\b": "settings",
    r"\bV\d\d\b": "the sentence without the code",
}


def found(texts: list[str], words: dict[str, str]) -> list[str]:
    return [
        f"{text!r}: {match.group()} – say {better}"
        for word, better in words.items()
        for text in texts
        if (match := re.search(word, text))
    ]


def test_a_thing_has_one_word_in_either_language() -> None:
    messages = read_po(CATALOGUE)
    assert len(messages) > 2_000
    assert found(list(messages.values()), NOT_CHINESE) == []
    assert found(list(messages), NOT_ENGLISH) == []


def test_step_is_said_of_steps_alone() -> None:
    """步 is a step of a plan; a request to the model, a move, an operation or a stage has another word."""
    others = re.compile(r"\bmoves?\b|\bstages?\b|\boperations?\b|\brequests?\b|ReAct", re.IGNORECASE)
    wrong = {
        en: zh for en, zh in read_po(CATALOGUE).items() if others.search(en) and re.search("第.{0,8}步|[一每]步", zh)
    }
    assert wrong == {}
