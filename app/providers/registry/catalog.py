"""A provider as a person has set it up, and the models made of it.

Keys are no part of it: they come from the keyring at the moment a model is made, bound to the origin they
were entered for (`ProviderConfig.origin`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, Final
from urllib.parse import urlsplit, urlunsplit

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator

from app.core.run.chat_model import ModelTraits
from app.core.run.price import Price
from app.core.setting import from_json_text
from app.core.system.network import ONLINE, NetworkPolicy
from app.core.text.i18n import N_
from app.providers.chat.openai_chat import ModelEndpoint, OpenAIChat
from app.providers.http.endpoint_quirks import QuirkStore
from app.providers.http.proxies import is_private
from app.providers.registry.preset_row import Preset
from app.providers.registry.presets import PRESETS, preset, preset_for, traits_of

ENV_PROVIDER: Final = "env"
_TRAIT_NAMES: Final = frozenset(field.name for field in fields(ModelTraits))
_TRAITS: Final = TypeAdapter(ModelTraits)
_FORBIDDEN_HEADERS: Final = frozenset({"host", "content-length", "transfer-encoding", "connection", "accept-encoding"})


def _checked_url(value: str) -> str:
    """An http(s) address with a host, without a name and password in it."""
    text = value.strip().rstrip("/")
    if not text:
        return ""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(N_("an address begins with http:// or https:// and names a host"))
    if parts.username or parts.password:
        raise ValueError(N_("a name or password does not belong into the address"))
    if parts.port is not None and not 0 < parts.port < 65536:
        raise ValueError(N_("the port is out of range"))
    return text


_CALLS: Final = ("/chat/completions", "/completions", "/responses", "/embeddings", "/messages")


def base_address(address: str) -> str:
    """Of the address of one call, as manuals show it, that of the service; "" for one that is no such address."""
    parts = urlsplit(address.strip())
    path = parts.path.rstrip("/")
    call = next((ending for ending in _CALLS if path.endswith(ending)), "")
    return urlunsplit((parts.scheme, parts.netloc, path.removesuffix(call), "", "")) if call else ""


class TypedPrice(BaseModel):
    """What the person typed for one model, per million tokens, in the provider's currency."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    input: Annotated[float, Field(ge=0, le=1_000_000)]
    output: Annotated[float, Field(ge=0, le=1_000_000)]
    cached: Annotated[float | None, Field(ge=0, le=1_000_000)] = None


class ProviderConfig(BaseModel):
    """One provider of the settings. `id` is the first half of a model reference."""

    model_config = ConfigDict(frozen=True, extra="ignore", ser_json_inf_nan="constants")

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")]
    preset: str = "custom"
    name: Annotated[str, Field(max_length=80)] = ""
    base_url: Annotated[str, Field(max_length=2000)] = ""
    """"" = the preset's."""
    models: Annotated[tuple[str, ...], Field(max_length=200)] = ()
    headers: Annotated[Mapping[str, str], Field(max_length=32)] = Field(default_factory=dict)
    proxy: Annotated[str, Field(max_length=500)] = ""
    """"" = as the system says, `direct`, or an address."""
    ca_file: Annotated[str, Field(max_length=2000)] = ""
    """A PEM file of certificates to trust beside the system's."""
    traits: Mapping[str, Any] = Field(default_factory=dict)
    """What this person knows better than the catalogue: fields of `ModelTraits`."""
    model_traits: Annotated[Mapping[str, Mapping[str, Any]], Field(max_length=200)] = Field(default_factory=dict)
    """The same for one model."""
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = "CNY"
    prices: Annotated[Mapping[str, TypedPrice], Field(max_length=200)] = Field(default_factory=dict)
    enabled: bool = True

    @field_validator("base_url")
    @classmethod
    def _check_url(cls, value: str) -> str:
        return _checked_url(value)

    @field_validator("headers")
    @classmethod
    def _check_headers(cls, value: Mapping[str, str]) -> Mapping[str, str]:
        for name, text in value.items():
            if not name.isascii() or not all(c.isalnum() or c in "-_" for c in name) or not name:
                raise ValueError(N_("the name of a header is made of letters, digits and hyphens"))
            if name.lower() in _FORBIDDEN_HEADERS or not all(" " <= c <= "~" for c in text):
                raise ValueError(N_("a header that cannot be set: {name}"), {"name": name})
        return value

    @field_validator("traits", "model_traits", mode="before")
    @classmethod
    def _json_as_text(cls, value: Any) -> Any:
        return from_json_text(value)

    @field_validator("traits")
    @classmethod
    def _check_traits(cls, value: Mapping[str, Any]) -> Mapping[str, Any]:
        if set(value) - _TRAIT_NAMES:
            raise ValueError(N_("there are traits that are not known"))
        _TRAITS.validate_python(dict(value))
        return value

    @field_validator("model_traits")
    @classmethod
    def _check_model_traits(cls, value: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Mapping[str, Any]]:
        return {model: cls._check_traits(traits) for model, traits in value.items()}

    @property
    def row(self) -> Preset:
        return preset(self.preset)

    @property
    def address(self) -> str:
        return self.base_url or self.row.base_url

    @property
    def origin(self) -> str:
        """Scheme, host and port: what a key is bound to. Another address never inherits it."""
        parts = urlsplit(self.address)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        return f"{parts.scheme}://{parts.hostname or ''}:{port}"

    @property
    def needs_key(self) -> bool:
        return self.row.needs_key

    @property
    def is_insecure(self) -> bool:
        """Plain http to a host that is not of this network: the key and all texts can be read on the way."""
        parts = urlsplit(self.address)
        return parts.scheme == "http" and not is_private(parts.hostname or "")

    @property
    def suggested_models(self) -> tuple[str, ...]:
        return self.models or self.row.models


def row_of(config: ProviderConfig) -> Preset:
    """An own address of a known service keeps the habits of that service."""
    return config.row if config.row.id != "custom" else preset_for(config.address)


def traits_for(config: ProviderConfig, model: str) -> ModelTraits:
    """The catalogue's word, then the person's: for the provider, then for the model."""
    row = row_of(config)
    # A server of one's own loads the model with the first request, whatever port it listens on.
    near = {"local": True} if is_private(urlsplit(config.address).hostname or "") else {}
    traits = {**traits_of(row, model), **near}
    return _TRAITS.validate_python({**traits, **config.traits, **config.model_traits.get(model, {})})


def price_of(config: ProviderConfig, model: str) -> Price | None:
    typed = config.prices.get(model)
    return None if typed is None else Price(typed.input, typed.output, typed.cached, config.currency)


def create_model(
    config: ProviderConfig,
    model: str,
    key: str = "",
    *,
    learned: QuirkStore | None = None,
    network: NetworkPolicy = ONLINE,
) -> OpenAIChat:
    """Costs nothing and cannot fail for the network's or the environment's sake; that is a request's matter."""
    return OpenAIChat(endpoint_of(config, key, network=network), model, traits_for(config, model), learned=learned)


def endpoint_of(config: ProviderConfig, key: str = "", *, network: NetworkPolicy = ONLINE) -> ModelEndpoint:
    key = key.strip()
    templates = row_of(config).list_headers if key else {}
    return ModelEndpoint(
        config.id,
        config.address,
        key,
        dict(config.headers),
        config.proxy,
        config.ca_file,
        network=network,
        list_headers={name: text.format(key=key) for name, text in templates.items()},
    )


@dataclass(frozen=True, slots=True)
class EnvironmentProvider:
    """What `OPENAI_*` asks for."""

    config: ProviderConfig
    model: str
    key: str


def provider_from_environment(environ: Mapping[str, str]) -> EnvironmentProvider | None:
    """The provider `env`; None if neither a key nor an address is set, or the address is none."""
    key = environ.get("OPENAI_API_KEY", "").strip()
    address = environ.get("OPENAI_BASE_URL", "").strip()
    if not key and not address:
        return None
    row = preset_for(address) if address else preset("openai")
    try:
        config = ProviderConfig(id=ENV_PROVIDER, preset=row.id, name="OPENAI_*", base_url=address)
    except ValidationError:
        return None
    model = environ.get("OPENAI_MODEL", "").strip() or next(iter(row.models), "")
    if model and model not in config.models:
        config = config.model_copy(update={"models": (model,)})
    return EnvironmentProvider(config, model, key)


__all__ = [
    "ENV_PROVIDER",
    "PRESETS",
    "EnvironmentProvider",
    "Preset",
    "ProviderConfig",
    "TypedPrice",
    "base_address",
    "create_model",
    "endpoint_of",
    "preset",
    "price_of",
    "provider_from_environment",
    "traits_for",
]
