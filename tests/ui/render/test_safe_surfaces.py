"""T03, T05 as a rule on the source: nothing in the window guesses that a text is rich, or waits in a nested loop."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from tests.every import every

UI = Path(__file__).resolve().parents[3] / "app" / "ui"
FILES = sorted(UI.rglob("*.py"))

RICH = {"setHtml", "insertHtml", "setMarkdown", "insertMarkdown", "setWhatsThis", "toHtml"}
"""Methods that read a text as HTML or Markdown of Qt's own."""

OWN_PAGE = UI / "render" / "pdf.py"
"""The one document laid out from HTML: our own export page, every text in it escaped by
services/exchange/export_html.py, and what it asks for answered by a dot (test_pdf.py has the canary)."""
TOOL_TIPS = UI / "widgets" / "safe_text.py"
LOOP = UI / "application"
"""The one place that runs Qt's loop."""


@cache
def used_in(file: Path) -> tuple[list[tuple[str, ast.Call]], set[str]]:
    """The calls, each with its name, and what is imported."""
    calls, imports = list[tuple[str, ast.Call]](), set[str]()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            calls.append((name, node))
        elif isinstance(node, ast.Import):
            imports |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            imports |= {f"{node.module}.{name.name}" for name in node.names}
    return calls, imports


def test_there_is_a_window_to_look_at() -> None:
    assert len(FILES) > 30


def test_T05_no_text_is_taken_for_markup() -> None:
    def check(file: Path) -> None:
        calls, _ = used_in(file)
        assert not RICH & {name for name, _call in calls} - ({"setHtml"} if file == OWN_PAGE else set())
        for name, call in calls:
            if name == "setToolTip" and file != TOOL_TIPS:
                assert all(isinstance(argument, ast.Constant) for argument in call.args)
            if name == "QLabel":
                assert not any(isinstance(argument, ast.Constant | ast.JoinedStr | ast.Call) for argument in call.args)

    every(((str(file.relative_to(UI)), file) for file in FILES), check)


def test_T03_no_browser_engine_and_no_message_box() -> None:
    def check(file: Path) -> None:
        for name in used_in(file)[1]:
            assert "WebEngine" not in name
            assert not name.endswith("QMessageBox")

    every(((str(file.relative_to(UI)), file) for file in FILES), check)


def test_no_nested_loops() -> None:
    def check(file: Path) -> None:
        for name, _call in used_in(file)[0]:
            assert name != "processEvents"
            if LOOP not in file.parents:
                assert name not in {"exec", "exec_", "getOpenFileName", "getSaveFileName", "getExistingDirectory"}

    every(((str(file.relative_to(UI)), file) for file in FILES), check)
