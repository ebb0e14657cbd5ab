"""What our own code refuses is told in Chinese in the Chinese window."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError

from app.agent.policy import hook_rules
from app.core.arguments import refusal
from app.core.errors import BadInput, TriptychError, UnknownName
from app.core.exchange.archive import read_archive
from app.core.exchange.strict_json import read_json
from app.core.preferences import Preferences
from app.core.profile import AgentProfile
from app.core.text import value_faults
from app.core.text.i18n import _, set_language
from app.core.wording import errors, notices, reasons
from app.core.wording.kinds import KINDS
from app.mcp.config import ServerConfig
from app.providers.registry.catalog import ProviderConfig
from app.ui import texts
from tests.every import looped

CHINESE = re.compile(r"[\u4e00-\u9fff]")
ENGLISH = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}")


@pytest.fixture
def chinese() -> Iterator[None]:
    set_language("zh_CN")
    yield
    set_language("en")


@pytest.mark.usefixtures("chinese")
def test_every_code_there_is_has_its_chinese() -> None:
    """Of every table in which a code becomes a sentence: what is missing, or has English words left."""
    sentences = {
        **{f"reason {code}": text for code, text in reasons._REASONS.items()},
        **{f"notice {code}": text for code, text in notices._NOTICES.items()},
        **{f"error {code} {n}": text for code, row in errors.ERRORS.items() for n, text in enumerate(row[:2])},
        **{f"kind {code}": text for code, text in KINDS.items()},
        **{f"value {code}": text for code, text in value_faults.known_kinds().items()},
        **{f"argument {code}": text for code, text in refusal._WORDS.items()},
        **{f"type {code}": text for code, text in refusal._TYPES.items()},
        **{f"rule {code}": text for code, text in hook_rules._WRONG.items()},
    }
    left = [f"{code}: {_(text)}" for code, text in sentences.items() if not CHINESE.search(_(text))]
    left += [f"{code}: {_(text)}" for code, text in sentences.items() if ENGLISH.search(_(text))]
    assert left == []


@pytest.mark.usefixtures("chinese")
def test_what_is_wrong_with_a_value_is_never_said_in_the_validators_words() -> None:
    """Every field of what a person can set, given values of every wrong kind: in a form, a file, or behind --set."""
    wrong: list[Any] = ["", "x" * 200_000, -1, 10**9, 1.5, True, None, [], [3], {}, {"a": 1}, "nowhere", float("inf")]
    said: set[str] = set()
    left: list[str] = []
    for model in (AgentProfile, Preferences, ProviderConfig, ServerConfig):
        names: Any = {"en": "a"} if model is AgentProfile else "a"
        for name in model.model_fields:
            for value in wrong:
                try:
                    model.model_validate({"id": "a", "name": names, name: value})
                except ValidationError as error:
                    found = [(fault.clause("zh_CN"), fault.clause("en")) for fault in value_faults.value_faults(error)]
                    left += [f"{model.__name__}.{name}: {zh}" for zh, _en in found if not CHINESE.search(zh)]
                    left += [f"{model.__name__}.{name}: {en}" for _zh, en in found if "Input" in en or "Value" in en]
                    said |= {en for _zh, en in found}
    assert sorted(set(left)) == []
    assert len(said) > 15


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"{,}", b"[" * 200, b'{"a":1,"a":2}', b"[NaN]"])
def test_a_file_that_is_refused_is_refused_in_chinese(data: bytes) -> None:
    with pytest.raises(BadInput) as caught:
        read_json(data)
    assert_chinese(caught.value)


@pytest.mark.usefixtures("chinese")
def test_an_archive_that_is_refused_is_refused_in_chinese() -> None:
    with pytest.raises(BadInput) as caught:
        read_archive(b"PK\x03\x04 and then nothing")
    assert_chinese(caught.value)


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize("kind", ["agent", "backup", "message", "mode", "model", "provider", "run", "session", "tool"])
def test_what_there_is_none_of_is_named_in_chinese(kind: str) -> None:
    assert kind not in texts.fault_text(UnknownName(kind, "x"))


@pytest.mark.usefixtures("chinese")
@looped("code", sorted(texts.known_error_codes()))
def test_every_error_of_ours_is_told_without_its_english_message(code: str) -> None:
    text = texts.error_text(code, "密钥", {"host": "x.org", "kind": "agent", "name": "x", "near": ["y"]})
    assert CHINESE.search(text.what)
    assert not ENGLISH.search(text.what + text.do)


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize(
    "code", ["NO_PLAN", "SCRIPT_END", "NETWORK", "TIMEOUT", "DISK_FULL", "DATA_DAMAGED", "OFFLINE"]
)
def test_a_message_of_ours_is_not_added_in_english(code: str) -> None:
    assert texts.detail_text(code, "no connection came about", {"host": "x.org"}) == "x.org"
    assert texts.detail_text("SERVER", "overloaded, come back later") == "overloaded, come back later"
    assert texts.hint_text("free some space") == ""


def assert_chinese(error: TriptychError) -> None:
    text = texts.error_text(error.code, error.message, error.params)
    assert CHINESE.search(text.what)
    assert not ENGLISH.search(text.what + text.do)
