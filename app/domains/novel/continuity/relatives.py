"""Who has parents, a wife or husband, children: said to have none, and one of them comes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_NONE = {
    "父母": re.compile(
        "孤儿|没了(?:父母|爹娘|双亲|爹妈)|(?:父母|爹娘)(?:都|早)?(?:没了|走得早|去得早)|父母双亡|无父无母|"
        "没有父母|(?:父母|爹娘|双亲)[^，。]{0,4}(?:亡|死|去世|过世|不在)"
    ),
    "配偶": re.compile(
        "光棍|没成过?家|没有成家|未成家|没结过?婚|没有结过?婚|终身未[娶嫁]|至今未[娶嫁婚]|没[娶嫁]|独身|单身|"
        "不曾[娶嫁]|未曾[娶嫁]"
    ),
    "子女": re.compile("无儿无女|没儿没女|(?:没有|无|没)(?:儿女|子女|孩子|子嗣|后人)|膝下(?:无|空|没)"),
}
_KINDS = {
    "父母": "父亲|母亲|爸爸|妈妈|爹娘|爹|娘|父母|双亲",
    "配偶": "妻子|太太|老婆|媳妇|夫人|丈夫|老公|爱人",
    "子女": "儿子|女儿|闺女|孩子|孙子|孙女|长子|次子|独子|独女",
}
_HAS = {relation: re.compile(f"的(?:{words})(?![家们的])") for relation, words in _KINDS.items()}
_NO_LIVING = re.compile("[死亡坟墓遗葬梦像]|去世|过世|生前|临终|牌位|没有?|从未|不是|未来|将来|前妻|前夫|当年")
CHANGES = re.compile(
    "成亲|结婚|新婚|[娶嫁]了|拜堂|过门|定亲|订婚|婚礼|生下|出生|怀[了孕]|收养|认[了下作]|过继|找到了|团聚"
)


def states(own: Sequence[str], clause: str, of_other: bool) -> Iterator[tuple[str, str]]:
    """Of the person with these names: what a clause says of his nearest. `of_other`: it is about somebody of his."""
    for relation, none in _NONE.items():
        if none.search(clause):
            if not of_other:
                yield f"有{relation}", "无"
        elif not _NO_LIVING.search(clause) and _is_there(own, clause, _HAS[relation]):
            yield f"有{relation}", "有"


def _is_there(own: Sequence[str], clause: str, has: re.Pattern[str]) -> bool:
    """阿福的母亲; and 他的母亲 where a clause begins with it."""
    plain = clause.strip("\u3000 “”\x01")
    if plain[:1] in ("他", "她") and has.match(plain, 1):
        return True
    return any((place := clause.find(name)) >= 0 and has.match(clause, place + len(name)) for name in own)
