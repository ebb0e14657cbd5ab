"""Settings compared on cases with checks."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.services.batch.answers import BatchAnswer
from app.services.batch.checks import Verdict, read_checks
from app.services.batch.evaluation import EvalResult, variants_of
from app.services.batch.figures import figures_of, gains_of
from app.services.batch.report_page import html_report

from .conftest import Triptych


def test_every_kind_of_check_holds_and_fails_for_its_reason() -> None:
    answer = BatchAnswer(
        "1", "", "q", "assistant", "react", "m", ok=True, answer='It costs 1,234.50 yuan: ```{"a": {"b": [1, "x"]}}```',
        calls=(
            {"name": "calculator", "args": {"expression": "6*7"}, "result": "ok", "text": "42"},
            {"name": "read_file", "args": {"path": "../x"}, "result": "OUTSIDE", "text": "outside"},
        ),
        usage={"input": 10, "output": 5}, seconds=2.0, steps=3, stop_reason="answered",
        files={"a.md": "zwei", "old.txt": None},
    )  # fmt: skip
    cases: list[tuple[dict[str, Any], float]] = [
        ({"contains": "COSTS"}, 1), ({"contains": ["costs", "euro"]}, 0), ({"not_contains": "euro"}, 1),
        ({"not_contains": ["yuan"]}, 0), ({"regex": r"\d,\d{3}\.\d+ yuan"}, 1), ({"regex": "^yuan"}, 0),
        ({"json_path": "$.a.b[1]", "equals": "x"}, 1), ({"json_path": "a.b[0]", "equals": 2}, 0),
        ({"json_path": "$.c"}, 0), ({"tool": "calculator"}, 1), ({"tool": "search"}, 0),
        ({"tool": "calculator", "args": {"expression": "6*7"}}, 1),
        ({"tool": "calculator", "args": {"expression": "7*6"}}, 0), ({"number": 1234, "within": 1}, 1),
        ({"number": 1234}, 0), ({"max_tokens": 15}, 1), ({"max_tokens": 14}, 0), ({"max_seconds": 1.5}, 0),
        ({"max_seconds": 2}, 1), ({"max_steps": 3}, 1), ({"max_steps": 2}, 0), ({"mode": "react"}, 1),
        ({"mode": "plan"}, 0), ({"stop": "answered"}, 1), ({"stop": "budget"}, 0),
        ({"tools": ["calculator", "read_file"]}, 1), ({"tools": ["read_file", "calculator"]}, 0),
        ({"tool": "read_file", "result": "OUTSIDE"}, 1), ({"tool": "read_file", "result": "ok"}, 0),
        ({"tool": "calculator", "shows": "42"}, 1), ({"tool": "calculator", "shows": ["42", "43"]}, 0),
        ({"file": "a.md", "contains": "zwei"}, 1), ({"file": "a.md", "contains": "two"}, 0), ({"file": "b.md"}, 0),
        ({"file": "old.txt", "is_gone": True}, 1), ({"file": "old.txt"}, 0), ({"file": "a.md", "is_gone": True}, 0),
        ({"files": ["a.md", "old.txt"]}, 1), ({"files": []}, 0),
        ({"file": "*.md", "contains": "zwei"}, 1), ({"file": "*.md", "contains": "2"}, 0),
        ({"file": "o*", "is_gone": True}, 1), ({"file": "*/a.md"}, 0), ({"files": ["*.md", "old.*"]}, 1),
        ({"files": ["*"]}, 0), ({"files": ["*.md", "new.*"]}, 0), ({"number": 5, "within": 1.5}, 0),
    ]  # fmt: skip
    faults = []
    for raw, score in cases:
        (check,) = read_checks([raw])
        verdict = check.verdict(answer)
        if verdict.score != score or bool(verdict.why) is bool(score):
            faults.append(f"{raw}: {verdict}")
    assert faults == []
    rubrics: list[tuple[dict[str, Any], float, bool]] = [
        ({}, 0.7, True), ({}, 0.69, False), ({"at_least": 0.5}, 0.5, True), ({"at_least": 1}, 0.99, False),
    ]  # fmt: skip
    for more, score, holds in rubrics:
        (check,) = read_checks([{"judge": "is it friendly?", **more}])
        assert check.verdict(answer, Verdict(score, "so")).holds is holds
    (check,) = read_checks([{"judge": "is it friendly?"}])
    assert not check.verdict(answer).holds, "nobody judged it"
    failed = replace(answer, ok=False, stop_reason="cut")
    assert [read_checks([one])[0].verdict(failed).holds for one in ({"contains": "costs"}, {"stop": "cut"})] == [
        False, True,
    ]  # fmt: skip


def test_what_a_change_gained_is_told_with_its_cost() -> None:
    variants = variants_of(["direct", "react"], [], {"max_reflection_iterations": [0, 2]})
    checks = read_checks([{"contains": "42"}])
    results = []
    for place, variant in enumerate(variants):
        for n, case in enumerate(("a", "b", "c", "d")):
            answer = BatchAnswer(
                case, "", "q", "a", variant.mode, "m", ok=True, answer="42" if place + n > 2 else "41",
                usage={"input": 100 * (place + 1)}, seconds=float(place), money={"CNY": 0.01 * place},
            )  # fmt: skip
            results.append(EvalResult(case, variant, answer, tuple((one, one.verdict(answer)) for one in checks)))
    mode, rounds = gains_of(results, variants)
    assert (mode.factor, mode.value, mode.first) == ("mode", "react", "direct")
    assert (mode.score, mode.better, mode.worse, mode.equal) == (0.5, 4, 0, 4)
    assert (round(mode.tokens, 2), mode.seconds, round(mode.money["CNY"], 4)) == (2.33, 2.0, 0.02)
    assert (rounds.factor, rounds.value, rounds.score, rounds.better) == ("max_reflection_iterations", 2, 0.25, 2)
    assert [(one.passed, one.tokens.low, one.tokens.high) for one in figures_of(results, variants)] == [
        (n + 1, 100.0 * (n + 1), 100.0 * (n + 1)) for n in range(4)
    ]
    page = html_report("cases", results, variants, 3)
    for text in (
        "+50 points",
        "4 / 0 / 4",
        "× 2.3",
        "+¥0.02",
        "Reflection rounds: 2 instead of 0",
        "3 questions were not",
    ):
        assert text in page, text
    assert html_report("x", results[:4], variants[:1]).count("<h2>") == 2, "nothing to compare"


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
    assert '<html lang="en">' in page
    assert "<title>Settings compared: cases.jsonl</title>" in page
    assert "prefers-color-scheme: dark" in page
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
    assert (judged[0]["checks"][0]["why"], judged[0]["passed"]) == ("half", False)


def test_a_case_that_cannot_be_checked_is_named_before_anything_is_asked(triptych: Triptych) -> None:
    bad: list[Any] = [None, [], ["x"], [{}], [{"contains": 1}], [{"regex": "("}], [{"sings": "x"}],
                      [{"contains": "a", "regex": "b"}], [{"number": True}], [{"contains": "a", "equals": 1}],
                      [{"number": 1, "within": "x"}], [{"tool": "a", "args": []}], [{"files": "a"}], [{"judge": ""}],
                      [{"contains": []}]]  # fmt: skip
    faults = []
    for checks in bad:
        lines = [{"query": "fine", "checks": [{"contains": "a"}]}, {"id": "c7", "query": "x", "checks": checks}]
        Path("cases.jsonl").write_text("\n\n".join(map(json.dumps, lines)), "utf-8")
        said = triptych("eval", "cases.jsonl")
        if said.code != 2 or "cases.jsonl, line 3: c7: " not in said.err:
            faults.append(f"{checks}: {said.code} {said.err}")
    assert faults == []


def test_a_case_has_messages_before_it_and_a_folder_of_its_own(triptych: Triptych, tmp_path: Path) -> None:
    def script(name: str, *turns: dict[str, Any]) -> str:
        (tmp_path / name).write_text(json.dumps({"turns": turns}), "utf-8")
        return f"script/{(tmp_path / name).as_posix()}"

    write = {"name": "write_file", "arguments": {"path": "new.txt", "content": "here"}}
    writes = script("writes.json", {"tool_calls": [write], "usage": {"input": 5}}, {"content": "done"})
    fails = script("fails.json", {"raise": "401"})
    talk = {"query": "again", "before": ["first", {"query": "second", "mode": "direct"}], "model": writes}
    Path("given").mkdir()
    Path("given", "old.txt").write_text("old", "utf-8")
    cases: list[dict[str, Any]] = [
        {"query": "go", "agent": "workspace", "folder": "given", "model": writes,
         "checks": [{"files": ["new.txt"]}, {"file": "new.txt", "contains": "here"},
                    {"tool": "write_file", "result": "ok"}]},
        {**talk, "agent": "workspace", "folder": "given", "mode": "react", "checks": [{"stop": "answered"}]},
        {**talk, "before": [{"query": "first", "model": fails}], "checks": [{"contains": "done"}]},
    ]  # fmt: skip
    Path("cases.jsonl").write_text("\n".join(map(json.dumps, cases)), "utf-8")
    said = triptych("eval", "cases.jsonl", "--approve", "all", "--modes", "react", "--json")
    assert said.code == 1
    assert [one["passed"] for one in sorted(said.json, key=lambda one: one["case"])] == [True, True, False]
    assert [path.name for path in Path("given").iterdir()] == ["old.txt"], "it worked in a copy"
    refused = triptych("eval", "cases.jsonl", "--modes", "react", "--json")
    assert [one["passed"] for one in sorted(refused.json, key=lambda one: one["case"])] == [False, True, False]
    for bad in (
        {"folder": "absent"},
        {"before": [3]},
        {"before": [{"query": ""}]},
        {"before": [{"query": "a", "x": ""}]},
    ):
        Path("bad.jsonl").write_text(json.dumps({"query": "q", "checks": [{"contains": "a"}], **bad}), "utf-8")
        assert "line 1" in triptych("eval", "bad.jsonl").err
