from __future__ import annotations

from app.core.run import events as e
from app.core.run.analysis.round_report import changed_words, round_report
from app.core.run.chat_model import Usage
from app.core.run.view import view_of

CALL = e.ToolCalled(2, "c2", "web_search", {"q": "price"})
BACK = e.ToolReturned(2, "c2", "web_search", True, "ok", "2 offers", "…", 10, 10, False, 1_500)
RUN: tuple[e.RunEvent, ...] = (
    e.LoopStart("research", "react", "m", "how much?", {}),
    e.StepStart(1, 8, 3),
    e.ToolCalled(1, "c1", "web_search", {"q": "it"}),
    e.ToolReturned(1, "c1", "web_search", True, "ok", "3 pages", "…", 10, 10, False, 100),
    e.StepEnd(1, "tool_calls", Usage(100, 10), 1_000),
    e.RoundStart(1, 3),
    e.StepStart(2, 8, 3),
    e.Token(2, "I look for the price."),
    CALL,
    e.RoundVerdict(1, "more", missing="the price", next=("web_search",)),
    BACK,
    e.StepEnd(2, "tool_calls", Usage(200, 20), 2_000),
    e.RoundStart(2, 3),
    e.StepStart(3, 8, 3),
    e.Token(3, "It costs 90 to 120."),
    e.RoundVerdict(2, "more", missing="the source"),
    e.StepEnd(3, "stop", Usage(300, 30), 3_000),
    e.RoundStart(3, 3),
    e.StepStart(4, 8, 0),
    e.Token(4, "It costs 90 to 115, says the shop."),
    e.RoundVerdict(3, "enough"),
    e.StepEnd(4, "stop", Usage(400, 40), 4_000),
    e.LoopEnd("It costs 90 to 115, says the shop.", "enough", usage=Usage(1000, 100), steps=4, seconds=11.6),
)


def test_each_round_tells_what_it_asked_found_cost_and_changed() -> None:
    view = view_of(RUN)
    first, second, third = (round_report(view, item) for item in view.rounds)
    assert (first.verdict, first.missing, first.next, first.found) == (
        "more",
        "the price",
        ("web_search",),
        ("2 offers",),
    )
    assert (first.tokens, first.seconds, first.draft, first.first_step) == (220, 3.5, "", 2)
    assert (first.can_answer, first.answer_tokens) == (True, 330), "its answer would cost what the next request did"
    assert (second.draft, second.before) == ("It costs 90 to 120.", "")
    assert (third.before, third.draft) == ("It costs 90 to 120.", "It costs 90 to 115, says the shop.")
    assert not third.can_answer, "its answer is the one that stands there"


def test_changes_are_told_word_by_word_and_give_both_texts_back() -> None:
    for before, after in (
        ("It costs 90 to 120.", "It costs 90 to 115, says the shop."),
        ("并网需要向物业申请。", "并网需要向电网公司申请、勘查、验收三步。"),
        ("a\n" * 30_000, "a\n" * 29_999 + "b\n"),
        ("", "new"),
        ("gone", ""),
    ):
        pieces = changed_words(before, after)
        assert "".join(piece.text for piece in pieces if piece.kind != "added") == before
        assert "".join(piece.text for piece in pieces if piece.kind != "removed") == after
    kept = [
        piece.text
        for piece in changed_words("并网需要向物业申请。", "并网需要向电网公司申请。")
        if piece.kind == "same"
    ]
    assert kept == ["并网需要向", "申请。"]
