"""What is set is what the next start reads, whatever was set before: agents, preferences, providers, MCP servers."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from app.core.errors import BadInput
from app.core.preferences import Preferences
from app.core.profile import AgentProfile
from app.core.resources import resource_dir
from app.core.setting import read_leniently
from app.mcp.config import ServerConfig
from app.providers.registry.catalog import ProviderConfig
from app.services.mcp.store import ServerFiles, Stored
from app.services.providers.entries import entry_of
from app.services.providers.service import ProviderService
from app.services.settings.settings import SettingsService
from app.storage.config.profiles import ProfileFiles
from app.storage.config.secrets import SecretStore
from app.storage.config.settings import SettingsFiles
from tests.local_network import OFFLINE

# Half a character and NUL are no text for a disk (app/storage/encoding.py); all else must come back.
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
TRAITS = st.fixed_dictionaries(
    {},
    optional={
        "tools": st.sampled_from(["native", "text"]),
        "context_chars": st.none() | st.integers(1, 9),
        "extra_body": st.dictionaries(TEXT, JSON, max_size=2),
    },
)
NAMES = st.lists(st.sampled_from(["ONE", "TWO", "X-Three"]), max_size=2, unique=True).map(tuple)
OF_FIELDS: Mapping[str, st.SearchStrategy[Any]] = {
    "base_url": st.sampled_from(["https://a.example/v1", "http://127.0.0.1:1/v1"]),
    "preset": st.sampled_from(["custom", "openai"]),
    "headers": st.dictionaries(st.sampled_from(["X-One", "X-Two"]), st.sampled_from(["a", "b c", ""]), max_size=2),
    "currency": st.sampled_from(["CNY", "USD"]),
    "traits": TRAITS,
    "model_traits": st.dictionaries(TEXT, TRAITS, max_size=2),
    "env": NAMES,
    "url": st.just(""),
    "transport": st.just("stdio"),
}
"""Fields whose type alone says too little."""


def values_of(annotation: Any) -> st.SearchStrategy[Any]:
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return st.sampled_from(args)
    if origin in (Union, UnionType):
        return st.one_of(*map(values_of, args))
    if origin is tuple:
        return st.lists(values_of(args[0]), max_size=3).map(tuple)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return st.dictionaries(values_of(args[0]), values_of(args[1]), max_size=3)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return some_fields(annotation)
    plain: dict[Any, st.SearchStrategy[Any]] = {
        bool: st.booleans(), str: TEXT, int: st.integers(0, 100), float: st.floats(0, 700), type(None): st.none(),
    }  # fmt: skip
    return plain.get(annotation, JSON)


def some_fields(model: type[BaseModel]) -> st.SearchStrategy[dict[str, Any]]:
    """Some fields, each with a value or back at its default."""
    fields: dict[str, st.SearchStrategy[Any]] = {}
    for name, info in model.model_fields.items():
        if name != "id":
            given_values = OF_FIELDS.get(name) if model is not AgentProfile else None
            value = given_values if given_values is not None else values_of(info.annotation)
            fields[name] = value if info.is_required() else value | st.just(info.get_default(call_default_factory=True))
    return st.fixed_dictionaries({}, optional=fields)


AGENTS, PROVIDERS, SERVERS = ("mine", "assistant"), ("near", "far"), ("one", "two")
CHANGES = st.one_of(
    st.tuples(st.sampled_from(AGENTS), some_fields(AgentProfile)),
    st.tuples(st.just("preferences"), some_fields(Preferences)),
    st.tuples(st.sampled_from(PROVIDERS), st.none() | some_fields(ProviderConfig)),
    st.tuples(st.sampled_from(SERVERS), some_fields(ServerConfig)),
)
SEQUENCES = st.lists(CHANGES, min_size=2, max_size=6)


def shipped(folder: Path) -> Path:
    """One built-in agent, so that a start is quick."""
    built_in = folder / "built-in"
    if not built_in.exists():
        built_in.mkdir()
        shutil.copy(resource_dir() / "profiles" / "assistant.toml", built_in)
    return built_in


class Started:
    """The services that keep settings, as at a start on this folder."""

    def __init__(self, folder: Path) -> None:
        files = SettingsFiles(folder)
        self.settings = SettingsService(files, ProfileFiles(folder / "profiles"), shipped(folder))
        store = SecretStore(folder / "keys", find=lambda: None)
        self.providers = ProviderService(files, store, environ={}, network=OFFLINE, tell=self.settings.add_notice)
        self.server_files = ServerFiles(ProfileFiles(folder / "mcp"))
        self.servers, self.wrong = self.server_files.load_all()

    def all(self) -> dict[str, Any]:
        return {
            "preferences": self.settings.preferences,
            **{profile.id: profile for profile in self.settings.profiles()},
            **{f"provider {entry.id}": self.providers.config(entry.id) for entry in self.providers.providers()},
            **{f"server {id}": stored for id, stored in self.servers.items()},
            "replaced": [n.text for n in self.settings.notices() if n.code == "settings_reset"] + self.wrong,
        }

    async def change(self, what: str, fields: dict[str, Any] | None) -> None:
        settings = self.settings
        if what == "preferences":
            await settings.save_preferences(changed(settings.preferences, fields or {}))
        elif what in AGENTS:
            known = next((one for one in settings.profiles() if one.id == what), AgentProfile(id=what))
            await settings.save_profile(changed(known, fields or {}))
        elif what in SERVERS:
            known_server = self.servers.get(what, Stored(ServerConfig(id=what, command="x")))
            self.servers[what] = Stored(changed(known_server.config, fields or {}), seen=(("program", "/bin/x"),))
            self.server_files.save(self.servers[what])
        elif fields is not None:
            known_provider = next((p for p in self.providers.providers() if p.id == what), None)
            base = ProviderConfig(id=what, base_url="https://b.example/v1")
            config = changed(self.providers.config(what) if known_provider else base, fields)
            with contextlib.suppress(BadInput):  # without an address
                await self.providers.save_provider(entry_of(config, has_key=False))
        elif what in {entry.id for entry in self.providers.providers()}:
            await self.providers.delete_provider(what)


def changed(known: Any, fields: dict[str, Any]) -> Any:
    """With those of the fields that may be set."""
    try:
        return read_leniently(type(known), {**known.model_dump(), **fields})[0]
    except ValidationError:
        return known


def keeps(sequence: list[tuple[str, dict[str, Any] | None]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        started = Started(folder)
        for what, fields in sequence:
            asyncio.run(started.change(what, fields))
            assert Started(folder).all() == started.all()


@hypothesis.settings(max_examples=20)
@given(SEQUENCES)
def test_any_sequence_of_settings_is_read_as_it_was_set(sequence: list[tuple[str, dict[str, Any] | None]]) -> None:
    keeps(sequence)


@pytest.mark.soak
@hypothesis.settings(max_examples=1_000)
@given(SEQUENCES)
def test_a_thousand_sequences_of_settings(sequence: list[tuple[str, dict[str, Any] | None]]) -> None:
    keeps(sequence)
