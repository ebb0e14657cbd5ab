"""What every built-in domain keeps, one contract for all: each fault is a sentence, and all of them are listed."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field
from pytestqt.qtbot import QtBot

from app.compose import build
from app.core.domain import Domain
from app.core.errors import ToolError
from app.core.text.i18n import say_in
from app.core.tools.card_markdown import card_markdown
from app.core.tools.tool import Tool, ToolContext, ToolResult, example_of, mend_call, tool
from app.domains import BUILTIN
from app.services.tools.domain_faults import domain_faults
from app.ui.cards import make_card
from app.ui.theme import Theme
from tests.domains.travel.async_calls import MemoryDocuments

TODAY = date(2026, 11, 21)
OFFLINE = ("pure", "app.read")
"""Permission classes whose tools can be called by a test as they are."""


def test_a_built_in_domain_has_no_fault(tmp_path: Path) -> None:
    names = [entry.name for entry in build(tmp_path / "data", {}).tools.all_tools()]
    assert [fault for domain in BUILTIN for fault in domain_faults(domain, names)] == []


def test_each_of_its_tools_is_named_by_one_of_its_agents(tmp_path: Path) -> None:
    """By that it is found without an import of the domain (`SettingsService.domains_with`)."""
    settings = build(tmp_path / "data", {}).settings
    all_of = [(domain, tool.name) for domain in BUILTIN for tool in domain.tools]
    assert [name for domain, name in all_of if domain not in settings.domains_with(name)] == []


def test_its_texts_are_in_both_languages() -> None:
    marked = [(one.name, one.title) for domain in BUILTIN for one in domain.tools]
    marked += [(one.id, one.label) for domain in BUILTIN for one in domain.endpoints]
    marked += [(one.id, one.label) for domain in BUILTIN for one in domain.presets]
    assert [name for name, text in marked if text.isascii() and say_in("zh_CN", text) == text] == []


def test_its_tools_take_a_right_call_and_the_same_written_sloppily_and_refuse_a_wrong_one_whole() -> None:
    faults = []
    for one in (one for domain in BUILTIN for one in domain.tools):
        example = example_of(one, TODAY)
        if found := one.check(example):
            faults.append(f"{one.name}: its example is refused: {found}")
        for name, sloppy in written_sloppily(one, example):
            mended = mend_call(one, sloppy, TODAY)
            if mended.args != mend_call(one, example, TODAY).args or one.check(mended.args):
                faults.append(f"{one.name}: not understood with {name}: {sloppy} → {mended.args}")
        refusal = json.dumps([str(fault) for fault in one.check({"no such argument": 1})])
        missing = [name for name in one.parameters.get("required", ()) if name not in refusal]
        if "no such argument" not in refusal or missing:
            faults.append(f"{one.name}: a refusal does not name {missing or 'the unknown argument'}: {refusal}")
    assert faults == []


def written_sloppily(one: Tool, args: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The same call as models write it, as far as its arguments allow."""
    forms: dict[str, Callable[[Any], Any]] = {
        "numbers as texts": lambda value: str(value) if type(value) is int else value,
        "fractions": lambda value: float(value) if type(value) is int else value,
        "JSON in a text": lambda value: json.dumps(value) if isinstance(value, list | dict) else value,
    }
    for name, write in forms.items():
        sloppy = {key: write(value) for key, value in args.items()}
        if sloppy != args or any(type(sloppy[key]) is not type(args[key]) for key in args):
            yield name, sloppy
    optional = [key for key in one.parameters.get("properties", {}) if key not in one.parameters.get("required", ())]
    if optional:
        yield "null for an optional", {**args, **{key: None for key in optional[:1] if key not in args}}


async def test_its_cards_are_drawn_and_written_in_both_languages(qtbot: QtBot) -> None:
    faults, theme = [], Theme("light")
    for one in (one for domain in BUILTIN for one in domain.tools if one.permission in OFFLINE):
        for language in ("zh_CN", "en"):
            result = await called(one, language)
            if result is None or result.display is None:
                continue
            card = result.display.to_json()
            widget = make_card(card, theme)
            if widget is None:
                faults.append(f"{one.name}: no window draws a card of the kind {card['card']}")
            else:
                qtbot.addWidget(widget)
            if not card_markdown(card["card"], card["payload"]).strip():
                faults.append(f"{one.name}: its card is empty in Markdown and on the terminal")
            if json.loads(json.dumps(card, allow_nan=False)) != card:
                faults.append(f"{one.name}: its card is not the same after it was stored")
    assert faults == []


async def called(one: Tool, language: str) -> ToolResult | None:
    """None: the example is refused in words."""
    ctx = ToolContext(language=language, today=TODAY, documents=MemoryDocuments())
    try:
        outcome = one.body(ctx, mend_call(one, example_of(one, TODAY), TODAY).args)
        result = await outcome if inspect.isawaitable(outcome) else outcome
    except ToolError:
        return None
    assert isinstance(result, ToolResult), one.name
    return result


# ---------------------------------------------------------------- a faulty domain is told in clear sentences


class Untitled(BaseModel):
    depth: int = 2


@tool("app.write")
def bare(ctx: ToolContext, amount: Annotated[int, Field(ge=1)]) -> ToolResult:
    return ToolResult.success({"amount": amount})


@pytest.fixture
def faulty(tmp_path: Path) -> Domain:
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles" / "a.toml").write_text('id = "a"\nname = {en = "A"}\n[tools]\nabsent = "allow"\n', "utf-8")
    (tmp_path / "profiles" / "b.toml").write_text("id = [", "utf-8")
    (tmp_path / "offline.toml").write_text("[messages]\n", "utf-8")
    return Domain("Pond", (bare, replace(bare, permission="magic")), tmp_path, settings=Untitled)  # type: ignore[arg-type]


def test_a_faulty_domain_is_told_in_sentences(faulty: Domain) -> None:
    told = "\n".join(domain_faults(faulty, ["bare"]))
    for sentence in (
        "the id is no folder name of lower-case letters",
        "two tools are called bare",
        "bare: it has no title",
        "bare: it has no docstring",
        "bare: it changes something and says nothing for the approval",
        "its permission is magic, not one of pure",
        "the setting depth has no title, so nobody can change it",
        "a.toml: the name is missing in zh",
        "a.toml: the description is missing in zh, en",
        "a.toml: there is no tool absent",
        "a.toml: the agent has none of the tools of its domain",
        "b.toml: ",
        "the rule book offline.toml: messages: missing beyond",
    ):
        assert sentence in told, told
    absent = faulty.resources / "absent" if faulty.resources else None
    assert domain_faults(replace(faulty, resources=absent), ())[-1].startswith(
        "Pond: the folder of its resources is not"
    )
