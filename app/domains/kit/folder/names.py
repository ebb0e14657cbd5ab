"""A path as a model writes it, as names inside the folder. Nothing is expanded: no `~`, no `$HOME`, no `%2e`.

`parts_of` judges what may be looked for; what may be made is judged by `check_new_name` in `core.system.file_names.py`.
"""

from __future__ import annotations

import ntpath
import re
from functools import lru_cache
from pathlib import PurePath

from app.core.errors import ToolError
from app.core.system.file_names import folded
from app.core.text.i18n import N_

LONGEST_PATH, LONGEST_NAME = 4_096, 255
"""Bytes."""
DEEPEST = 100
_DRIVE = re.compile(r"[A-Za-z]:")
_CLOSED = {
    ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".password-store", ".mozilla", ".thunderbird",
    "keychains", "keyrings", "google-chrome", "chromium", "brave-browser", "firefox",
}  # fmt: skip
"""Folders of keys and of browsers: no tool opens anything in them, whoever allows it."""
_SECRET_NAMES = {
    ".netrc", "_netrc", ".npmrc", ".pypirc", ".git-credentials", ".htpasswd", ".pgpass", ".my.cnf", ".git",
    ".credentials", "credentials", "credentials.json", "secrets.json", "secrets.yaml", "secrets.yml", "secrets.toml",
}  # fmt: skip
_SECRET_BEGINNINGS = (".env", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519")
_SECRET_ENDS = (
    ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".kdb", ".ppk", ".p8", ".pkcs12", ".gpg", ".asc",
    ".env",
)  # fmt: skip


def refused(code: str, message: str, *, hint: str = "", **values: object) -> ToolError:
    return ToolError(code, message, hint=hint, values=values or None)


def parts_of(wanted: str, root: PurePath) -> tuple[str, ...]:
    """Names from the root down; () is the root itself. Raises ToolError OUTSIDE, BAD_PATH or DENIED_PATH."""
    if "\0" in wanted or any("\ud800" <= sign <= "\udfff" and not "\udc80" <= sign <= "\udcff" for sign in wanted):
        raise refused("BAD_PATH", N_("the path holds signs that no name can have"))
    if len(wanted.encode("utf-8", "surrogateescape")) > LONGEST_PATH:
        raise refused("BAD_PATH", N_("the path is longer than {n} bytes"), n=LONGEST_PATH)
    if wanted.startswith(("/", "\\\\", "\\??\\")) or _DRIVE.match(wanted) or ntpath.splitdrive(wanted)[0]:
        wanted = _below(wanted, root)
    names = [name for name in wanted.split("/") if name not in ("", ".")]
    if any(name == ".." or (set(name) == {"."} and len(name) > 1) for name in _cut(names)):
        raise outside(wanted)
    if len(names) > DEEPEST:
        raise refused("BAD_PATH", N_("the path is deeper than {n} folders"), n=DEEPEST)
    if any(len(name.encode("utf-8", "surrogateescape")) > LONGEST_NAME for name in names):
        raise refused("BAD_PATH", N_("a name in the path is longer than {n} bytes"), n=LONGEST_NAME)
    refuse_closed(names)
    return tuple(names)


def outside(wanted: str) -> ToolError:
    shortened = wanted[:120]
    return refused(
        "OUTSIDE", N_("{path} is outside the folder"), hint=N_("paths are inside the folder"), path=shortened
    )


def _below(wanted: str, root: PurePath) -> str:
    """An absolute path that begins with the folder, as what follows it; letter for letter."""
    whole = str(root).replace("\\", "/").rstrip("/")
    path = wanted.replace("\\", "/") if "\\" in str(root) else wanted
    if path == whole:
        return ""
    if not whole or not path.startswith(f"{whole}/"):
        raise outside(wanted)
    return path[len(whole) + 1 :]


def _cut(names: list[str]) -> list[str]:
    """The names, and what a backslash would make of them."""
    return [piece for name in names for piece in (name, *name.split("\\"))]


def refuse_closed(names: list[str] | tuple[str, ...]) -> None:
    """Raises ToolError DENIED_PATH for what is in a folder of keys or of a browser."""
    closed = next((name for name in names if folded(name) in _CLOSED), None)
    if closed is not None:
        raise refused("DENIED_PATH", N_("{name} is never opened: it holds keys or passwords"), name=closed)


def is_secret(wanted: str) -> bool:
    """Whether a path names something that asks even for reading: `.env`, keys, `.git`."""
    names = re.split(r"[\\/]", wanted)
    return any(_is_secret_name(folded(name)) for name in names if name)


@lru_cache(maxsize=20_000)
def is_open(name: str) -> bool:
    """Whether a single name is neither closed nor one that asks even for reading. Many thousand are looked at."""
    plain = folded(name)
    return plain not in _CLOSED and not _is_secret_name(plain) and ("\\" not in name or not is_secret(name))


def is_open_path(path: str) -> bool:
    """Whether every name of it is."""
    folder, _slash, name = path.rpartition("/")
    return is_open(name) and _is_open_folder(folder)


@lru_cache(maxsize=4_096)
def _is_open_folder(folder: str) -> bool:
    return all(map(is_open, filter(None, folder.split("/"))))


def _is_secret_name(name: str) -> bool:
    return name in _SECRET_NAMES or name.startswith(_SECRET_BEGINNINGS) or name.endswith(_SECRET_ENDS)
