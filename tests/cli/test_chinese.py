"""The command line for somebody who reads Chinese: help, errors and lists without an English sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli.console.argparse_words import translate_argparse
from app.cli.parser import make_parser
from app.core.text.i18n import set_language
from tests.cli.conftest import Triptych
from tests.cli.test_help import parsers

SENTENCE = re.compile(r"\b(?!triptych )[a-z]{2,} [a-z]{2,} [a-z]{2,}")
"""Three words of small letters in a row; codes, names and options never make one, a command does."""


@pytest.fixture(autouse=True)
def chinese(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TRIPTYCH_LANG", "zh_CN")
    set_language("")
    yield
    set_language("en")


def test_every_help_is_chinese() -> None:
    translate_argparse()
    left: list[str] = []
    for parser in parsers(make_parser()):
        page = parser.format_help()
        usage, _empty, rest = page.partition("\n\n")
        head = [] if usage.startswith("用法：") else [usage]
        rest = re.sub(r"^(\S.*)\n(?=\S)", r"\1 ", rest, flags=re.MULTILINE)  # a sentence may end with a line of names
        # What is behind an option's name and its value, which are words of the program.
        texts = re.findall(r"(?:^  +\S.*?  +|^ {10,})(\S.*)$", rest, re.MULTILINE)
        headings = re.findall(r"^(\S.*)$", rest, re.MULTILINE)
        english = [text for text in (*texts, *headings) if not re.search(r"[\u4e00-\u9fff]", text)]
        left += [f"{parser.prog}: {text}" for text in (*head, *english, *SENTENCE.findall(rest))]
    assert left == []


CALLS = [
    "bogus",
    "run",
    "run hello --mode bogus",
    "run hello --agent nobody",
    "run hello --model nobody/x",
    "run --set x hello",
    "run --set nothing=1 hello",
    "run hello --plan-only --mode react",
    "run hello",
    "tools call calculator --json nope",
    "tools call calculator --json [1]",
    "tools call nothing --json {}",
    "agents list",
    "agents show nobody",
    "agents import no.toml",
    "models list --probe",
    "sessions list",
    "sessions show nobody",
    "sessions search x --since yesterday",
    "sessions search x --limit none",
    "sessions import no.json",
    "sessions restore nobody",
    "sessions restore --backup nobody",
    "sessions backup --list",
    "sessions verify",
    "runs list",
    "runs show nobody",
    "runs replay nobody --speed 0",
    "runs again nobody",
    "runs again nobody --from-step 0",
    "compare --modes direct,bogus hello",
    "compare --modes direct,direct hello",
    "mcp list",
    "mcp check nobody",
    "doctor",
    "doctor --run nobody",
    "bench nothing",
    "mcp add",
    "mcp add web https://user@x.org/mcp",
    "mcp add web http://x.org/mcp",
    "mcp approve nobody",
    "mcp remove nobody",
    "run --set temperature=9 x",
    "run --set max_steps=abc x",
    "run --set budget=5 x",
    "run --set nobody.knows=1 x",
    'run --set hooks=[{"when":"now"}] x',
    "run --model script/none.json x",
    "run --model foo x",
    "runs again nobody --from-step -1",
    'tools call current_time --json {"zone":"Mars/X"}',
    'tools call calculator --json {"expression":"1/0"}',
    'tools call calculator --json {"expression":"import"}',
    'tools call calculate_budget --json {"days":0,"adults":"x"}',
    'tools call generate_route --json {"city":"Atlantis","days":3}',
    'tools call edit_trip --json {"id":"x","ops":[{"op":"fly"}]}',
    'tools call check_itinerary --json {"itinerary":{"days_list":3}}',
    'tools call geocode --json {"text":"Atlantis"}',
    "tools list",
]


def test_what_commands_print_is_chinese(triptych: Triptych) -> None:
    left: list[str] = []
    for call in CALLS:
        shown = triptych(*call.split())
        text = shown.out + shown.err
        left += [f"{call}: {line}" for line in _english(text)]
    assert left == []


def _english(page: str) -> list[str]:
    """Lines with an English sentence; the way a command is written, and the arguments of a call, are none."""
    shown = re.sub(r"^用法：.*(\n {8,}.*)*", "", page, flags=re.MULTILINE)
    if page.strip() and not re.search(r"[\u4e00-\u9fff]", page):
        return [page]
    return [line for line in shown.splitlines() if SENTENCE.search(line)]


def test_a_run_its_log_and_a_comparison_are_told_in_chinese(triptych: Triptych) -> None:
    run = triptych("run", "--agent", "travel", "--mode", "react", "北京天气怎么样")
    assert run.code == 0, run.err
    listed = triptych("runs", "list").out
    id = listed.splitlines()[1].split()[0]
    pages = [run.err, listed, triptych("doctor", "--run", id).out, triptych("runs", "compare", id, id).out]
    assert [line for page in pages for line in _english(page)] == []
    assert "两次运行完全相同" in pages[-1]


def test_the_language_of_the_preferences_holds_where_the_environment_names_none(
    triptych: Triptych, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("TRIPTYCH_LANG")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    folder = tmp_path / "data of its own"
    assert "usage: " in triptych("--data-dir", str(folder), "run", "--help").out
    assert not folder.exists()
    triptych("--data-dir", str(folder), "sessions", "list")
    (folder / "preferences.toml").write_text('language = "zh_CN"', encoding="utf-8")
    for spelling in (["--data-dir", str(folder)], [f"--data-dir={folder}"]):
        assert "用法：" in triptych(*spelling, "run", "--help").out
    damaged = "language = [zh"
    (folder / "preferences.toml").write_text(damaged, encoding="utf-8")
    assert "usage: " in triptych("--data-dir", str(folder), "run", "--help").out
    assert (folder / "preferences.toml").read_text("utf-8") == damaged


def test_what_a_program_reads_is_the_same_in_both_languages(
    triptych: Triptych, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = []
    for language in ("en", "zh_CN"):
        monkeypatch.setenv("TRIPTYCH_LANG", language)
        facts = triptych("doctor", "--json").json
        pages.append({name: text for name, text in facts.items() if name != "language"})
    assert pages[0] == pages[1]
