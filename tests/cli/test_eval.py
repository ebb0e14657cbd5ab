"""Settings compared on cases with checks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.services.batch.answers import BatchAnswer
from app.services.batch.checks import read_checks

from .conftest import Triptych


def test_every_kind_of_check_holds_and_fails_for_its_reason() -> None:
    answer = BatchAnswer(
        "1", "", "q", "assistant", "react", "m", ok=True, answer='It costs 1,234.50 yuan: ```{"a": {"b": [1, "x"]}}```',
        calls=({"name": "calculator", "args": {"expression": "6*7"}},), usage={"input": 10, "output": 5}, seconds=2.0,
    )  # fmt: skip
    cases: list[tuple[dict[str, Any], float]] = [
        ({"contains": "COSTS"}, 1), ({"contains": ["costs", "euro"]}, 0), ({"not_contains": "euro"}, 1),
        ({"not_contains": ["yuan"]}, 0), ({"regex": r"\d,\d{3}\.\d+ yuan"}, 1), ({"regex": "^yuan"}, 0),
        ({"json_path": "$.a.b[1]", "equals": "x"}, 1), ({"json_path": "a.b[0]", "equals": 2}, 0),
        ({"json_path": "$.c"}, 0), ({"tool": "calculator"}, 1), ({"tool": "search"}, 0),
        ({"tool": "calculator", "args": {"expression": "6*7"}}, 1),
        ({"tool": "calculator", "args": {"expression": "7*6"}}, 0), ({"number": 1234, "within": 1}, 1),
        ({"number": 1234}, 0), ({"max_tokens": 15}, 1), ({"max_tokens": 14}, 0), ({"max_seconds": 1.5}, 0),
    ]  # fmt: skip
    faults = []
    for raw, score in cases:
        (check,) = read_checks([raw])
        verdict = check.verdict(answer)
        if verdict.score != score or bool(verdict.why) is bool(score):
            faults.append(f"{raw}: {verdict}")
    assert faults == []


def test_modes_and_settings_are_compared_with_the_first(
    triptych: Triptych, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"turns": [{"content": "42 <b>"}], "repeat_last": True}), "utf-8")
    judge = tmp_path / "judge.json"
    judge.write_text(
        json.dumps({"turns": [{"content": '{"score": 0.5, "why": "half"}'}], "repeat_last": True}), "utf-8"
    )
    monkeypatch.setenv("TRIPTYCH_MODEL", f"script/{script.as_posix()}")
    cases: list[dict[str, Any]] = [
        {"id": "sum", "query": "6*7?", "checks": [{"contains": "42"}]},
        {"id": "tool", "query": "6*7?", "checks": [{"contains": "42"}, {"tool": "calculator"}]},
    ]
    Path("cases.jsonl").write_text("\n".join(map(json.dumps, cases)), "utf-8")
    ask = ("eval", "cases.jsonl", "--modes", "direct,react", "--set", "temperature=0|1", "--html", "report.html")
    said = triptych(*ask, "--json")
    assert said.code == 1
    results = said.json
    assert len(results) == 2 * 2 * 2
    assert {(one["case"], one["score"]) for one in results} == {("sum", 1.0), ("tool", 0.5)}
    assert len({one["variant"] for one in results}) == 4
    page = Path("report.html").read_text("utf-8")
    assert "calculator was not called" in page
    assert "42 &lt;b&gt;" in page
    shown = triptych("eval", "cases.jsonl", "--modes", "direct,react")
    assert "75 %" in shown.out
    Path("judged.jsonl").write_text(json.dumps({"query": "6*7?", "checks": [{"judge": "is it friendly?"}]}), "utf-8")
    assert triptych("eval", "judged.jsonl").code == 2
    monkeypatch.delenv("TRIPTYCH_MODEL")
    refs = ("--models", f"script/{script.as_posix()}", "--judge", f"script/{judge.as_posix()}")
    judged = triptych("eval", "judged.jsonl", *refs, "--json").json
    assert [one["score"] for one in judged] == [0.5]
    assert judged[0]["checks"][0]["why"] == "half"


def test_a_case_that_cannot_be_checked_is_named_before_anything_is_asked(triptych: Triptych) -> None:
    bad: list[Any] = [None, [], ["x"], [{}], [{"contains": 1}], [{"regex": "("}], [{"sings": "x"}],
                      [{"contains": "a", "regex": "b"}], [{"number": True}]]  # fmt: skip
    faults = []
    for checks in bad:
        Path("cases.jsonl").write_text(json.dumps({"id": "c7", "query": "x", "checks": checks}), "utf-8")
        said = triptych("eval", "cases.jsonl")
        if said.code != 2 or "c7" not in said.err:
            faults.append(f"{checks}: {said.code} {said.err}")
    assert faults == []
