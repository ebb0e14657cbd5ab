"""Names of files that all three systems can hold, and how the most forgiving of them compares two."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from app.core.errors import ToolError
from app.core.text.i18n import N_

_DEVICES = {
    "con", "prn", "aux", "nul", "conin$", "conout$", "clock$",
    *(f"{port}{n}" for port in ("com", "lpt") for n in "0123456789\u00b9\u00b2\u00b3"),
}  # fmt: skip
_FORBIDDEN = '<>:"|?*\\/'
_TURNING = {"\u061c", "\u200e", "\u200f", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}


@lru_cache(maxsize=20_000)
def folded(name: str) -> str:
    """As the most forgiving of the three systems compares it: no case, no width, no dots and spaces at the end."""
    if name.isascii():
        return name.lower().partition(":")[0].rstrip(". ") or name
    plain = "".join(sign for sign in unicodedata.normalize("NFKC", name) if unicodedata.category(sign) != "Cf")
    return plain.casefold().partition(":")[0].rstrip(". ") or name


def check_new_name(name: str) -> None:
    """Raises ToolError BAD_NAME for what one of the three systems could not hold or would take for something else."""
    stem = folded(name).split(".")[0].strip()
    if name != name.strip() or name.endswith("."):
        raise _refused(N_("a name cannot begin or end with a space, nor end with a dot"), name)
    if any(sign in _FORBIDDEN or sign < " " or sign == "\x7f" or sign in _TURNING for sign in name):
        raise _refused(N_("the name {name} has signs that not every system takes"), repr(name[:60]))
    if stem in _DEVICES:
        raise _refused(N_("{name} is the name of a device on some systems"), name[:60])
    if any("\ud800" <= sign <= "\udfff" for sign in name):
        raise _refused(N_("the name {name} has signs that not every system takes"), repr(name[:60]))


def _refused(message: str, name: str) -> ToolError:
    return ToolError("BAD_NAME", message, values={"name": name})
