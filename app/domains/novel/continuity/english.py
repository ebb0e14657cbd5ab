"""What an English sentence states of a person or a thing: the same attributes as `statements`, by English forms."""

from __future__ import annotations

import re

CHANGES = re.compile(
    r"\b(?:dyed|(?<!never )(?:learned|learnt)|healed|wig|contact lenses|no longer|since then|from then on|"
    r"had begun to|"
    r"bandage\w*|injured|"
    r"new|another|replaced|sprained|in a sling|repainted|painted|shaved|shaven off|grew a|had grown|promoted)\b",
    re.IGNORECASE,
)
PLACED = re.compile(
    r"\b[Tt]he (?P<v>[a-z]+(?: [a-z]+)?)(?: of [A-Z]\w*(?: [A-Z]\w*)*)? "
    r"(?:stood|lay|stands|lies|was built|is built|sat|rose) "
    r"(?:\w+ )?(?:(?:on|at|in|to) the )?(?P<d>north|south|east|west)(?:ern)?\b",
)
DESTROYED = re.compile(
    r"\b(?:(?:took|carried|picked up|seized|grabbed|pulled off|drew off|slipped off|snatched) (?:up )?(?:the|his|"
    r"her) (?P<z>(?:silver |gold |old |pocket |only ){0,2}[a-z]{3,})\b[^.;]{0,60}\b(?:threw|flung|dropped|tossed|"
    r"hurled|smashed|burned|burnt|crushed|tore|sank|broke) it\b|(?:threw|flung|dropped|tossed|hurled|let) (?:the|"
    r"his|her) (?P<v>(?:[a-z]+ )?[a-z]+?)(?: from "
    r"[^,.;]{1,30}?| out of [^,.;]{1,30}?| fall)? "
    r"(?:into|in|to|over|overboard|away|as far as)\b|(?:burned|burnt|smashed|shattered|crushed|melted|tore up|"
    r"broke) (?:the|"
    r"his|her) (?P<w>(?:[a-z]+ )?[a-z]+?)"
    r"(?= (?:into|to|in|against|with|on|and|over)\b|[,.;]|$)|\b(?:sold|pawned|lost|gave away|traded|buried|burnt|"
    r"drowned) (?:the|his|her) (?P<x>(?:silver |gold |old |only )?[a-z]{3,})(?= (?:to|for|in|at|on|and|when)\b|"
    r"[,.;]|$)|"
    r"\b(?:[Hh]is|[Hh]er|[Tt]he|['’]s) (?P<u>(?:[a-z]+ )?[a-z]{3,}) (?:burned|burnt|shattered|sank) (?:to|into|"
    r"in|on|at)\b|"
    r"\b(?:[Hh]is|[Hh]er|[Tt]he|['’]s) (?P<y>(?:[a-z]+ )?[a-z]{3,}) (?:was|had been|lay|were|is) (?:\w+ "
    r")?(?:broken|smashed|destroyed|burned|burnt|stolen|lost|sold|shattered|ruined|crushed|sunk|wrecked)\b)"
)
USED = re.compile(
    r"\b(?:took|picked up|held|opened|unlocked|put on|wore|drew|raised|turned|used|pulled out|lifted|carried|"
    r"unfolded|read|pocketed|polished|rode|drove|looked at|glanced at|checked|wound|fired|unsheathed|rang|"
    r"sharpened|played|sailed|mounted|saddled|closed|snapped|touched|twisted|dialled|lit|swung)\b"
)
OTHER = re.compile(
    r"\b(?:another|copy|copies|pieces|ashes|replica|just like|new|second|duplicate|spare|similar|found again|"
    r"mended|repaired|glued)\b",
    re.IGNORECASE,
)


def is_english(text: str) -> bool:
    return not re.search("[\u3400-\u9fff]", text)


_LABELS = {
    "眼睛": "eyes", "头发": "hair", "年龄": "age", "惯用手": "handedness", "出生地": "birthplace",
    "方位": "where it stands",
    "不会": "cannot", "会": "does", "有": "there are", "无": "there are none",
}  # fmt: skip


def label(words: str) -> str:
    """An attribute or a value as an English author reads it."""
    return _LABELS.get(words) or (f"years: {words.removesuffix('的年数')}" if words.endswith("的年数") else words)


def by_speaker(clause: str, speaker: str) -> str:
    """I and my in what somebody says are his own."""
    return re.sub(r"\bmy\b", f"{speaker}'s", re.sub(r"\bI\b", speaker, clause))
