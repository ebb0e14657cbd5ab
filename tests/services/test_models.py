"""Which model answers, and providers as a person sets them up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.errors import BadInput, NotConfigured, UnknownName
from app.core.profile import AgentProfile
from app.core.resources import resource_dir
from app.core.run.price import Price
from app.domains import BUILTIN
from app.services.container import Services
from app.services.providers.models import ModelService
from app.services.providers.service import ProviderEntry, ProviderService
from app.services.settings.network import NetworkSettings
from app.services.settings.settings import SettingsService
from app.storage.config.profiles import ProfileFiles
from app.storage.config.secrets import SecretStore
from app.storage.config.settings import SettingsFiles
from app.storage.folder.errors import KeyStorageMissing
from tests.fakes import says
from tests.services.conftest import write_script

KEYED = {"OPENAI_API_KEY": "sk-env-000000", "OPENAI_MODEL": "gpt-env"}


class FakeKeyring:
    """A keyring in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get(username)

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[username] = password

    def delete_password(self, service: str, username: str) -> None:
        self.kept.pop(username, None)


class Desk:
    """Settings, providers and models of one folder, without the rest of the program."""

    def __init__(
        self, folder: Path, environ: Mapping[str, str] | None = None, keyring: FakeKeyring | None = None
    ) -> None:
        given = environ or {}
        (folder / "profiles").mkdir(parents=True, exist_ok=True)
        files = SettingsFiles(folder)
        self.settings = SettingsService(files, ProfileFiles(folder / "profiles"), resource_dir() / "profiles")
        for domain in BUILTIN:
            self.settings.add_domain(domain)
        secrets = SecretStore(folder / "keys.json", find=lambda: keyring)
        self.providers = ProviderService(files, secrets, environ=given, network=NetworkSettings(self.settings, given))
        self.models = ModelService(self.settings, self.providers, wanted=given.get("TRIPTYCH_MODEL", ""))


def local(id: str = "near", *models: str) -> ProviderEntry:
    return ProviderEntry(id, "ollama", "", "http://127.0.0.1:11434/v1", models or ("qwen3:8b",), needs_key=False)


def remote(id: str = "far", *models: str) -> ProviderEntry:
    return ProviderEntry(id, "openai", "Far", "https://far.example/v1", models or ("big",))


def agent(model: str = "", id: str = "mine") -> AgentProfile:
    return AgentProfile(id=id, model=model)


# ---------------------------------------------------------------- the order


@pytest.mark.parametrize(
    ("wanted", "environ", "session", "profile", "default", "provider", "expected"),
    [
        ("a/1", {"TRIPTYCH_MODEL": "b/1", **KEYED}, "c/1", "d/1", "e/1", True, "a/1"),
        ("", {"TRIPTYCH_MODEL": "b/1", **KEYED}, "c/1", "d/1", "e/1", True, "b/1"),
        ("", KEYED, "c/1", "d/1", "e/1", True, "c/1"),
        ("", KEYED, "", "d/1", "e/1", True, "d/1"),
        ("", KEYED, "", "", "e/1", True, "env/gpt-env"),
        ("", {}, "", "", "e/1", True, "e/1"),
        ("", {}, "", "", "", True, "near/qwen3:8b"),
        ("", {}, "", "", "", False, ""),
    ],
)
async def test_the_first_that_names_a_model_decides(
    tmp_path: Path,
    wanted: str,
    environ: dict[str, str],
    session: str,
    profile: str,
    default: str,
    provider: bool,
    expected: str,
) -> None:
    desk = Desk(tmp_path, environ)
    if default:
        await desk.settings.save_preferences(desk.settings.preferences.model_copy(update={"default_model": default}))
    if provider:
        await desk.providers.save_provider(local())
    assert desk.models.reference(agent(profile), session=session, wanted=wanted) == expected


def test_an_agent_with_rules_answers_without_any_model(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    assert desk.models.reference(desk.settings.profile("travel")) == "offline/rules"
    assert desk.models.reference(agent()) == ""


async def test_without_a_model_it_is_said_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NotConfigured) as error:
        await Desk(tmp_path).models.choose(agent())
    assert "OPENAI_API_KEY" in error.value.hint


async def test_offline_leaves_out_what_is_not_on_this_machine(tmp_path: Path) -> None:
    keyring = FakeKeyring()
    desk = Desk(tmp_path, {**KEYED, "TRIPTYCH_OFFLINE": "1"}, keyring)
    assert desk.models.reference(agent()) == ""
    await desk.providers.save_provider(remote(), "sk-123456")
    assert desk.models.reference(agent()) == ""
    await desk.providers.save_provider(local())
    assert desk.models.reference(agent()) == "near/qwen3:8b"
    assert Desk(tmp_path, {"TRIPTYCH_OFFLINE": "0"}, keyring).models.reference(agent()) == "far/big"


async def test_a_provider_without_its_key_is_no_default(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    await desk.providers.save_provider(remote())
    assert desk.models.reference(agent()) == ""
    with pytest.raises(NotConfigured) as error:
        await desk.models.choose(agent("far/big"))
    assert "key" in error.value.message


@pytest.mark.parametrize("ref", ["nonsense", "near/", "/"])
async def test_what_is_no_reference_is_refused(tmp_path: Path, ref: str) -> None:
    desk = Desk(tmp_path)
    await desk.providers.save_provider(local())
    with pytest.raises(BadInput):
        await desk.models.choose(agent(ref))


async def test_an_unknown_provider_is_told_the_near_references(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    await desk.providers.save_provider(local())
    with pytest.raises(UnknownName) as unknown:
        await desk.models.choose(agent("neer/qwen3:8b"))
    assert unknown.value.near == ["near/qwen3:8b"]


async def test_a_script_is_a_model(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "data")
    ref = write_script(tmp_path / "s.json", says("x"))
    assert (await desk.models.choose(agent(), wanted=ref)).ref == ref
    with pytest.raises(BadInput):
        await desk.models.choose(agent(), wanted="script/absent.json")


async def test_one_object_per_model_until_its_settings_change(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    await desk.providers.save_provider(local())
    first = await desk.models.choose(agent("near/qwen3:8b"))
    assert await desk.models.choose(agent("near/qwen3:8b")) is first
    await desk.providers.save_provider(ProviderEntry("near", "ollama", "", "http://127.0.0.1:9/v1", ("qwen3:8b",)))
    assert await desk.models.choose(agent("near/qwen3:8b")) is not first
    await desk.models.close()


async def test_the_selector_lists_models_and_rules(tmp_path: Path) -> None:
    desk = Desk(tmp_path, KEYED)
    await desk.providers.save_provider(local("near", "a", "b"))
    await desk.providers.save_provider(
        ProviderEntry("off", "ollama", "", "http://127.0.0.1:1/v1", ("c",), enabled=False)
    )
    refs = [choice.ref for choice in desk.models.choices("travel")]
    assert refs[0].startswith("env/")
    assert refs[-3:] == ["near/a", "near/b", "offline/rules"]
    assert "offline/rules" not in [choice.ref for choice in desk.models.choices("assistant")]


# ---------------------------------------------------------------- providers


def files_with(folder: Path, text: bytes) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file() and text in file.read_bytes()]


async def test_providers_are_kept_and_their_keys_are_not_in_the_file(tmp_path: Path) -> None:
    keyring = FakeKeyring()
    desk = Desk(tmp_path, keyring=keyring)
    heard: list[str] = []
    desk.providers.listen(heard.append)
    await desk.providers.save_provider(remote(), "sk-secret-123")
    assert heard == ["far"]
    later = Desk(tmp_path, keyring=keyring).providers
    entry = later.providers()[0]
    assert (entry.id, entry.base_url, entry.models, entry.has_key) == ("far", "https://far.example/v1", ("big",), True)
    assert await later.key("far") == "sk-secret-123"
    assert not files_with(tmp_path, b"sk-secret")


async def test_another_address_never_gets_the_key(tmp_path: Path) -> None:
    keyring = FakeKeyring()
    desk = Desk(tmp_path, keyring=keyring)
    await desk.providers.save_provider(remote(), "sk-secret-123")
    moved = ProviderEntry("far", "openai", "Far", "https://elsewhere.example/v1", ("big",))
    await desk.providers.save_provider(moved)
    assert await desk.providers.key("far") == ""
    assert desk.providers.providers()[0].has_key is False
    with pytest.raises(NotConfigured):
        await desk.models.choose(agent("far/big"))


async def test_a_key_can_be_left_as_it_is_and_removed(tmp_path: Path) -> None:
    desk = Desk(tmp_path, keyring=FakeKeyring())
    await desk.providers.save_provider(remote(), "sk-secret-123")
    await desk.providers.save_provider(remote("far", "other"))
    assert await desk.providers.key("far") == "sk-secret-123"
    await desk.providers.save_provider(remote(), "")
    assert await desk.providers.key("far") == ""


async def test_without_a_keyring_the_person_chooses_and_nothing_is_changed_before(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    assert await desk.providers.key_storage.kind() == "none"
    with pytest.raises(KeyStorageMissing):
        await desk.providers.save_provider(remote(), "sk-secret-123")
    assert desk.providers.providers() == []
    desk.providers.key_storage.choose("session")
    await desk.providers.save_provider(remote(), "sk-secret-123")
    assert await desk.providers.key("far") == "sk-secret-123"
    assert await Desk(tmp_path).providers.key("far") == "", "this session only"


async def test_a_deleted_provider_takes_its_key_along(tmp_path: Path) -> None:
    keyring = FakeKeyring()
    desk = Desk(tmp_path, KEYED, keyring)
    await desk.providers.save_provider(remote(), "sk-secret-123")
    await desk.providers.delete_provider("far")
    assert keyring.kept == {}
    with pytest.raises(UnknownName):
        await desk.providers.delete_provider("far")
    with pytest.raises(BadInput):
        await desk.providers.delete_provider("env")


@pytest.mark.parametrize(
    "address",
    ["", "far.example", "ftp://far.example", "https://", "https://user:pw@far.example", "https://far.example:99999/v1"],
)
async def test_a_wrong_address_names_its_field(tmp_path: Path, address: str) -> None:
    desk = Desk(tmp_path)
    with pytest.raises(BadInput) as error:
        await desk.providers.save_provider(ProviderEntry("far", "custom", "", address))
    assert error.value.params["place"] == "base_url"
    assert (await desk.providers.probes.check(ProviderEntry("far", "custom", "", address))).code == "BAD_ADDRESS"
    assert desk.providers.providers() == []


async def test_the_environments_provider_comes_first_and_is_marked(tmp_path: Path) -> None:
    desk = Desk(tmp_path, {**KEYED, "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}, FakeKeyring())
    await desk.providers.save_provider(remote(), "sk-1234567")
    entry = desk.providers.providers()[0]
    assert (entry.id, entry.from_environment, entry.has_key, entry.local) == ("env", True, True, True)
    assert await desk.providers.key("env") == "sk-env-000000"
    assert (await desk.models.choose(agent())).ref == "env/gpt-env"


def test_without_variables_there_is_no_env(tmp_path: Path) -> None:
    assert Desk(tmp_path, {"OPENAI_MODEL": "x"}).providers.environment is None


async def test_one_damaged_entry_does_not_hide_the_others(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    await desk.providers.save_provider(local("one"))
    await desk.providers.save_provider(local("two"))
    file = tmp_path / "providers.toml"
    file.write_text(file.read_text(encoding="utf-8").replace('id = "one"', 'id = "NOT AN ID"'), encoding="utf-8")
    assert [entry.id for entry in Desk(tmp_path).providers.providers()] == ["two"]


def test_free_ids(tmp_path: Path) -> None:
    assert Desk(tmp_path).providers.free_id("ollama") == "ollama"


async def test_a_new_session_begins_with_an_agent_that_can_answer(services: Services) -> None:
    assert services.models.default_agent() == "travel", "nothing but the offline rules"
    preferences = services.settings.preferences
    await services.settings.save_preferences(preferences.model_copy(update={"default_model": "ollama/qwen3:8b"}))
    assert services.models.default_agent() == "assistant"
    await services.settings.save_preferences(preferences.model_copy(update={"default_agent": "travel"}))
    assert services.models.default_agent() == "travel"


async def test_prices_of_the_environments_provider_are_kept_and_nothing_else_of_it(tmp_path: Path) -> None:
    desk = Desk(tmp_path, KEYED)
    entry = desk.providers.providers()[0]
    changed = replace(
        entry,
        base_url="https://evil.test/v1",
        currency="USD",
        prices={"gpt-env": Price(1.0, 4.0, None, "USD")},
        model_traits={"gpt-env": {"tools": "text"}},
    )
    await desk.providers.save_provider(changed)
    again = Desk(tmp_path, KEYED)
    assert again.models.price("env/gpt-env") == Price(1.0, 4.0, None, "USD")
    assert again.providers.config("env").model_traits == {"gpt-env": {"tools": "text"}}
    assert again.providers.config("env").address == "https://api.openai.com/v1"
    assert "sk-env" not in (tmp_path / "providers.toml").read_text()
    await again.providers.save_provider(replace(entry, prices={}, model_traits={}))
    assert Desk(tmp_path, KEYED).models.price("env/gpt-env") is None
    assert Desk(tmp_path).providers.providers() == []
