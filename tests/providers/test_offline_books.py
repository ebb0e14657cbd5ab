"""A rule book is checked whole when it is loaded; what is wrong is named."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from app.core.domain import OFFLINE_RULES, Domain
from app.core.errors import BadInput
from app.core.run.chat_model import Finished, ModelRequest, ToolSpec, UserTurn
from app.core.slots import NO_NAMES
from app.providers.rules.book import MESSAGES, load_book
from app.providers.rules.model import OfflineRules, offline_model
from tests.fakes import FakeClock

HEAD = "inherit = []\n"
TEXTS = "\n".join(f'[messages.{name}]\nzh = "{name}"\nen = "{name}"' for name in MESSAGES)
INTENT = """
[[intent]]
name = "add"
words = ["add"]
goal = { zh = "加", en = "add" }
answer = { zh = "{sum.value}", en = "The sum is {sum.value}." }
answer_needs = ["sum"]
[[intent.call]]
tool = "adder"
as = "sum"
args = { days = "{days}" }
does = { zh = "加", en = "add up" }
"""
SLOTS = '[slots.days]\nkind = "count"\nunits = ["days"]\n'


def write(folder: Path, text: str) -> Path:
    path = folder / "demo.toml"
    path.write_text(text, encoding="utf-8")
    return path


async def test_a_book_of_ones_own_answers(tmp_path: Path) -> None:
    book = load_book(write(tmp_path, HEAD + TEXTS + "\n" + SLOTS + INTENT))
    model = OfflineRules(book, NO_NAMES(), pace=0.0, clock=FakeClock(day=date(2026, 1, 1)))
    request = ModelRequest([UserTurn("add 3 days")], tools=(ToolSpec("adder", "", {}),))
    last = [chunk async for chunk in model.stream(request)][-1]
    assert isinstance(last, Finished)
    assert [(call.name, call.args) for call in last.turn.calls] == [("adder", {"days": 3})]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("not toml [", "line 1"),
        (HEAD, "messages"),
        (HEAD + TEXTS + '\n[slots.x]\nkind = "magic"', "slots.x"),
        (HEAD + TEXTS + INTENT.replace('words = ["add"]', ""), "intent 1 (add)"),
        (HEAD + TEXTS + INTENT.replace('name = "add"', ""), "name is missing"),
        (HEAD + TEXTS + INTENT.replace('["sum"]', '["total"]'), "total"),
        (HEAD + TEXTS + INTENT.replace("{sum.value}.", "{if sum}"), "answer"),
        (HEAD + TEXTS + INTENT.replace('"{days}"', '"$1.data"'), "$1 is not an earlier call"),
        (HEAD + TEXTS + INTENT.replace(', en = "add" }', " }"), "goal"),
        (HEAD + TEXTS + INTENT + '[[intent]]\nname = "b"\nwords = ["b"]\nlike = "c"\n', "like"),
        (HEAD + TEXTS + INTENT.replace('name = "add"', 'name = "add"\nneeds = ["days"]'), "ask"),
    ],
)
def test_a_damaged_book_is_refused_with_the_place(tmp_path: Path, text: str, place: str) -> None:
    with pytest.raises(BadInput) as caught:
        load_book(write(tmp_path, text))
    assert "demo.toml" in caught.value.message
    assert place in caught.value.message


def test_a_folder_of_ones_own_is_looked_into(tmp_path: Path) -> None:
    write(tmp_path, HEAD + TEXTS + "\n" + SLOTS + INTENT).rename(tmp_path / OFFLINE_RULES)
    assert offline_model(Domain("demo", resources=tmp_path)) is not None
    assert offline_model(Domain("demo", resources=tmp_path / "none")) is None
    assert offline_model(Domain("demo")) is None


async def test_a_text_is_in_the_language_of_the_conversation_by_its_book_or_by_the_catalogue(tmp_path: Path) -> None:
    """ "Cities" is one of the texts the catalogues know."""
    texts = TEXTS.replace('zh = "beyond"\nen = "beyond"', 'en = "Cities"').replace(
        'en = "goal"', 'en = "goal"\nqq = "GOAL"'
    )
    book = load_book(write(tmp_path, HEAD + texts + "\n" + SLOTS + INTENT))
    said = {language: book.messages["beyond"][language].render({}) for language in ("en", "zh_CN", "zh")}
    assert said == {"en": "Cities", "zh_CN": "城市推荐", "zh": "城市推荐"}
    assert [book.messages["goal"][language].render({}) for language in ("zh_TW", "qq_YY", "fr")] == [
        "goal",
        "GOAL",
        "goal",
    ]
