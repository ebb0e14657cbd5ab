"""Recorded traffic of real providers, beside the repository. Sampled here, whole under `soak`."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from app.core import errors
from app.core.errors import DamagedStream, IncompleteStream, ModelError
from app.providers.http.faults import from_status
from tests.rigs.replay import Outcome, replay, with_crlf, with_noise

CLASSES = {
    "auth": errors.KeyRefused,
    "not_found": errors.NotFound,
    "bad_request": errors.RequestRefused,
    "unsupported_role": errors.RequestRefused,
    "rate_limit": errors.RateLimited,
    "context_overflow": errors.ContextOverflow,
}


def _cases(streams: Path) -> list[tuple[Path, dict[str, Any]]]:
    files = sorted([*streams.glob("recorded/**/*.sse"), *streams.glob("quirks/*.sse")])
    return [(file, json.loads(file.with_name(f"{file.stem}.expect.json").read_text("utf-8"))) for file in files]


def _differences(outcome: Outcome, expected: dict[str, Any], *, tags: bool) -> list[str]:
    split = expected.get("if_think_tags_split", {}) if tags else {}
    if outcome.finished is None:
        return [] if expected.get("errors") else [f"error {outcome.error!r}"]
    turn = outcome.finished.turn
    usage = outcome.finished.usage
    given = expected["usage"] or {}
    wanted_calls = [(c["name"], c["id"] or "", (c["arguments"] or "").strip()) for c in expected["tool_calls"]]
    pairs: dict[str, tuple[object, object]] = {
        # Leading white space of the visible text is not shown (R14).
        "text": (turn.text, split.get("visible", expected["text"]).lstrip()),
        "reasoning": (turn.reasoning, split.get("reasoning", expected["reasoning"])),
        "calls": ([(c.name, c.wire_id, c.args_text) for c in turn.calls], wanted_calls),
        "finish": (outcome.finished.raw_finish or None, expected["finish_reason"]),
        "usage": (
            (usage.input, usage.output) if usage else (None, None),
            (given.get("prompt_tokens"), given.get("completion_tokens")),
        ),
        "shown": (outcome.shown, turn.text),
    }
    return [f"{name}: {got!r} != {wanted!r}" for name, (got, wanted) in pairs.items() if got != wanted]


def test_every_recording_is_read_as_expected(streams_dir: Path) -> None:
    wrong = []
    for file, expect in _cases(streams_dir):
        for tags in (True, False):
            outcome = replay(file.read_bytes(), options={"think_tags": tags})
            wrong += [
                f"{file.parent.name}/{file.name} {d}" for d in _differences(outcome, expect["expected"], tags=tags)
            ]
    assert wrong == []


def _check_invariance(file: Path) -> None:
    data = file.read_bytes()
    whole = replay(data).summary
    for other in (data, with_crlf(data), with_noise(data)):
        for size in (1, 7):
            assert replay(other, size).summary == whole, file


def _check_cuts(file: Path, cuts: list[int]) -> None:
    data = file.read_bytes()
    whole = replay(data)
    if whole.finished is None:
        return
    for at in cuts:
        cut = replay(data[:at])
        if cut.finished is not None:
            assert cut.finished.turn.text == whole.finished.turn.text
            assert [c.args for c in cut.finished.turn.calls] == [c.args for c in whole.finished.turn.calls]
        else:
            assert isinstance(cut.error, (IncompleteStream, DamagedStream, errors.NotAStream))
            assert cut.partial == cut.shown


def test_a_sample_is_the_same_in_pieces_with_crlf_and_noise(streams_dir: Path) -> None:
    small = [file for file, _ in _cases(streams_dir) if file.stat().st_size < 30_000]
    for file in random.Random(11).sample(small, 25):
        _check_invariance(file)


def test_a_sample_cut_anywhere_is_incomplete(streams_dir: Path) -> None:
    chance = random.Random(12)
    small = [file for file, _ in _cases(streams_dir) if file.stat().st_size < 60_000]
    for file in chance.sample(small, 25):
        size = file.stat().st_size
        _check_cuts(file, [chance.randrange(size) for _ in range(20)])


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_all_are_the_same_in_pieces_and_incomplete_when_cut(streams_dir: Path) -> None:
    for file, _ in _cases(streams_dir):
        _check_invariance(file)
        size = file.stat().st_size
        _check_cuts(file, list(range(0, size, max(1, size // 400))))


def test_every_error_body_gets_its_class(streams_dir: Path) -> None:
    for file in sorted(streams_dir.glob("errors/*.json")):
        case = json.loads(file.read_text("utf-8"))
        error: ModelError = from_status(case["status"], case["headers"], json.dumps(case["body"]).encode())
        assert type(error) is CLASSES[case["expected_class"].split(" ")[0]], file.name
