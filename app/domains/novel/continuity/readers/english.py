"""The statements of a book's English sentences, read in their order."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .. import english
from ..abilities import KEPT, abilities, unable_in
from ..sentences import StorySentence, clauses_of, told_clauses
from ..statements import StoryStatement
from . import english_persons as persons
from . import english_things as things
from .english_owner import KIN, EnglishPeople
from .looks import Reading

_NOT_DONE = re.compile(
    r"\b(?:not|never|nobody|no one|tried to|wanted to|if|almost|nearly|wished|asked|told|let|made|watched|saw|"
    r"heard|pretend\w*|would|could|might|learned to|learnt to)\b|n['’]t\b",
    re.IGNORECASE,
)
_LEARNS = re.compile(
    r"\b(?:learned|learnt|taught (?:him|her)|for the first time|at last|recovered|healed|cured|gave in|broke "
    r"(?:his|her) (?:vow|promise|rule))\b",
    re.IGNORECASE,
)
_MARRIES = re.compile(
    r"\b(?:married|wedding|remarried|engaged|adopted|gave birth|was born to|bore (?:him|her)|had a (?:son|"
    r"daughter|child))\b",
    re.IGNORECASE,
)
_AVERSE = re.compile(
    r"\ballergic to (?P<v>\w+)|\b(?:never|did not|didn['’]t|does not|doesn['’]t|would not|could not|couldn['’]t "
    r"bear to) (?:eat|ate|eaten|drink|drank|touch|touched|taste|tasted) (?:any )?(?P<w>[a-z]{3,})|(?:hated|"
    r"loathed|detested|could not stand) (?P<x>fish|cheese|milk|coffee|tea|mushrooms|eggs|onions|garlic|cabbage)",
    re.IGNORECASE,
)
_TAKES = re.compile(
    r"\b(?:ate|drank|sipped|swallowed|bit into|finished|chewed|tasted|devoured|spooned|gulped|"
    r"munched)\b(?P<v>[^.;,]{1,40})",
    re.IGNORECASE,
)


_PET_IS = re.compile(
    rf"\b(?P<v>[A-Z][a-z]+) (?:(?:was|is) (?:as )?(?:all )?(?P<c>{persons.HUES})\b|"
    rf"[a-z]+ (?:up )?(?:his|her|its) (?P<d>{persons.HUES}) (?:head|coat|fur|tail|muzzle|mane|paws?|ears?)\b)"
)
_IS_DEAD = re.compile(
    r" (?:had |was |has )?(?:long )?(?:died|dead|been killed|passed away|been dead|drowned|been buried)\b"
)
_DONE_TO = re.compile(r"\b(?:kissed|hugged|embraced|woke|telephoned|phoned|asked|told|helped) (?:his|her) \w+$")
_DOES = re.compile(
    r" (?:put|said|asked|came|went|opened|closed|sat|stood|took|turned|laughed|smiled|poured|rang|called|walked|"
    r"looked|nodded|frowned|brought|handed|ran|shouted|waved|kissed|made|cooked|drove|answered|shook)\b"
)


class EnglishReader:
    def __init__(self, people: EnglishPeople) -> None:
        self._people = people
        self._unable: dict[str, set[str]] = {}
        self._averse: dict[str, set[str]] = {}
        self._heads: dict[str, list[str]] = {}
        self._pets: dict[str, str] = {}

    def read(self, sentence: StorySentence, last: str) -> Iterator[StoryStatement]:
        if not sentence.states_facts and not sentence.lasts:
            return
        text, people = sentence.text, self._people
        changed = english.CHANGES.search(text) is not None
        told = {start for start, _clause in told_clauses(sentence)} if sentence.states_facts else set()
        subject = sentence.speaker or last
        named = sentence.speaker is not None
        for start, raw in clauses_of(sentence):
            clause = english.by_speaker(raw, sentence.speaker) if sentence.speaker else raw
            if sentence.speaker is not None and re.match(r"\W*(?:he|she|his|her|you|your)\b", clause, re.IGNORECASE):
                continue
            named = named or people.names_somebody(clause)
            about = subject if named else ""
            readings: list[Reading] = []
            if sentence.lasts or start in told:
                readings += persons.lasting(clause, text)
            if sentence.lasts or start in told:
                yield from self._relatives(clause, about, sentence, start)
            if start in told:
                readings += [*persons.states(clause, text), *things.colours(clause)]
                yield from self._told(clause, about, sentence, start, changed)
            elif sentence.lasts:
                yield from self._gave_up(clause, about, sentence, start)
            for reading in readings:
                whose = people.walk(clause, reading.place, about)[0]
                if (
                    "'s " in whose
                    and reading.attribute in ("眼睛", "头发")
                    and re.search(r"\bha[ds] (?:his|her) \w+['’]s", clause)
                ):
                    whose = whose.partition("'s ")[0]
                if whose:
                    changes = changed and reading.attribute not in ("年龄", "year of birth")
                    yield StoryStatement(
                        whose, reading.attribute, reading.value, sentence, start, changes, reading.weak
                    )
            subject = people.walk(clause, len(clause), subject)[1] or subject
        if sentence.lasts:
            for reading in persons.sides(text):
                if whose := people.walk(text, reading.place, last if people.names_somebody(text) else "")[0]:
                    yield StoryStatement(whose, reading.attribute, reading.value, sentence, sentence.start, changed)

    def _relatives(self, clause: str, about: str, sentence: StorySentence, start: int) -> Iterator[StoryStatement]:
        """That somebody has a brother, a wife, a son."""
        people = self._people
        marries = _MARRIES.search(sentence.text) is not None and not re.search(r"\b(?:never|not|un)", sentence.text)
        for match in re.finditer(
            rf"(?P<own>\b[Hh]is|\b[Hh]er|['’]s?) (?:\w+ ){{0,2}}?(?P<kin>{'|'.join(KIN)})\b(?!-in-law)", clause
        ):
            whose = people.walk(clause, match.start("kin"), about)[0]
            if whose and "'s " not in whose:
                yield from self._living(KIN[match["kin"]], whose, clause, match.end(), sentence, start)
            attribute = persons.has_kin(KIN[match["kin"]], clause)
            if attribute and whose and "'s " not in whose:
                yield StoryStatement(whose, attribute, "有", sentence, start, marries)

    @staticmethod
    def _living(
        kin: str, whose: str, clause: str, end: int, sentence: StorySentence, start: int
    ) -> Iterator[StoryStatement]:
        """That a father, mother, wife or husband is dead; or that he does something."""
        if kin not in ("father", "mother", "wife", "husband"):
            return
        if _IS_DEAD.match(clause, end):
            yield StoryStatement(whose, f"living {kin}", "无", sentence, start, False)
        elif sentence.is_told_now and (_DOES.match(clause, end) or _DONE_TO.search(clause[:end])):
            yield StoryStatement(whose, f"living {kin}", "有", sentence, start, False)

    def _told(
        self, clause: str, about: str, sentence: StorySentence, start: int, changed: bool
    ) -> Iterator[StoryStatement]:
        people = self._people
        marries = _MARRIES.search(sentence.text) is not None and not re.search(r"\b(?:never|not|un)", sentence.text)
        whom = people.walk(clause, len(clause), about)[1]
        for attribute in ("wife or husband", "children", "number of sons", "number of daughters") if marries else ():
            for one in sorted({whom, *(people.names[name] for name in people.names if name in clause)} - {""}):
                yield StoryStatement(one, attribute, "", sentence, start, True)
        if re.search(r"\bdye|\bwig\b|cut off (?:his|her) hair|shaved", sentence.text) and whom:
            yield StoryStatement(whom, "头发", "", sentence, start, True)
        for reading in persons.family(clause):
            if whose := people.walk(clause, reading.place, about)[0]:
                yield StoryStatement(
                    whose, reading.attribute, reading.value, sentence, start, marries and reading.value != "无"
                )
        for place, kind, name in things.pets(sentence.text):
            if (
                sentence.text.find(clause) <= place < sentence.text.find(clause) + len(clause)
                and name not in people.names
            ):
                self._pets.setdefault(name, kind)
                if whose := people.walk(sentence.text, place, about)[0]:
                    yield StoryStatement(whose, f"name of the {kind}", name, sentence, start, changed, True)
        for reading in things.colours(clause):
            for name, kind in self._pets.items():
                if reading.attribute.endswith(f" {kind}") and name in sentence.text:
                    yield StoryStatement(name, reading.attribute, reading.value, sentence, start, changed)
        if (match := _PET_IS.search(clause)) and match["v"] in self._pets:
            yield StoryStatement(
                match["v"],
                f"colour of the {self._pets[match['v']]}",
                persons.HUE[(match["c"] or match["d"]).lower()],
                sentence,
                start,
                changed,
            )
        for amount in things.amounts(clause):
            if head := self._same(amount.attribute, amount.head):
                yield StoryStatement(head, amount.attribute, amount.value, sentence, start, changed, amount.weak)
        yield from self._deeds(clause, about, sentence, start)

    def _gave_up(self, clause: str, about: str, sentence: StorySentence, start: int) -> Iterator[StoryStatement]:
        """What somebody has given up, told with the time he did."""
        if re.search(r"\bgiven up\b|\bgave up\b|\bnever\b|\bsworn off\b", clause) is None:
            return
        for name in unable_in(clause, "en"):
            if whose := self._people.walk(clause, len(clause), about)[1]:
                self._unable.setdefault(whose, set()).add(name)
                yield StoryStatement(whose, name, "不会", sentence, start, False)

    def _same(self, attribute: str, head: str) -> str:
        heads = self._heads.setdefault(attribute + head.rpartition(" ")[2], [])
        same = next((one for one in heads if things.same_head(one, head)), None)
        if same is None:
            heads.append(head)
        return same or head

    def _deeds(self, clause: str, about: str, sentence: StorySentence, start: int) -> Iterator[StoryStatement]:
        people, forms = self._people, abilities("en")
        learns = _LEARNS.search(sentence.text) is not None and "never" not in sentence.text
        for name in unable_in(clause, "en"):
            match = forms[name].unable.search(clause)
            assert match is not None
            if (whose := people.walk(clause, match.start(), about)[1]) and not learns:
                self._unable.setdefault(whose, set()).add(name)
                yield StoryStatement(whose, name, "不会", sentence, start, False)
        actor = people.walk(clause, len(clause), about)[1]
        known = {name for names in self._unable.values() for name in names}
        for name in sorted({*known, *KEPT} & forms.keys()):
            match = forms[name].does.search(clause)
            if match is None or forms[name].unable.search(clause):
                continue
            actor = people.walk(clause, match.start(), about)[1]
            is_his = actor and (name in KEPT or name in self._unable.get(actor, ()))
            if is_his and not _NOT_DONE.search(clause[: match.start()]):
                yield StoryStatement(actor, name, "会", sentence, start, learns)
        for reading in persons.speech(clause):
            if (whose := people.walk(clause, reading.place, about)[1]) and not (
                reading.value == "会" and _NOT_DONE.search(clause)
            ):
                yield StoryStatement(whose, reading.attribute, reading.value, sentence, start, learns, reading.weak)
        if (match := _AVERSE.search(clause)) is not None:
            if whose := people.walk(clause, match.start(), about)[1]:
                food = (match["v"] or match["w"] or match["x"]).lower()
                self._averse.setdefault(whose, set()).add(food)
                yield StoryStatement(whose, f"no {food}", "不会", sentence, start, False)
        elif (match := _TAKES.search(clause)) is not None and not _NOT_DONE.search(clause):
            for food in sorted(self._averse.get(actor, ())):
                if re.search(rf"\b{re.escape(food)}", match["v"], re.IGNORECASE):
                    yield StoryStatement(actor, f"no {food}", "会", sentence, start, learns)
