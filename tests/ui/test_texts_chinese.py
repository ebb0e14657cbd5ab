"""What our own code refuses is told in Chinese in the Chinese window."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from app.core.errors import BadInput, TriptychError, UnknownName
from app.core.exchange.archive import read_archive
from app.core.exchange.strict_json import read_json
from app.core.text.i18n import set_language
from app.ui import texts

CHINESE = re.compile(r"[\u4e00-\u9fff]")
ENGLISH = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}")


@pytest.fixture
def chinese() -> Iterator[None]:
    set_language("zh_CN")
    yield
    set_language("en")


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize("reason", sorted(texts.known_reasons()))
def test_every_reason_is_chinese_in_the_chinese_window(reason: str) -> None:
    values = dict.fromkeys(("file", "what", "id", "role", "name", "version", "place", "number", "path", "address"), "x")
    told = texts.reason_text({"reason": reason, "most": 5, "found": 7, "line": 3, "ours": 1, **values})
    assert CHINESE.search(told)
    assert not ENGLISH.search(told)


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
@pytest.mark.parametrize("code", sorted(texts.known_error_codes()))
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
