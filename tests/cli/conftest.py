"""The command line called as a function: exit code, stdout, stderr."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.__main__ import main
from app.core.run.event_line import Stamped
from tests.grammar import check_grammar


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    def events(self) -> list[Stamped]:
        """Every line of stdout is an event, and together they are a run."""
        lines = [Stamped.from_json(json.loads(line)) for line in self.out.splitlines()]
        check_grammar(lines)
        return lines


Triptych = Callable[..., Said]


class Typed(io.StringIO):
    """Standard input with a person at it."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def triptych(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Triptych:
    """`triptych("run", "hello", stdin="…")`, in a working folder of its own; `typed` comes from a terminal."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    def call(*argv: str, stdin: str = "", typed: str | None = None) -> Said:
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin) if typed is None else Typed(typed))
        capsys.readouterr()
        try:
            code = main(list(argv))
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 1
        captured = capsys.readouterr()
        return Said(code, captured.out, captured.err)

    return call
