"""Every reason for which something is refused has its clause in the window."""

from __future__ import annotations

import re
from pathlib import Path

import app
from app.core.errors import BadInput
from app.core.wording.kinds import KINDS
from app.storage.folder.errors import DiskFull
from app.ui import texts

ROOT = Path(app.__file__).parent


def reasons_in_code() -> set[str]:
    files = [
        file
        for room in ("core", "services", "storage", "providers", "net", "mcp", "acp", "server", "cli")
        for file in (ROOT / room).rglob("*.py")
    ]
    named = re.compile(r'\b(?:reason=|refused\()"([A-Z_0-9]{3,})"')
    return {found for file in files for found in named.findall(file.read_text("utf-8"))}


def refusals_in(*files: str) -> list[str]:
    return [line for file in files for line in (ROOT / file).read_text("utf-8").split("ImportRefused(")[1:]]


def test_every_reason_an_error_names_has_its_clause() -> None:
    named = {*reasons_in_code(), "ARCHIVE_STRANGE"}
    assert named == texts.known_reasons()


def test_every_refused_import_names_its_reason() -> None:
    exchange = [f"core/exchange/{name}.py" for name in ("archive", "document", "foreign", "strict_json")]
    calls = refusals_in(*exchange, "services/exchange/transfer.py")
    assert len(calls) > 40
    without = [
        call[:80] for call in calls if "reason=" not in call[:330] and not call.startswith(("BadInput", "Import"))
    ]
    assert without == []


def test_a_reason_is_said_within_the_sentence_of_its_code() -> None:
    text = texts.error_text("BAD_INPUT", "for the log", {"reason": "FILE_LARGE", "most": 50})
    assert text.what == "This cannot be done as given: the file is larger than 50 MB"
    assert texts.fault_text(BadInput("for the log", reason="EMPTY")) == "the file is empty"
    assert texts.fault_text(BadInput("for the log", reason="new here")) == "for the log"
    assert texts.fault_text(DiskFull("for the log")) == "The disk is full."
    assert texts.fault_text(OSError("of the system")) == "of the system"


def test_words_of_the_provider_are_shown_as_they_came_and_a_reason_is_not_said_twice() -> None:
    assert texts.detail_text("AUTH", "wrong key") == "wrong key"
    assert texts.detail_text("NETWORK", "no connection to x.org", {"host": "x.org"}) == "no connection to x.org"
    assert texts.detail_text("BAD_INPUT", "the file is empty", {"reason": "EMPTY"}) == ""


def test_an_unknown_name_is_told_with_its_kind() -> None:
    known = re.findall(r'UnknownName\(\s*"([^"]+)"', "\n".join(file.read_text("utf-8") for file in ROOT.rglob("*.py")))
    assert set(known) == KINDS.keys()
    assert texts.error_text("UNKNOWN_NAME", "", {"kind": "agent", "name": "x"}).what == "There is no agent named “x”."
