"""Who is new: nobody to whom anything was ever shown, whatever is missing now."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.compose import build
from app.core.errors import DataDamaged
from app.core.ids import new_id
from app.core.run.messages import user_message
from app.services.container import Services
from app.services.providers.service import ProviderEntry
from app.storage.folder.data_marker import Marker, write_marker


async def is_new(data: Path, environ: dict[str, str] | None = None) -> bool:
    services = build(data, environ or {})
    await services.open()
    try:
        return await services.first_run.is_new()
    finally:
        await services.close()


async def test_an_empty_folder_is_new_until_something_was_chosen(tmp_path: Path) -> None:
    assert await is_new(tmp_path / "data")
    assert await is_new(tmp_path / "data")
    services = build(tmp_path / "data", {})
    await services.first_run.settle()
    assert not await is_new(tmp_path / "data")


@pytest.mark.parametrize("name", ["TRIPTYCH_MODEL", "OPENAI_API_KEY"])
async def test_who_names_a_model_in_the_environment_has_chosen(tmp_path: Path, name: str) -> None:
    assert not await is_new(tmp_path / "data", {name: "offline/rules"})


async def test_a_provider_or_a_session_even_in_the_bin_means_somebody_was_here(services: Services) -> None:
    assert await services.first_run.is_new()
    session = await services.sessions.create("travel")
    await services.sessions.add(session.id, user_message(new_id(), "hello", created=1.0))
    assert not await services.first_run.is_new()
    await services.sessions.bin.trash(session.id)
    assert not await services.first_run.is_new()


async def test_a_provider_is_a_choice(services: Services) -> None:
    await services.providers.save_provider(ProviderEntry("x", "ollama", "", "http://127.0.0.1:9/v1", ("m",)))
    assert not await services.first_run.is_new()


@pytest.mark.parametrize("file", ["preferences.toml", "profiles/mine.toml"])
async def test_R07_a_damaged_setting_is_never_a_new_person(tmp_path: Path, file: str) -> None:
    path = tmp_path / "data" / file
    path.parent.mkdir(parents=True)
    path.write_bytes(b"\x00\xff = [")
    assert not await is_new(tmp_path / "data")


async def test_R07_a_database_that_once_held_messages_is_never_a_new_person(tmp_path: Path) -> None:
    services = build(tmp_path / "data", {})
    await services.open()
    try:
        write_marker(tmp_path / "data" / "marker.json", Marker(0, 12))
        assert not await services.first_run.is_new()
        write_marker(tmp_path / "data" / "marker.json", Marker(0, 0))
        assert await services.first_run.is_new()
    finally:
        await services.close()


async def test_R07_a_copy_with_sessions_beside_an_empty_database_is_never_a_new_person(tmp_path: Path) -> None:
    data = tmp_path / "data"
    services = build(data, {})
    await services.open()
    session = await services.sessions.create("travel")
    await services.sessions.add(session.id, user_message(new_id(), "hello", created=1.0))
    await services.backups.make()
    await services.close()
    for name in ("sessions.db", "marker.json"):
        (data / name).unlink()
    with pytest.raises(DataDamaged):
        await is_new(data)
