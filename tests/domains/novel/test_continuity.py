"""What contradicts itself is found, and what only looks so is no error, without a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.domains.novel.continuity.check import check_book, check_chapter
from app.domains.novel.continuity.finding import ContinuityFinding
from app.domains.novel.model.project import Book, Chapter, ChapterOutline, Character, Foreshadow, Project, StoryFact
from tests.domains.novel import (
    frost_ferry,
    lane_seventeen,
    night_passage,
    old_street,
    orchard,
    red_sand,
    salt_well,
    skerry_point,
    tide_station,
    water_sleeves,
    white_tower,
    wild_goose,
)

BOOKS = (
    night_passage, red_sand, skerry_point, old_street, water_sleeves, salt_well, lane_seventeen, frost_ferry,
    white_tower, orchard, wild_goose, tide_station,
)  # fmt: skip


def test_of_fifteen_contradictions_thirteen_are_found_and_two_decoys_at_most_are_errors() -> None:
    """In twelve books, and where nobody has made cards of who is in them."""
    faults = []
    for module in BOOKS:
        for has_cards in (True, False):
            whole = module.book()
            if not has_cards:
                whole.characters, whole.world, whole.facts = [], [], []
            missed, fallen, other = judged(whole, module.CONTRADICTIONS, module.DECOYS)
            if max(len(missed), len(fallen), len(other)) > 2:
                faults.append((whole.project.title, has_cards, missed, fallen, other))
    assert faults == []


def judged(
    whole: Book, contradictions: tuple[tuple[str, int, str], ...], decoys: tuple[tuple[int, str], ...]
) -> tuple[list[Any], list[Any], list[Any]]:
    """Contradictions that were missed, decoys that were called errors, and other errors."""
    found = check_book(whole)
    texts = {chapter.id: chapter.text for chapter in whole.chapters}
    missed = [one for one in contradictions if not any(_is(finding, *one) for finding in found)]
    errors = [finding for finding in found if finding.level == "error"]
    fallen = []
    for number, words in decoys:
        id = f"ch-{number:04}"
        start = texts[id].index(words)
        end = start + len(words)
        if any(one.chapter == id and one.start < end and start < one.end for one in errors):
            fallen.append((number, words))
    return missed, fallen, [one for one in errors if not any(_is(one, *each) for each in contradictions)]


def _is(finding: ContinuityFinding, code: str, number: int, words: str) -> bool:
    return finding.code == code and finding.chapter == f"ch-{number:04}" and words in finding.quote


def test_two_passages_that_contradict_each_other_are_seen_in_many_wordings() -> None:
    """One line of the two files of passages is one way in which authors write a kind of contradiction, or something
    that only looks like one. Of ten contradictions one may be missed; no other passage is called an error."""
    people = {
        "zh": [Character("赵恒"), Character("苏梅")],
        "en": [Character("Martin Hale", ["Martin"]), Character("Alice")],
    }
    faults = {}
    for language, cast in people.items():
        missed, called, count = [], [], 0
        for line in (Path(__file__).parent / f"passages_{language}.txt").read_text("utf-8").splitlines():
            if line.startswith("#"):
                continue
            code, _, passages = line.partition("|")
            chapters = [Chapter(f"c{n}", "", n, n, text=text) for n, text in enumerate(passages.split("||"), 1)]
            found = [one for one in check_book(Book(Project(language=language), chapters, cast)) if one.chapter == "c2"]
            if code == "-":
                called += [line for one in found if one.level == "error"]
            else:
                count += 1
                same = ("N03", "N04") if code in ("N03", "N04") else (code,)
                missed += [] if any(one.code in same for one in found) else [line]
        if called or len(missed) > count / 10:
            faults[language] = (missed, called)
    assert faults == {}


def test_the_cards_of_the_author_are_held_against_the_text() -> None:
    people = [
        Character("林舟", age="17", description="林舟有一双蓝眼睛，左脸有一道刀疤。",
                  background="他不会游泳，老家在江西。"),
        Character("苏晚", notes="苏晚是独生女。"),
    ]  # fmt: skip
    text = (
        "二十五岁的林舟走进来，黑色的眼睛里没有笑意。火光照着林舟右脸上的刀疤。\n林舟跳下去，游到了对岸。\n"
        "林舟的老家在山东。\n苏晚的哥哥在门外等她。"
    )
    found = check_book(Book(Project("夜航"), [Chapter("c1", "", 1, 1, text=text)], people))
    assert sorted({one.values["attribute"] for one in found if one.code == "N03"}, key=str) == sorted(
        ["年龄", "眼睛", "脸上的疤", "游泳", "出生地", "有兄弟姐妹"]
    )
    assert {(one.other_chapter, bool(one.other_quote)) for one in found if one.code == "N03"} == {("", True)}


def test_a_finding_names_the_thing_and_the_wound_it_is_about() -> None:
    chapters = [
        Chapter("c1", "", 1, 1, text="林舟那支玉箫被劈成两半，丢进了火里。\n林舟左肩早年挨过一箭。"),
        Chapter("c2", "", 2, 2, text="林舟把那支玉箫凑到唇边。\n林舟的右肩又疼得抬不起来。"),
    ]
    found = check_book(Book(Project("夜航"), chapters, [Character("林舟")]))
    assert {(one.subject, one.values["attribute"]) for one in found if one.code == "N03"} == {
        ("林舟的箫", "gone"),
        ("林舟", "肩上的旧伤"),
    }


def test_each_of_the_fifteen_codes_is_found_in_a_draft() -> None:
    """Scenario D5, and the codes it leaves out."""
    paragraph = "雨下了整整一夜，檐下的水缸早就满了，水从缸沿溢出来，顺着青石板一直流到巷口去。"
    second = f"江边起了雾。天亮的时候，老周死了。\n{paragraph}\n林舟对苏晚说：“走吧。”林舟转身。林舟点头。"
    draft = (
        f"老周笑着说：“不过如此。”\n苏晚右手持剑，站在门口。\n{paragraph}\n我看见灯灭了。\n苏晩说：“别怕。”\n"
        "何三说：“走。”何三笑道：“快。”\n作为AI，我无法继续。\n他拿起手机，走向门"
    )
    outlines = {3: ChapterOutline(beats=["林舟在码头烧掉账册"], time_in_story="三月初一")}
    chapters = [
        Chapter(f"c{n}", "", number, n, word_count_goal=2000 if n == 3 else 0,
                outline=outlines.get(n, ChapterOutline(time_in_story="三月初五" if n == 2 else "")), text=text)
        for n, (number, text) in enumerate([(1, "开始了。"), (2, second), (4, draft), (4, "完了。")], 1)
    ]  # fmt: skip
    whole = Book(
        Project("夜航", pov="third", forbidden_terms=["手机"]), chapters,
        [Character("林舟"), Character("苏晚"), Character("老周")],
        facts=[StoryFact("苏晚", "惯用手", "左")],
        foreshadows=[Foreshadow("断剑", planted_in=1, expected_by=2)],
    )  # fmt: skip
    codes = {finding.code for finding in check_chapter(whole, chapters[2])}
    assert {f"N{n:02}" for n in range(1, 16)} - codes == set()


def test_a_sound_draft_has_no_finding_and_is_judged_before_it_is_accepted() -> None:
    whole = Book(Project("夜航", pov="third"), [Chapter("c1", "", 1, 1, text="老的。")], [Character("林舟")])
    assert check_chapter(whole, whole.chapters[0], "林舟推开门，“我回来了。”他说。\n没有人回答。") == []
    assert [one.code for one in check_chapter(whole, whole.chapters[0], "林舟推开门，走")] == ["N15"]


def test_a_run_of_one_sign_is_read_once() -> None:
    """Work that grows with its square would take hours here: 16,000 line ends once took more than a minute."""
    text = "林舟说。" + "".join(sign * 20_000 for sign in ("\n", " ", "\u3000", "一", "1"))
    whole = Book(Project("夜航", pov="third"), [Chapter("c1", "", 1, 1, text=f"{text}。")], [Character("林舟")])
    assert [one.code for one in check_book(whole) if one.level == "error"] == []


def test_where_somebody_is_from_and_how_old_is_read_at_the_end_of_a_clause_too() -> None:
    texts = [
        "林舟是江北人，今年十八岁。他是读书人。",
        "林舟那年轻的脸上没有笑，二十五岁的人了。林舟是江南人，听到乡音便笑。林舟是江湖人。",
    ]
    chapters = [Chapter(f"c{n}", "", n, n, text=text) for n, text in enumerate(texts, 1)]
    found = check_book(Book(Project("夜航", pov="third"), chapters, [Character("林舟")]))
    assert [(one.code, one.expected, one.found) for one in found] == [("N03", "18", "25"), ("N03", "江北", "江南")]


def test_two_values_of_one_thing_are_seen_by_their_words_in_whatever_form() -> None:
    """The value and its noun are found by word lists: as an attribute, as a predicate, of a place, of a number."""
    pairs = {
        "听雨楼是座红砖小楼。听雨楼很静。||他用指节敲了敲听雨楼的青砖墙。": 1,
        "林舟掏出一块怀表，银壳，擦得很亮。林舟那块银壳怀表走得准。||林舟掏出那只金壳怀表。": 1,
        "去塔顶的台阶一共一百三十八级台阶。||两百零六级台阶，他数完了。": 1,
        "林舟骑着一匹黑马。||隔壁店里拴着一匹白马。": 0,
        "上面有一百多级台阶。||一共一百三十八级台阶。": 0,
        "堂屋的门朝西。||堂屋的大门朝东开着。": 1,
        "林舟的剑柄是乌木的。||林舟换了一把铁剑。": 0,
    }
    wrong = {}
    for passages, count in pairs.items():
        chapters = [Chapter(f"c{n}", "", n, n, text=text) for n, text in enumerate(passages.split("||"), 1)]
        found = [one for one in check_book(Book(Project("夜航"), chapters, [Character("林舟")])) if one.code == "N03"]
        if len(found) != count or any(one.level == "error" for one in found):
            wrong[passages] = found
    assert wrong == {}


def test_what_somebody_never_does_and_what_the_season_forbids_are_warned_of() -> None:
    """By word lists in Chinese and English; what was learned, denied or another's is none."""
    pairs = {
        "林舟不会游泳，最怕水。||林舟跳进河里，奋力向弟弟游过去。": 1,
        "林舟不会游泳。后来林舟学会了游泳。||林舟跳进河里游过去。": 0,
        "林舟一辈子没嫁过人。||“我那前夫要是还在就好了。”林舟叹了口气，说道。": 1,
        "那天是腊月二十。树上的知了叫得人心烦。": 1,
        "那天是腊月二十。他想起去年树上的知了。": 0,
        "Nora was born in the mill. Nora never touched tea.||Nora poured herself a cup of tea.": 1,
        "Nora never touched tea.||Nora poured Jonah a cup of coffee.": 0,
        "Nora could not speak for a moment.||Nora said that she was well.": 0,
        "Nora pushed the red boat out.||The blue boat lay under the trees, and Nora rowed it.": 1,
        "Nora pushed the red boat out.||Another boat came, and it was the neighbour's blue boat.": 0,
        "They met on the fourth of July, which was a Thursday. On the sixth of July, a Tuesday, Nora left.": 1,
        "They met on the fourth of July, which was a Thursday. On the sixth of July, a Saturday, Nora left.": 0,
        "Nora's lantern sank in the race.||Nora lit her old brass lantern and hung it up.": 1,
        "Nora's lantern sank in the race.||Nora lit another lantern and hung it up.": 0,
        "We carried six passengers that voyage.||I laid the table for our nine passengers.": 1,
        "Nora was mute from birth.||The man played, and Nora, on a cask, sang the whole of it.": 1,
        "林舟的左腿让弹片削去了一块肉。||林舟卷起裤管，林舟右腿上那个疤泛着紫。": 1,
        "It was the last day of July. The snow lay a foot deep around them.": 1,
    }
    wrong = {}
    for passages, count in pairs.items():
        chapters = [Chapter(f"c{n}", "", n, n, text=text) for n, text in enumerate(passages.split("||"), 1)]
        book = Book(Project("夜航"), chapters, [Character("林舟"), Character("Nora"), Character("Jonah")])
        found = [one for one in check_book(book) if one.code in ("N03", "N04")]
        if len(found) != count:
            wrong[passages] = found
    assert wrong == {}


def test_words_that_only_look_like_names_are_no_misspelt_names() -> None:
    lines = ["连自己也说不清。", "那个人笑了。", "车夫们说话。", "刘四爷说完了。刘四不说话。刘四并没有走。"]
    text = "".join(line * 5 for line in lines)
    found = check_book(Book(Project("夜航"), [Chapter("c1", "", 1, 1, text=text)], [Character("刘四爷")]))
    assert [one for one in found if one.code == "N11"] == []
