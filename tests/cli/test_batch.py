"""Questions in bulk: every one answered once, whatever stops the program in between."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.core.profile import Budget
from app.services.batch.answers import BatchAnswer
from app.services.batch.budget import BatchBudget, BatchOptions, BudgetPart
from app.services.batch.questions import BatchQuestion

from .conftest import Triptych


def answers(path: Path) -> dict[str, dict[str, Any]]:
    """Of each question the last answer."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {line["id"]: line for line in lines}


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script that answers every question alike; the path may be written anew."""
    path = tmp_path / "script.json"
    path.write_text(json.dumps({"turns": [{"content": "yes"}], "repeat_last": True}), "utf-8")
    monkeypatch.setenv("TRIPTYCH_MODEL", f"script/{path.as_posix()}")
    return path


def test_every_question_is_answered_once_wherever_the_file_of_answers_broke_off(
    triptych: Triptych, model: Path
) -> None:
    lines = [{"id": f"q{n}", "query": f"question {n} 问题"} for n in range(12)]
    Path("in.jsonl").write_text("\n".join([*map(json.dumps, lines), json.dumps("a plain text"), ""]), "utf-8")
    first = triptych("batch", "in.jsonl", "--out", "out.jsonl", "--mode", "direct", "--concurrency", "3")
    assert first.code == 0, first.err
    head, row = map(str.split, first.out.splitlines())
    assert head[:7] == ["agent", "mode", "model", "questions", "asked", "answered", "failed"]
    assert (row[1], row[3:6]) == ("direct", ["13", "13", "0"])
    whole = Path("out.jsonl").read_bytes()
    got = answers(Path("out.jsonl"))
    assert got.keys() == {*(f"q{n}" for n in range(12)), "13"}
    assert {line["answer"] for line in got.values()} == {"yes"}
    assert got["q1"]["usage"]["output"] >= 0
    refused = triptych("batch", "in.jsonl", "--out", "out.jsonl")
    assert refused.code == 2
    assert Path("out.jsonl").read_bytes() == whole, "answers are not overwritten"
    faults = []
    for end in (1, len(whole) // 3, len(whole) // 2 + 7, len(whole) - 1):
        Path("out.jsonl").write_bytes(whole[:end])
        again = triptych("batch", "in.jsonl", "--out", "out.jsonl", "--mode", "direct", "--resume")
        raw = Path("out.jsonl").read_text("utf-8").splitlines()
        if again.code or answers(Path("out.jsonl")).keys() != got.keys() or len(raw) != 13:
            faults.append(f"{end}: {again.code} {len(raw)} {again.err}")
    assert faults == []
    Path("in.jsonl").write_text(json.dumps({"id": "q1", "query": "another question"}), "utf-8")
    triptych("batch", "in.jsonl", "--out", "out.jsonl", "--mode", "direct", "--resume")
    assert answers(Path("out.jsonl"))["q1"]["query"] == "another question"
    assert json.loads(triptych("sessions", "list", "--json").out) == [], "they are no conversations of the person"


def test_a_failure_is_an_answer_that_resume_asks_again_and_a_budget_stops_in_time(
    triptych: Triptych, model: Path
) -> None:
    Path("in.jsonl").write_text("\n".join(json.dumps(f"question {n}") for n in range(6)), "utf-8")
    model.write_text(json.dumps({"turns": [{"raise": "401"}], "repeat_last": True}), "utf-8")
    failed = triptych("batch", "in.jsonl", "--out", "out.jsonl", "--mode", "direct", "--retries", "0")
    assert failed.code == 1
    assert {line["error"]["code"] for line in answers(Path("out.jsonl")).values()} == {"AUTH"}
    model.write_text(json.dumps({"turns": [{"content": "yes"}], "repeat_last": True}), "utf-8")
    budget = ("--max-tokens", "1", "--concurrency", "1")
    stopped = triptych("batch", "in.jsonl", "--out", "out.jsonl", "--mode", "direct", "--resume", *budget)
    assert stopped.code == 4
    assert sum(line["ok"] for line in answers(Path("out.jsonl")).values()) == 1
    ended = triptych("batch", "in.jsonl", "--out", "out.jsonl", "--mode", "direct", "--resume")
    assert ended.code == 0
    assert all(line["ok"] for line in answers(Path("out.jsonl")).values())
    assert len(Path("out.jsonl").read_text("utf-8").splitlines()) == 6, "of each question the last answer alone"


def test_a_budget_is_not_passed_and_what_is_not_asked_is_named(triptych: Triptych, model: Path) -> None:
    usage = {"input": 60, "output": 40}
    model.write_text(json.dumps({"turns": [{"content": "yes", "usage": usage}], "repeat_last": True}), "utf-8")
    Path("in.jsonl").write_text("\n".join(json.dumps(f"question {n}") for n in range(12)), "utf-8")
    ask = ("batch", "in.jsonl", "--out", "out.jsonl", "--mode", "direct", "--concurrency", "5", "--costs", "costs.csv")
    faults = []
    for tokens, asked in ((560, 5), (300, 5), (1_000, 10), (5_000, 12)):
        said = triptych(*ask, "--resume", "--max-tokens", str(tokens))
        there = answers(Path("out.jsonl"))
        if (len(there), said.code) != (asked, 0 if asked == 12 else 4):
            faults.append(f"{tokens}: {said.code} {len(there)}")
        if asked < 12 and f"not asked: {12 - asked} (" not in said.err:
            faults.append(f"{tokens}: {said.err}")
    assert faults == []
    lines = [line.split(",") for line in Path("costs.csv").read_text("utf-8-sig").splitlines()]
    assert [row[3:8] for row in lines] == [
        ["questions asked", "answered", "failed", "tokens in", "tokens out"], ["12", "12", "0", "720", "480"],
    ]  # fmt: skip


async def test_parts_of_a_budget_leave_room_for_what_is_like_the_dearest() -> None:
    def answer(id: str, tokens: int, steps: int = 1) -> BatchAnswer:
        return BatchAnswer(id, "", "q", "a", "react", "m", ok=True, usage={"input": tokens}, steps=steps)

    ask = [BatchQuestion(str(n), "q", "a") for n in range(9)]
    budget = BatchBudget(BatchOptions(tokens=1_000))
    assert budget.reserve(ask[0], free_places=4) == BudgetPart(tokens=1_000)
    assert budget.reserve(ask[1], free_places=3) is None, "what one costs is not known yet"
    budget.count(ask[0], answer("0", 100))
    first = budget.reserve(ask[1], free_places=4)
    assert first is not None
    assert first.tokens == 300, "900 for as many as have three times the room of what is known"
    budget.count(ask[1], answer("1", 400, steps=4))
    part = budget.reserve(ask[2], free_places=1)
    assert part is not None
    assert (part.tokens, part.budget_of_run(None)) == (500, {"tokens": 400}), "a last request is kept back"
    assert part.budget_of_run(Budget(tokens=50, tool_calls=3)) == {"tokens": 50, "tool_calls": 3}
    assert budget.reserve(ask[3], free_places=1) is None, "nothing is left beside it"
    budget.count(ask[2], answer("2", 120))
    assert budget.reserve(ask[3], free_places=1) is None, "380 are left, and one may use 400 and a request more"
    assert budget.spent.tokens == 620
    priced = BatchBudget(BatchOptions(money=1.0))
    priced.count(ask[0], replace(answer("0", 10), money={"CNY": 0.4, "USD": 0.1}))
    part = priced.reserve(ask[1], free_places=2)
    assert part is not None
    assert (part.tokens, round(part.money or 0, 2), part.budget_of_run(None)) == (None, 0.6, {"money": part.money})
    priced.count(ask[1], replace(answer("1", 10), money={"CNY": 0.3}))
    assert priced.reserve(ask[2], free_places=1) is None, "0.3 CNY are left"


def test_two_batches_do_not_write_into_one_file_and_failed_attempts_are_paid_for(
    triptych: Triptych, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.services.batch.service._PAUSES", (0.0,))
    failing: dict[str, Any] = {
        "turns": [
            {"tool_calls": [{"name": "calculator", "arguments": {"expression": "1+1"}}], "usage": {"input": 30}},
            *({"raise": "500"} for _ in range(20)),
        ]
    }
    model.write_text(json.dumps(failing), "utf-8")
    Path("in.jsonl").write_text(json.dumps("a question"), "utf-8")
    ask = ("batch", "in.jsonl", "--out", "out.jsonl", "--mode", "react", "--set", "max_retries=0")
    assert triptych(*ask, "--retries", "2").code == 1
    (failed,) = answers(Path("out.jsonl")).values()
    assert (failed["attempts"], failed["usage"]["input"], failed["earlier_usage"]["input"]) == (3, 30, 60)
    model.write_text(json.dumps({"turns": [{"content": "yes", "usage": {"input": 7}}]}), "utf-8")
    said = triptych(*ask, "--resume")
    (whole,) = answers(Path("out.jsonl")).values()
    assert (whole["ok"], whole["usage"]["input"], whole["earlier_usage"]["input"]) == (True, 7, 90)
    assert "97" in said.out.splitlines()[1].split()
    if sys.platform != "win32":
        import fcntl

        with Path("out.jsonl").open("rb") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            refused = triptych(*ask, "--resume")
        assert (refused.code, "another batch" in refused.err) == (2, True)


def test_what_cannot_be_asked_is_said_before_anything_is(triptych: Triptych, model: Path) -> None:
    cases: list[tuple[str, list[str], int]] = [
        ("", [], 2), ("{", [], 2), ("[1]", [], 2), ('{"id": 1}', [], 2), ('{"query": " "}', [], 2),
        ('"a"\n{"id": 1, "query": "b"}', [], 2), ('{"query": "a", "settings": 3}', [], 2),
        ('{"query": "a", "agent": "nobody"}', [], 2), ('"a"', ["--mode", "dance"], 2),
        ('"a"', ["--set", "max_steps=900"], 2), ('"a"', ["--concurrency", "0"], 2),
    ]  # fmt: skip
    faults = []
    for text, more, code in cases:
        Path("in.jsonl").write_text(text, "utf-8")
        said = triptych("batch", "in.jsonl", "--out", "out.jsonl", *more)
        if said.code != code or not said.err or Path("out.jsonl").exists():
            faults.append(f"{text!r} {more}: {said.code} {said.err}")
    assert faults == []
    assert triptych("batch", "absent.jsonl", "--out", "out.jsonl").code == 1
