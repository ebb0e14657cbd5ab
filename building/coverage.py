"""Writes tests/COVERAGE.md: which promises, faults, threats and bad inputs have a test named after them.

A test is named `test_R06_…` after row R06 of security-reliability.md, or after several. The same
letters are used for other lists in some folders (features, quirks of providers): those are left out.
Run by `make coverage`.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from building.places import REPO

TARGET = REPO / "tests" / "COVERAGE.md"
_CASE = re.compile(r"([PNASMCIFU]\d\d)(?![A-Za-z0-9]{2})")
_CODES = re.compile(r"test((?:_[A-Z]\d\d)+)(?:_|$)")


@dataclass(frozen=True)
class Table:
    letter: str
    title: str
    rows: int
    elsewhere: tuple[str, ...] = ()
    """Folders and files in which the letter means another list."""


_QUIRKS = ("tests/providers/test_wire.py", "tests/providers/test_text_dialects.py")

TABLES = (
    Table("R", "Promises", 36, _QUIRKS),
    Table("N", "Faults of the network", 36),
    Table("T", "Threats", 44, _QUIRKS),
    Table("P", "Bad streams of providers", 38, ("tests/benchmarks", "tests/storage")),
    Table("A", "Bad arguments of tools", 16),
    Table("M", "Bad Markdown", 30, ("tests/cli", "tests/end2end", "tests/services", "tests/agent", "tests/providers")),
    Table("I", "Bad imports", 22),
    Table("S", "Bad settings files", 12, _QUIRKS),
    Table("C", "Bad MCP servers", 22),
    Table("F", "Bad paths", 18),
    Table("U", "Bad addresses", 18),
)


def main() -> int:
    found = tests_by_row(REPO / "tests")
    lines = [
        "# What is covered",
        "",
        "Tests named after the rows of the security and reliability requirements. Written by `make coverage`.",
    ]
    for table in TABLES:
        codes = [f"{table.letter}{n:02}" for n in range(1, table.rows + 1)]
        missing = [code for code in codes if not _kept(found, code, table)]
        lines += ["", f"## {table.title} ({len(codes) - len(missing)} of {len(codes)})", ""]
        lines += ["| row | tests |", "|---|---|"]
        for code in codes:
            tests = _kept(found, code, table)
            if tests:
                lines.append(f"| {code} | {'<br>'.join(tests)} |")
        if missing:
            lines += ["", f"No test is named after {', '.join(missing)}."]
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"==> {TARGET.relative_to(REPO)}")
    return 0


def tests_by_row(folder: Path) -> Mapping[str, list[str]]:
    """`tests/storage/test_kill.py: test_R01_…` by the codes in its name."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        place = path.relative_to(folder.parent).as_posix()
        for name in _tests_in(tree):
            match = _CODES.match(name)
            for code in match[1].split("_")[1:] if match else ():
                found[code].append(f"{place}: {name}")
        for code in sorted(_cases_in(tree)):
            if place not in _QUIRKS and not any(test.startswith(place) for test in found[code]):
                found[code].append(f"{place}: a case")
    return found


def _tests_in(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test_"):
            yield node.name


def _cases_in(tree: ast.Module) -> set[str]:
    """Rows that are cases of one test: keys such as "P01b" or "I15 utf-16" of what it goes through."""
    keys = [key for node in ast.walk(tree) if isinstance(node, ast.Dict) for key in node.keys]
    texts = [key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
    return {match[1] for match in map(_CASE.match, texts) if match}


def _kept(found: Mapping[str, list[str]], code: str, table: Table) -> list[str]:
    return [test for test in found.get(code, ()) if not test.startswith(table.elsewhere)]


if __name__ == "__main__":
    raise SystemExit(main())
