"""The servers in a settings file of any program, as plain values: the keys that hold them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from .found import PastedServer
from .naming import name_of_command, name_of_url

CONTAINERS: Final = ("mcpServers", "mcp_servers", "context_servers", "servers", "mcp", "extensions", "mcp-servers")
COMMANDS: Final = ("command", "cmd")
ADDRESSES: Final = ("url", "serverUrl", "httpUrl", "baseUrl", "uri", "endpoint", "server_url", "serverURL", "baseURL")
_BESIDE_ADDRESSES: Final = frozenset(
    {*ADDRESSES, "name", "id", "title", "description", "type", "transport", "transportType", "transport_type", "args",
     "headers", "http_headers", "env_http_headers", "bearer_token_env_var", "authorization_token", "enabled", "env",
     "disabled", "isActive", "timeout", "auth", "oauth", "requestOptions", "requestInit", "options", "trust", "tools",
     "alwaysAllow", "autoApprove", "gallery", "version", "startup_timeout_sec", "tool_timeout_sec", "source", "note",
     "$schema"}
)  # fmt: skip
_EXAMPLES: Final = ("arguments", "params", "input", "output", "result", "response", "data", "properties")
_DEEPEST: Final = 5


def servers_in(whole: Any) -> list[PastedServer]:
    """All of them, also those that cannot be used; empty if it holds none."""
    servers = _look(whole, 0)
    inputs = _inputs(whole)
    return [PastedServer(one.name, one.raw, inputs, one.fault) for one in servers] if inputs else servers


def is_entry(value: Any) -> bool:
    """Whether it says what to run or where to go."""
    if not isinstance(value, dict):
        return False
    keys = value.keys()
    has_target = any(isinstance(value.get(key), str | list | dict) for key in COMMANDS) or any(
        isinstance(value.get(key), str) for key in ADDRESSES
    )
    return has_target and not any(isinstance(value.get(key), dict | list) for key in CONTAINERS if key in keys)


def _look(node: Any, deep: int) -> list[PastedServer]:
    if deep > _DEEPEST:
        return []
    if isinstance(node, list):
        return [one for item in node[:200] if isinstance(item, dict) for one in _look(item, deep + 1)]
    if not isinstance(node, dict):
        return []
    if is_entry(node) and not _is_something_else(node):
        return [PastedServer(name_of(node), node)]
    if isinstance(node.get("packages") or node.get("remotes"), list):
        return _registry(node)
    server = node.get("server")
    if isinstance(server, dict) and is_entry(server.get("mcp_config")):  # the manifest of a bundle
        return [PastedServer(name_of(node), server["mcp_config"])]
    for key, value in node.items():
        if (key in CONTAINERS or key.endswith((".mcpServers", ".servers", ".mcp_servers"))) and value:
            servers = _contained(value, deep)
            if servers:
                return servers
    if node and any(is_entry(value) and not _is_something_else(value) for value in node.values()):
        return [PastedServer(str(name), value) for name, value in node.items() if isinstance(value, dict)]
    inner = (value for key, value in node.items() if key not in _EXAMPLES)
    return next((servers for value in inner if (servers := _look(value, deep + 1))), [])


def _is_something_else(entry: Mapping[str, Any]) -> bool:
    """An object that only happens to have an address: an example of a call or of an answer."""
    return not any(key in entry for key in COMMANDS) and bool(entry.keys() - _BESIDE_ADDRESSES)


def _contained(value: Any, deep: int) -> list[PastedServer]:
    """What is under one of the known keys: a table by name, or a list."""
    if isinstance(value, list):
        return [PastedServer(name_of(item) if isinstance(item, dict) else str(item)[:60], item) for item in value[:200]]
    if not isinstance(value, dict):
        return []
    if any(isinstance(value.get(key), dict | list) and value[key] for key in CONTAINERS):
        return _look(value, deep + 1)
    if is_entry(value):
        return [PastedServer(name_of(value), value)]
    return [
        PastedServer(str(name), raw) for name, raw in value.items() if name not in ("inputs", "$schema", "_comment")
    ]


def name_of(raw: Mapping[str, Any]) -> str:
    """Of an entry that stands for itself."""
    for key in ("name", "id", "title"):
        if isinstance(raw.get(key), str) and raw[key].strip():
            return str(raw[key]).strip()
    for key in ADDRESSES:
        if isinstance(raw.get(key), str) and raw[key]:
            return name_of_url(raw[key])
    command = next((raw[key] for key in COMMANDS if raw.get(key)), "")
    words = [str(part) for part in command] if isinstance(command, list) else [str(command)]
    args = raw.get("args")
    return name_of_command([*words, *(map(str, args) if isinstance(args, list) else ())])


def _inputs(whole: Any) -> dict[str, Mapping[str, Any]]:
    """What VS Code asks the person for, by id."""
    if not isinstance(whole, dict):
        return {}
    inner = whole.get("mcp") if isinstance(whole.get("mcp"), dict) else {}
    rows = [*_rows(whole.get("inputs")), *_rows(inner.get("inputs") if isinstance(inner, dict) else None)]
    return {str(row["id"]): row for row in rows if isinstance(row, dict) and "id" in row}


def _rows(value: Any) -> list[Any]:
    return value[:60] if isinstance(value, list) else []


def _registry(node: Mapping[str, Any]) -> list[PastedServer]:
    """`server.json` of the registry: packages to run, or addresses."""
    name = str(node.get("title") or node.get("name") or "").rpartition("/")[2]
    for package in _rows(node.get("packages")):
        if not isinstance(package, dict):
            continue
        kind = package.get("registryType") or package.get("registry_name") or package.get("registry_type")
        image = str(package.get("identifier") or package.get("name") or "")
        version = str(package.get("version") or "")
        pinned = f"{image}@{version}" if version and version != "latest" else image
        runs = {"npm": ["npx", "-y", pinned], "pypi": ["uvx", pinned], "oci": ["docker", "run", "-i", "--rm", image]}
        env = _named_values(package.get("environmentVariables") or package.get("environment_variables"))
        if kind in runs and image:
            words = runs[kind]
            return [PastedServer(name or name_of_command(words), {"command": words[0], "args": words[1:], "env": env})]
    for remote in _rows(node.get("remotes")):
        if isinstance(remote, dict) and isinstance(remote.get("url"), str):
            kind, headers = remote.get("type") or remote.get("transport_type"), _named_values(remote.get("headers"))
            raw = {"url": remote["url"], "type": kind, "headers": headers}
            return [PastedServer(name or name_of_url(remote["url"]), raw)]
    return []


def _named_values(rows: Any) -> dict[str, str]:
    """Of the required ones, and of those that have a value."""
    found: dict[str, str] = {}
    for row in _rows(rows):
        if isinstance(row, dict) and "name" in row:
            value = row.get("value") or row.get("default") or ""
            if value or row.get("isRequired", True) is not False:
                found[str(row["name"])] = str(value)
    return found
