"""MCP servers on the disk: one file each, with the consents. Secret values are stored with the keys."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, unquote

from pydantic import ValidationError

from app.core.errors import BadInput
from app.core.setting import stored_values
from app.core.text.i18n import _, current_language
from app.core.text.value_faults import value_fault
from app.mcp.config import ServerConfig, secret_origin
from app.mcp.listing import ListedTool, ToolListing
from app.mcp.sign_in import SignIn
from app.storage.config.profiles import ProfileFiles
from app.storage.config.secrets import SecretStore
from app.storage.folder.errors import KeyUnreadable

from .views import McpServerForm

Lines = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Stored:
    """A server and what the person accepted. `seen` and `accepted` survive a change, to compare with."""

    config: ServerConfig
    fingerprint: str = ""
    """Of what may be started; "" = nothing."""
    seen: Lines = ()
    """What was shown when that was agreed to."""
    accepted: ToolListing | None = None

    @property
    def is_reviewed(self) -> bool:
        return bool(self.fingerprint)


def config_of(id: str, form: McpServerForm, known: Stored | None) -> ServerConfig:
    """As the form says; what it does not show stays as it was. Raises BadInput."""
    values = known.config.model_dump() if known is not None else {"id": id}
    is_stdio = form.transport == "stdio"
    typed_values = {
        "name": form.name.strip(), "transport": form.transport, "timeout": form.timeout,
        "command": form.command.strip() if is_stdio else "", "args": form.args if is_stdio else (),
        "env": tuple(form.env) if is_stdio else (), "cwd": form.cwd.strip() if is_stdio else "",
        "url": "" if is_stdio else form.url.strip(), "headers": () if is_stdio else tuple(form.headers),
        "proxy_password": form.proxy_password and is_stdio,
        "unset": _unset(form, values.get("unset", ())),
    }  # fmt: skip
    try:
        return ServerConfig.model_validate({**values, **typed_values})
    except ValidationError as error:
        raise BadInput(value_fault(error).sentence(), **value_fault(error).params) from error


def _unset(form: McpServerForm, before: Iterable[str]) -> tuple[str, ...]:
    """Names whose value is still to be given."""
    typed = {**(form.env if form.transport == "stdio" else form.headers)}
    return tuple(name for name, value in typed.items() if value == "" or (value is None and name in before))


def form_of(config: ServerConfig) -> McpServerForm:
    return McpServerForm(
        config.id, config.name, config.transport, config.command, config.args, _values(config, config.env),
        config.cwd, config.url, _values(config, config.headers), config.timeout, config.proxy_password,
    )  # fmt: skip


def _values(config: ServerConfig, names: tuple[str, ...]) -> dict[str, str | None]:
    """Empty where none is stored; one that is stored is never shown."""
    return {name: "" if name in config.unset else None for name in names}


class ServerFiles:
    """Plain and blocking, like `ProfileFiles`."""

    def __init__(self, files: ProfileFiles) -> None:
        self._files = files

    def load_all(self) -> tuple[dict[str, Stored], list[str]]:
        """By id; what could not be read, as sentences. A damaged file never hides the others."""
        found, problems = self._files.load_all()
        servers: dict[str, Stored] = {}
        wrong = [f"{problem.path.name}: {problem.detail}" for problem in problems]
        for id, values in found.items():
            try:
                config = ServerConfig.model_validate({**values, "id": id})
            except ValidationError as error:
                wrong.append(f"{id}.toml: {value_fault(error).sentence(current_language())}")
                continue
            servers[id] = Stored(config, **_agreed(values.get("agreed")))
        return servers, wrong

    def save(self, stored: Stored) -> None:
        """Raises what the disk raises; then the file is as it was."""
        agreed: dict[str, Any] = {}
        if stored.fingerprint or stored.seen:
            agreed |= {"fingerprint": stored.fingerprint, "seen": [list(line) for line in stored.seen]}
        if stored.accepted is not None:
            tools = [tool.to_json() for tool in stored.accepted.tools]
            agreed["tools"] = json.dumps(tools, ensure_ascii=False, separators=(",", ":"))
        self._files.save(stored.config.id, stored_values(stored.config).also({"agreed": agreed or None}))

    def delete(self, id: str) -> None:
        self._files.delete(id)


def consent_of(stored: Stored) -> dict[str, str] | None:
    """What is signed of an agreement: which start, which tools, word for word. None if nothing was agreed to."""
    if not stored.fingerprint and stored.accepted is None:
        return None
    tools = [tool.to_json() for tool in stored.accepted.tools] if stored.accepted is not None else None
    text = json.dumps(tools, ensure_ascii=False, sort_keys=True)
    return {
        "server": stored.config.id,
        "start": stored.fingerprint,
        "tools": hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
    }


def without_agreements(stored: Stored) -> Stored:
    """As a file alone is believed: it may say what there is, not what was agreed to."""
    return replace(stored, fingerprint="", accepted=None)


def _agreed(raw: Any) -> dict[str, Any]:
    """What cannot be read was not agreed to."""
    if not isinstance(raw, Mapping):
        return {}
    try:
        seen = tuple((str(label), str(value)) for label, value in raw.get("seen") or ())
        made: dict[str, Any] = {"fingerprint": str(raw.get("fingerprint") or ""), "seen": seen}
        if "tools" in raw:
            made["accepted"] = ToolListing(tuple(ListedTool.from_json(one) for one in json.loads(raw["tools"])))
    except (KeyError, TypeError, ValueError, RecursionError):
        return {}
    return made


class ServerSecrets:
    """Values of a server's variables and headers, bound to the program or host they were typed for."""

    def __init__(self, store: SecretStore) -> None:
        self._store = store

    async def values(self, config: ServerConfig) -> tuple[dict[str, str], dict[str, str], list[str]]:
        """Variables, headers, and the names without a value. Raises KeyUnreadable."""
        missing: list[str] = []
        env = {name: value for name in config.env if (value := await self._get(config, "env", name, missing))}
        headers = {n: value for n in config.headers if (value := await self._get(config, "header", n, missing))}
        return env, headers, missing

    async def replaced_by(self, form: McpServerForm, now: ServerConfig, stored: ServerConfig) -> McpServerForm:
        """The stored server as a form, with the values it would lose to `form`: to store it again."""
        before = form_of(stored)
        is_moved = secret_origin(now) != secret_origin(stored)

        def lost(names: Mapping[str, str | None], typed: Mapping[str, str | None]) -> list[str]:
            stay = [name for name, value in typed.items() if value is None and not is_moved]
            return [name for name, value in names.items() if value is None and name not in stay]

        env_names, header_names = lost(before.env, form.env), lost(before.headers, form.headers)
        if not env_names and not header_names:
            return before
        try:
            env, headers, _missing = await self.values(stored)
        except KeyUnreadable:
            return before  # they cannot be read: nothing brings them back
        return replace(
            before,
            env={**before.env, **{name: env.get(name, "") for name in env_names}},
            headers={**before.headers, **{name: headers.get(name, "") for name in header_names}},
        )

    async def keep(self, config: ServerConfig, kind: str, values: Mapping[str, str | None]) -> None:
        """None leaves a value as it is. Raises KeyStorageMissing, BadInput."""
        for name, value in values.items():
            if value == "":
                await self._store.delete(_label(config, kind, name), secret_origin(config))
            elif value is not None:
                # The store takes keys: no spaces, plain letters. A header such as `Bearer …` has one.
                await self._store.set(_label(config, kind, name), secret_origin(config), quote(value, safe=_PLAIN))

    async def sign_in(self, config: ServerConfig) -> SignIn | None:
        """Raises KeyUnreadable."""
        pieces: list[str] = []
        for kind, name in _SIGN_IN:
            piece = await self._get(config, kind, name, [])
            if not piece:
                break
            pieces.append(piece)
        return SignIn.from_text(base64.urlsafe_b64decode("".join(pieces)).decode()) if pieces else None

    async def keep_sign_in(self, config: ServerConfig, given: SignIn | None) -> None:
        """None: signed out. Raises KeyStorageMissing."""
        text = base64.urlsafe_b64encode(given.to_text().encode()).decode() if given is not None else ""
        if len(text) > _PIECE * len(_SIGN_IN):
            raise BadInput(_("the server gave a token that is too long to be kept"))
        for place, (kind, name) in enumerate(_SIGN_IN):
            await self.keep(config, kind, {name: text[place * _PIECE : (place + 1) * _PIECE]})

    async def forget(self, config: ServerConfig) -> None:
        if config.transport == "http":
            await self.keep_sign_in(config, None)
        for kind, names in (("env", config.env), ("header", config.headers)):
            for name in names:
                await self._store.delete(_label(config, kind, name), secret_origin(config))

    async def forget_rest(self, before: ServerConfig, now: ServerConfig) -> None:
        """What `before` had and `now` cannot read: nobody could see or remove it any more."""
        stays = {*now.env, *now.headers} if secret_origin(before) == secret_origin(now) else set()
        gone = before.model_copy(
            update={
                "env": tuple(name for name in before.env if name not in stays),
                "headers": tuple(name for name in before.headers if name not in stays),
            }
        )
        await self.forget(gone)

    async def _get(self, config: ServerConfig, kind: str, name: str, missing: list[str]) -> str:
        secret = await self._store.get(_label(config, kind, name), secret_origin(config))
        if secret is None:
            missing.append(name)
            return ""
        return unquote(secret.reveal())


_PIECE = 1_000
_SIGN_IN = tuple(("oauth", f"tokens{number}") for number in range(12))
"""Kind and name of each piece of a sign-in: a keyring takes no long text."""
_PLAIN = "!#$&'()*+,/:;=?@[]-._~"


def key_names(config: ServerConfig) -> list[tuple[str, str]]:
    """Of its values, as the store of keys knows them: label and origin."""
    names = [("env", name) for name in config.env] + [("header", name) for name in config.headers]
    if config.transport == "http":
        names.extend(_SIGN_IN)
    return [(_label(config, kind, name), secret_origin(config)) for kind, name in names]


def _label(config: ServerConfig, kind: str, name: str) -> str:
    return f"mcp.{config.id}.{kind}.{name}"


def without_consent(stored: Stored) -> Stored:
    """What is to be started has changed: it is looked at again."""
    return replace(stored, fingerprint="")
