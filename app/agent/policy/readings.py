"""All paths and addresses that a value can be read as by the program that opens it.

A deny rule matches if any reading fits, an allow rule only if all fit. Links are followed where they exist on this
computer, so reading a path may touch the disk.
"""

from __future__ import annotations

import ntpath
import os
import posixpath
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from app.core.text.folding import folded_forms

LONGEST_PATH = 4_096
"""Characters; what is longer is no path."""
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*://")
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
_UP = re.compile(r"(?:^|[\\/])\.\.(?:[\\/]|$)")
_WORDS = re.compile(r"[^\s\"'`;|&<>(){},=]+")
_MOST_WORDS = 200


@dataclass(frozen=True)
class Reading:
    """The forms of one value. `strict`: what it opens, as exactly as can be said. `loose`: all it may be taken for."""

    strict: frozenset[str]
    loose: frozenset[str]


def is_address(value: str) -> bool:
    """Whether it names something by a scheme other than `file`."""
    return _SCHEME.match(value) is not None and value[:5].lower() != "file:"


def looks_like_path(value: str) -> bool:
    if len(value) > LONGEST_PATH or is_address(value):
        return False
    bare = value.strip()
    return bare.startswith(("/", "~", "./", "../", "\\\\")) or bool(
        bare[:5].lower() == "file:" or _DRIVE.match(bare) or _UP.search(bare)
    )


# ---------------------------------------------------------------- paths


def path_reading(value: str, bases: tuple[str, ...] = ()) -> Reading:
    """Of a value that is a path; `bases` are where a relative one may begin. Follows links: touches the disk."""
    spelled = tuple(_spellings(value))
    strict = {real for one in spelled for where in _placed(one, bases) for real in _real(where)}
    home = os.path.expanduser("~")
    guessed = (*bases, os.getcwd(), home)
    loose = set(strict)
    for form in _folded_too((value, *spelled)):
        for where in (form, *_placed(form, guessed)):
            plain = lexical(where)
            loose |= {where, plain, *_real(where), _without_tails(plain)}
    loose |= {posixpath.basename(form.rstrip("/")) for form in loose}
    return Reading(frozenset(strict), frozenset(loose | {f"{form}/" for form in loose}))


def lexical(path: str) -> str:
    """Without `.`, `..` and doubled slashes, as the letters say; a slash at the end stays: it says folder."""
    path = path.replace("\\", "/") if os.sep == "\\" else path
    if not path:
        return path
    plain = posixpath.normpath(path)
    plain = "/" + plain.lstrip("/") if plain.startswith("//") else plain
    ends = path.endswith(("/", "/.")) and plain != "/"
    return f"{plain}/" if ends else plain


def real_path(path: str) -> str:
    """With every link followed that exists here; what does not exist is taken by its letters."""
    try:
        target = os.path.realpath(path)
    except (OSError, ValueError):
        return lexical(path)
    target = target.replace("\\", "/") if os.sep == "\\" else target
    return f"{target.rstrip('/')}/" if path.endswith(("/", "/.")) and target != "/" else target


def folds_case(path: str) -> bool:
    """Whether the file system the path is in takes upper and lower case for the same."""
    at = path.rstrip("/")
    while at and at != os.path.dirname(at):
        name = os.path.basename(at)
        if name.swapcase() != name and os.path.lexists(at):
            try:
                return os.path.samefile(at, os.path.join(os.path.dirname(at), name.swapcase()))
            except (OSError, ValueError):
                return False
        at = os.path.dirname(at)
    return sys.platform in ("win32", "darwin")


def from_file_address(value: str) -> str:
    """The path of a `file:` address; any other value as it is."""
    if value[:5].lower() != "file:":
        return value
    rest = value[5:].replace("\\", "/")
    if rest.startswith("//"):
        host, slash, path = rest[2:].partition("/")
        rest = slash + path if host.lower() in ("", "localhost", "127.0.0.1", ".") else f"//{host}/{path}"
    path = unquote(re.split(r"[?#]", rest, maxsplit=1)[0])
    return path[1:] if re.match(r"/[A-Za-z]:", path) else path


def _spellings(value: str) -> Iterator[str]:
    """The value and what else programs make of it: decoded, expanded, cut at a NUL, without quotes and spaces."""
    spellings = dict.fromkeys([value])
    steps: tuple[Callable[[str], str], ...] = (_trimmed, from_file_address, unquote, unquote, _expanded, _with_slashes)
    for step in (*steps, _before_nul):
        for one in tuple(spellings):
            spellings.setdefault(step(one))
    if len(spellings) > 1 and (value[:5].lower() == "file:" or value.startswith("~")):
        del spellings[value]  # nobody opens these letters as they are
    yield from spellings


def _trimmed(value: str) -> str:
    return value.strip().strip("\"'")


def _expanded(value: str) -> str:
    value = os.path.expanduser(value) if value.startswith("~") else value
    return os.path.expandvars(value) if "$" in value or "%" in value else value


def _with_slashes(value: str) -> str:
    return value.replace("\\", "/")


def _before_nul(value: str) -> str:
    return value.partition("\0")[0]


def _placed(path: str, bases: Sequence[str]) -> Iterator[str]:
    """The path from the root on; where no base is known, a relative one stays relative."""
    if not bases or path.startswith(("/", "\\\\")) or _DRIVE.match(path):
        yield path
        return
    yield from (os.path.join(base, path) for base in bases)


def _real(path: str) -> Iterator[str]:
    """As the system opens it, and as programs do that shorten `..` by its letters first."""
    if not (path.startswith("/") or (ntpath.isabs(path) and os.sep == "\\")):
        yield lexical(path)
        return
    yield real_path(path)
    yield real_path(lexical(path))


def _folded_too(values: Iterable[str]) -> Iterator[str]:
    for value in dict.fromkeys(values):
        yield value
        yield from folded_forms(value)


def _without_tails(path: str) -> str:
    """Dots and spaces at the end of a name mean nothing to Windows; neither does what is behind a colon."""
    parts = [part if set(part) <= {"."} else part.rstrip(". ") for part in path.split("/")]
    return "/".join(part.partition(":")[0] if len(part.partition(":")[0]) > 1 else part for part in parts)


def command_words(value: str) -> list[str]:
    """Words of a command line, in which a path may stand."""
    return [found.group() for _n, found in zip(range(_MOST_WORDS), _WORDS.finditer(value), strict=False)]


# ---------------------------------------------------------------- addresses


def address_reading(value: str) -> Reading:
    """Of an address of the network: its host in one spelling, its path without detours."""
    plain = plain_address(value)
    is_odd = any(sign in value for sign in "\\\t\r\n @") or not value.isprintable()
    strict = {plain, value} if is_odd else {plain}
    loose = {value, plain, *folded_forms(value), *folded_forms(plain)}
    for form in tuple(loose):
        decoded = unquote(form)
        loose |= {decoded, plain_address(form), plain_address(decoded), decoded.replace("\\", "/")}
        host = _host(form)
        loose |= {host, host.removeprefix("www.")} if host else set()
    return Reading(frozenset(strict), frozenset(loose))


def plain_address(value: str) -> str:
    try:
        parts = urlsplit(value.strip())
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return value
    scheme = parts.scheme.lower()
    host = _one_host(host)
    netloc = host if port in (None, _PORTS.get(scheme)) else f"{host}:{port}"
    path = posixpath.normpath("/" + unquote(parts.path).lstrip("/")) if "%2e" in parts.path.lower() else parts.path
    if path:
        ends = path.endswith("/") and len(path) > 1
        path = posixpath.normpath(path)
        path = f"{path}/" if ends and path != "/" else path
        path = "/" + path.lstrip("/")
    return f"{scheme}://{netloc}{path or '/'}" + (f"?{parts.query}" if parts.query else "")


def _one_host(host: str) -> str:
    """One spelling per host: small letters, our own full stop, names of other alphabets in their ASCII form."""
    host = host.lower().rstrip(".")
    if host.isascii():
        return host
    try:
        return host.encode("idna").decode()
    except UnicodeError:
        return host


def _host(value: str) -> str:
    try:
        return urlsplit(value).hostname or ""
    except ValueError:
        return ""


# ---------------------------------------------------------------- text


def text_reading(value: str) -> Reading:
    return Reading(frozenset({value}), frozenset({value, *folded_forms(value)}))
