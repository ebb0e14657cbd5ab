"""Texts in which a child is named or can be recognised: nothing of it leaves, and the rest of the text is unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from app.domains.play.model.child import PrivateName
from app.domains.play.rules.privacy import Pseudonyms

DATA = Path(__file__).parent / "data"
CHINESE = (
    ("乐乐", "乐", "lele", "Lele", "樂樂"),
    ("安安", "安", "anan", "An An", "安安"),
    ("涵涵", "涵", "hanhan", "HanHan", "涵涵"),
)
ENGLISH = (
    ("Leo", "Leooo", "L.E.O", "Leonardo"),
    ("Tommy", "Tommyyy", "T-o-m-m-y", "Tom"),
    ("Isabella", "Isabellaa", "I s a b e l l a", "Bella"),
)
MARK = re.compile("⟦(.*?)⟧")


def texts(third: bool | None = None) -> Iterator[tuple[Pseudonyms, str]]:
    """With their marks. `third`: only those of the last third, or only the others."""
    for name, profiles in (("names_zh.txt", CHINESE), ("names_en.txt", ENGLISH)):
        first, last = (DATA / name).read_text("utf-8").split("# --- ")
        parts = {None: first + "\n" + last, False: first, True: last}
        lines = [line for line in parts[third].splitlines()[1 if third else 0 :] if line and not line.startswith("#")]
        for profile in profiles:
            pseudonyms = Pseudonyms([PrivateName(profile[0], "child"), *SCHOOLS], "")
            for line in lines:
                if line.startswith("the last third"):
                    continue
                yield pseudonyms, line.format(**letters(profile))


SCHOOLS = (PrivateName("阳光幼儿园", "school"), PrivateName("Sunshine Kindergarten", "school"))


def letters(profile: tuple[str, ...]) -> dict[str, str]:
    if len(profile) == 5:
        return dict(zip("nxpPt", profile, strict=True))
    name = profile[0]
    return {"n": name, "l": name.lower(), "u": name.upper(), "s": profile[1], "d": profile[2], "a": profile[3]}


def faults(pseudonyms: Pseudonyms, marked: str) -> tuple[bool, bool]:
    """Whether something leaked, and whether something else was replaced."""
    sent = pseudonyms.outgoing(MARK.sub(r"\1", marked))
    leaks = any(words in sent for words in MARK.findall(marked))
    kept, place = MARK.split(marked)[::2], 0
    for part in kept:
        # A word that belongs to the name in its place may go with it: 乐乐宝贝, Leo Bear.
        place = sent.find(part.strip("#@"), place)
        if place < 0:
            return leaks, True
        place += len(part.strip("#@"))
    return leaks, False


def test_nothing_of_a_child_leaves_and_nothing_else_is_replaced() -> None:
    leaked, wrong, number = [], [], 0
    for pseudonyms, marked in texts():
        number += 1
        leaks, replaces = faults(pseudonyms, marked)
        leaked += [(marked, pseudonyms.outgoing(MARK.sub(r"\1", marked)))] if leaks else []
        wrong += [(marked, pseudonyms.outgoing(MARK.sub(r"\1", marked)))] if replaces else []
    assert number >= 300
    assert leaked == []
    assert len(wrong) <= number * 0.02, wrong


def test_what_is_said_before_there_is_a_profile_names_nobody() -> None:
    """Names, conditions, institutions and addresses that no profile has told of; everything else stays."""
    nobody = Pseudonyms()
    lines = [line for line in (DATA / "recognised.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
    found = [(line, nobody.outgoing(MARK.sub(r"\1", line)), *faults(nobody, line)) for line in lines]
    assert len(lines) >= 100
    assert [(line, sent) for line, sent, leaks, _wrong in found if leaks] == []
    assert sum(wrong for *_texts, wrong in found) <= 2


def test_names_in_titles_logs_file_names_and_queries_do_not_leave() -> None:
    profiles = {
        "Z": Pseudonyms([
            PrivateName("乐乐", "child"), PrivateName("李乐天", "child"), PrivateName("李建国", "relative"),
            PrivateName("张敏", "relative"), SCHOOLS[0],
        ], "自闭谱系"),
        "E": Pseudonyms([
            PrivateName("Leo", "child"), PrivateName("Leo Bennett", "child"), PrivateName("Hannah", "relative"),
            SCHOOLS[1],
        ], "autism"),
    }  # fmt: skip
    lines = [one for one in (DATA / "names_in_places.txt").read_text("utf-8").splitlines() if one[:1] in profiles]
    found = [(line, *faults(profiles[line[0]], line[2:])) for line in lines]
    assert len(lines) >= 100
    assert [line for line, leaks, _wrong in found if leaks] == []
    assert sum(wrong for *_texts, wrong in found) <= 2, [line for line, _leaks, wrong in found if wrong]


def test_a_condition_leaves_only_where_the_guardian_has_ticked_it() -> None:
    told = "他有自闭症，喜欢车"
    assert "自闭" not in Pseudonyms((), "").outgoing(told)
    assert Pseudonyms((), "自闭症", sends_diagnosis=True).outgoing(told) == told


def test_names_come_back_wherever_a_stream_is_cut() -> None:
    pseudonyms = Pseudonyms([PrivateName("乐乐", "child"), PrivateName("阳光幼儿园", "school")])
    text = "孩子A在学校A笑了，孩 子；孩子 A好。Child A and Child Aaron, 孩子A"
    for size in range(1, len(text) + 1):
        restored = pseudonyms.incoming()
        shown = "".join(restored.feed(text[start : start + size]) for start in range(0, len(text), size))
        assert shown + restored.end() == pseudonyms.restore(text), size
    assert pseudonyms.restore(text) == "乐乐在阳光幼儿园笑了，孩 子；乐乐好。乐乐 and Child Aaron, 乐乐"


def test_a_query_that_names_the_child_is_known() -> None:
    pseudonyms = Pseudonyms([PrivateName("乐乐", "child")], "自闭症")
    assert pseudonyms.profile_terms("乐乐 自闭症 积木") == ["乐乐", "自闭症"]
    assert pseudonyms.profile_terms("积木 轮流 游戏") == []
