"""Whose a thing, a body or a trait is in an English clause."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

KIN_SAME = {
    "wife": "wife", "husband": "husband", "father": "father dad papa", "mother": "mother mum mom mama",
    "brother": "brother brothers", "sister": "sister sisters", "son": "son sons", "daughter": "daughter daughters",
    "child": "child children", "parents": "parents", "grandfather": "grandfather", "grandmother": "grandmother",
    "uncle": "uncle", "aunt": "aunt", "cousin": "cousin", "nephew": "nephew", "niece": "niece", "grandson": "grandson",
    "granddaughter": "granddaughter",
    "friend":
        "friend friends neighbour neighbor colleague servant maid boss teacher master partner guest "
        "patient lawyer doctor "
              "landlord landlady assistant brother-in-law sister-in-law father-in-law mother-in-law stepfather "
              "stepmother foster-father",
}  # fmt: skip
KIN = {word: kin for kin, words in KIN_SAME.items() for word in words.split()}
_KIN_WORDS = "|".join(sorted(KIN, key=len, reverse=True))
_OTHERS = (
    r"(?:the|a|an|this|that|another|every|some|each|one) (?:\w+ ){0,2}?(?:man|woman|boy|girl|child|stranger|"
    r"neighbour|neighbor|fellow|soldier|guard|driver|nurse|"
    r"doctor|officer|captain|lady|gentleman|maid|servant|pedlar|clerk|priest|sailor|painter|baby|men|women|boys|"
    r"girls|people|villagers)|"
    r"nobody|somebody|someone|everyone|everybody|they|their|them|strangers|people|others|who ever"
)
_OBJECT = re.compile(
    r"\b(?:to|with|at|for|of|by|from|behind|beside|near|past|saw|watched|told|asked|like|than|met|helped|let|"
    r"heard|gave|and|found|made|thanked|followed|towards?)\s+(?:\w+ )?$"
)


_IS = re.compile(r"\b(?:was|is|were|had (?:always )?been|being|became)(?: (?:still|only|just|now|always))?\s+$")


class EnglishPeople:
    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    @cached_property
    def _tokens(self) -> re.Pattern[str]:
        named = "|".join(re.escape(name) for name in sorted(self.names, key=len, reverse=True)) or "\0"
        return re.compile(
            rf"(?P<name>\b(?:{named})\b)(?P<s>['’]s?(?= ))?|\b(?P<kin>{_KIN_WORDS})\b(?P<ks>['’]s?(?= ))?|"
            rf"\b(?P<his>[Hh]is|[Hh]er|[Hh]is own|[Hh]er own)(?= [a-z])|"
            rf"\b(?P<he>[Hh]e|[Ss]he|[Hh]im|[Hh]er|[Hh]ers)\b|\b(?P<other>{_OTHERS})\b(?:['’]s)?"
        )

    def names_somebody(self, clause: str) -> bool:
        return self._tokens.search(clause) is not None

    def first(self, text: str) -> str:
        match = next((one for one in self._tokens.finditer(text) if one["name"]), None)
        return self.names[match["name"]] if match is not None else ""

    def walk(self, clause: str, place: int, subject: str) -> tuple[str, str]:
        """Whose what stands at `place` is, and whom the clause is about; "" nobody who is known. A relative is called
        after the person whose he is."""
        whose = about = subject
        owned = False
        for match in self._tokens.finditer(clause, 0, place):
            before = clause[: match.start()]
            if match["kin"]:
                whose = f"{whose}'s {KIN[match['kin']]}" if whose and owned else ""
                owned = match["ks"] is not None
                if about == subject and not before.strip():
                    about = ""
            elif match["other"] and whose and _IS.search(before):
                continue  # was a tall woman: herself
            elif match["other"]:
                whose, owned = "", False
                if not _OBJECT.search(before):
                    about = ""
            else:
                who = self.names[match["name"]] if match["name"] else about
                as_object = _OBJECT.search(before) is not None and before.strip() != ""
                owned = bool(match["s"] or match["his"])
                whose = who if owned or not as_object else whose or about
                if (not as_object and not owned) or (not as_object and match["s"] and not before.strip()):
                    about = who
        return whose, about
