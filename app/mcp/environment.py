"""What a server gets of this program's own environment: a short list of names, of which none holds a secret.

To pass on another variable: its name in PASSED. Its value is left out where it carries a password, as addresses may;
the person can tick that a proxy's is passed on. A program started from a desktop has a shorter search path than one
started from a terminal, so that of the login shell is asked for: npx and uvx are often only there.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from app.core.errors import ToolError
from app.core.system.network import NetworkPolicy, proxy_address

from .config import ServerConfig

log = logging.getLogger(__name__)

_PROXY: Final = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
PASSED: Final[Mapping[str, tuple[str, ...]]] = {
    "proxy": (*_PROXY, *(name.lower() for name in _PROXY), "npm_config_proxy", "npm_config_https_proxy"),
    "locale": ("LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LC_TIME", "LC_NUMERIC", "TZ"),
    "display": ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE"),
    "folders": ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "TMPDIR"),
    "certificates": ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"),
    "packages": (
        "npm_config_registry", "NPM_CONFIG_REGISTRY", "npm_config_cache", "NPM_CONFIG_CACHE", "npm_config_prefix",
        "NPM_CONFIG_PREFIX", "NPM_CONFIG_USERCONFIG", "NVM_DIR", "NVM_BIN", "FNM_DIR", "VOLTA_HOME", "PNPM_HOME",
        "BUN_INSTALL", "DENO_DIR", "COREPACK_HOME", "UV_DEFAULT_INDEX", "UV_INDEX", "UV_INDEX_URL",
        "UV_EXTRA_INDEX_URL", "UV_CACHE_DIR", "UV_TOOL_DIR", "UV_PYTHON", "UV_PYTHON_INSTALL_DIR",
        "UV_PYTHON_INSTALL_MIRROR", "UV_NATIVE_TLS", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_CACHE_DIR",
        "PIPX_HOME", "PIPX_BIN_DIR", "PYENV_ROOT", "ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "HOMEBREW_PREFIX",
        "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "JAVA_HOME",
    ),
}  # fmt: skip
"""By what they are for. The home folder, the user's name, the shell and the search path come with the SDK's list."""
_CARRIES_LOGIN = re.compile(r"(?:^|://|[\s,;=])([^/\s@,;]+)@[^\s@]")
SHELL_SECONDS: Final = 5.0
_POSIX_SHELLS: Final = frozenset({"bash", "zsh", "fish", "ksh", "mksh", "dash", "ash", "sh"})


@dataclass(frozen=True, slots=True)
class PassedOn:
    values: Mapping[str, str] = field(default_factory=dict, repr=False)
    withheld: tuple[str, ...] = ()
    """Names whose value carries a password."""
    passwords: tuple[str, ...] = field(default=(), repr=False)
    """Those that are passed on all the same."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.values)


def inherited() -> dict[str, str]:
    """What every program gets: home folder, user name, shell, search path and the like, as the SDK lists them."""
    from mcp.client.stdio import get_default_environment

    return get_default_environment()


def passed_on(
    environ: Mapping[str, str] = os.environ, *, proxy: str | None = None, with_proxy_password: bool = False
) -> PassedOn:
    """`proxy` is the one this program uses; a server is told of it where the environment names none."""
    variables = dict(environ)
    if proxy and not any(variables.get(name) for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")):
        variables |= dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), proxy)
    values: dict[str, str] = {}
    withheld: list[str] = []
    passwords: list[str] = []
    for group, names in PASSED.items():
        for name in names:
            if not (value := variables.get(name, "")):
                continue
            login = _CARRIES_LOGIN.search(value)
            if login is None or (group == "proxy" and with_proxy_password):
                values[name] = value
                passwords += [login[1], login[1].partition(":")[2]] if login else []
            else:
                withheld.append(name)
    return PassedOn(values, tuple(withheld), tuple(filter(None, passwords)))


def passed_to(config: ServerConfig, network: NetworkPolicy) -> PassedOn:
    """What this server gets; nothing if it is not a program. The proxy is the one this program uses."""
    if config.transport != "stdio":
        return PassedOn()
    try:
        ours = proxy_address(network, "https", "example.org")
    except ToolError:
        ours = None  # of a kind that is not known here
    return passed_on(proxy=ours, with_proxy_password=config.proxy_password)


# ---------------------------------------------------------------- the search path


@cache
def search_path() -> str:
    """Where programs are looked for, and what servers get as PATH. Blocks for SHELL_SECONDS at most, once."""
    own = os.environ.get("PATH", os.defpath)
    if sys.platform == "win32" or _is_on_terminal():
        return own
    wider = [*login_path(os.environ.get("SHELL", "") or _shell_of_user()).split(os.pathsep), *own.split(os.pathsep)]
    # A relative entry would mean another folder in every folder.
    return os.pathsep.join(dict.fromkeys(entry for entry in wider if os.path.isabs(entry)))  # noqa: PTH117


def login_path(shell: str) -> str:
    """PATH as the person's own shell sets it up; "" where it does not say."""
    if sys.platform == "win32" or not shell:
        return ""
    mark = secrets.token_hex(8)
    ask = f'printf %s {mark}; printf %s "$PATH"; printf %s {mark}'
    name = Path(shell).name
    if name in _POSIX_SHELLS:
        command = [shell, "-i", "-l", "-c", ask]  # -i: version managers write their lines into the files it reads
    elif name in ("csh", "tcsh"):
        command = [shell, "-ic", ask]
    else:
        command = ["/bin/sh", "-l", "-c", ask]
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
        )
    except OSError:
        return ""
    try:
        output, _nothing = process.communicate(timeout=SHELL_SECONDS)
    except subprocess.TimeoutExpired as late:
        output = late.output or b""  # something it has started may hold its output open
        log.warning("%s took longer than %g s to say its search path", name, SHELL_SECONDS)
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
    parts = output.decode("utf-8", "surrogateescape").split(mark)
    return parts[1] if len(parts) >= 3 else ""


def _is_on_terminal() -> bool:
    for number in (0, 1, 2):
        try:
            if os.isatty(number):
                return True
        except OSError:
            continue
    return False


def _shell_of_user() -> str:
    if sys.platform == "win32":
        return ""
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_shell
    except KeyError:
        return ""
