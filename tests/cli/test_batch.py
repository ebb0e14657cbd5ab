"""Questions in bulk: every one answered once, whatever stops the program in between."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

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
    assert "13 of 13 answered" in first.err
    assert first.out == ""
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
