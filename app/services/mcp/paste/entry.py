"""One raw entry as a server that can be set up, and what it leaves open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from app.core.errors import BadInput

from .fields import from_line, texts_of, timeout_of
from .found import Blank, Pasted, PastedServer, Place, signs_in_config, valid_config
from .naming import free_id
from .placeholders import Sign, is_filler, is_secret_name, plain_name, signs_in


def server_from(found: PastedServer, taken: Iterable[str]) -> Pasted:
    """Raises BadInput with what is wrong with this one."""
    if found.fault is not None:
        raise found.fault
    name, raw = found.name.strip() or "server", found.raw
    if isinstance(raw, str):
        raw = from_line(name, raw)
    if not isinstance(raw, dict):
        raise BadInput("this is no server", reason="PASTE_SERVER")
    texts, expanded = texts_of(raw)
    blanks = _blanks(texts, found.inputs, expanded)
    open_places = {place for blank in blanks for place in blank.places}
    values = {
        kind: {key: text for (of, key), text in texts.items() if of == kind and (of, key) not in open_places}
        for kind in ("env", "header")
    }
    is_http = ("url", "") in texts
    config = valid_config(
        {
            "id": free_id(name, taken),
            "name": name[:80],
            "transport": "http" if is_http else "stdio",
            "command": texts.get(("command", ""), ""),
            "args": tuple(text for (kind, _key), text in texts.items() if kind == "arg"),
            "env": tuple(key for kind, key in texts if kind == "env"),
            "headers": tuple(key for kind, key in texts if kind == "header"),
            "cwd": texts.get(("cwd", ""), ""),
            "url": texts.get(("url", ""), ""),
            "timeout": timeout_of(raw),
            "expanded": expanded,
            "blanks": signs_in_config(blanks),
        }
    )
    secrets = {place: texts[place] for place in open_places if place[0] in ("env", "header")}
    return Pasted(config, values["env"], values["header"], tuple(blanks), secrets)


def _blanks(
    texts: Mapping[Place, str], inputs: Mapping[str, Mapping[str, Any]], expanded: tuple[str, ...]
) -> list[Blank]:
    found: dict[tuple[str, str], Blank] = {}
    option = ""
    for place, text in texts.items():
        kind, key = place
        own = key if kind in ("env", "header") else option
        option = text.lstrip("-") if kind == "arg" and text.startswith("--") and "=" not in text else ""
        if kind == "arg" and "=" in text and text.startswith("--"):
            own = text.lstrip("-").partition("=")[0]
        signs = [sign for sign in signs_in(text) if not (kind == "arg" and sign.variable in expanded)]
        if kind == "url":
            signs += _open_fields(text, signs)
        if not any(sign.variable or sign.input for sign in signs) and (filler := _filler(kind, text, own)) is not None:
            signs = [Sign(filler, signs[0].name if signs else plain_name(own or filler))]
        for sign in signs:
            blank = _blank(sign, place, own if len(signs) == 1 else "", text, inputs.get(sign.input, {}))
            # A filler such as xxx means another thing at each place; what is named is one thing.
            one = (sign.text, "" if sign.variable or sign.input else key if kind in ("env", "header") else "")
            value = found.get(one)
            found[one] = blank if value is None else _joined(value, blank)
    return _named_apart(list(found.values()))


def _open_fields(url: str, signs: list[Sign]) -> list[Sign]:
    """Fields of an address whose value only stands for one."""
    fields = [field.partition("=") for field in url.partition("?")[2].split("&")]
    signature = "".join(sign.text for sign in signs)
    return [
        Sign(value, plain_name(name)) for name, _equals, value in fields
        if value and value not in signature and is_secret_name(name) and is_filler(value, name)
    ]  # fmt: skip


def _filler(kind: str, text: str, own: str) -> str | None:
    """What only stands for a value, without the words around it; None if it is one."""
    if kind not in ("env", "header", "arg") or (kind == "arg" and not (text and is_secret_name(own))):
        return None
    value = text.removeprefix("Bearer ") if kind == "header" else text
    if kind == "arg" and text.startswith("--"):
        value = text.partition("=")[2]
    return value if is_filler(value, own) and "$" not in value else None


def _blank(sign: Sign, place: Place, own: str, text: str, told: Mapping[str, Any]) -> Blank:
    """`own` is the name of its variable, header or option, if it is the only one there."""
    is_named = bool(own) and place[0] in ("env", "header")
    name = plain_name(own) if is_named and text == sign.text else sign.name
    stripped = sign.name
    for word in ("your_", "YOUR_", "Your_"):
        stripped = stripped.removeprefix(word)
    aliases = dict.fromkeys([sign.name, stripped, sign.text, *([own, plain_name(own)] if is_named else [])])
    hint = told.get("description")
    default = told.get("default", sign.default)
    is_secret = bool(told.get("password")) or is_secret_name(own) or is_secret_name(sign.name)
    return Blank(
        name, sign.text, (place,), tuple(alias for alias in aliases if alias and alias != name),
        str(hint)[:200] if isinstance(hint, str) else "", str(default) if isinstance(default, str) else "", is_secret,
    )  # fmt: skip


def _joined(one: Blank, other: Blank) -> Blank:
    """The same sign at one more place."""
    aliases = dict.fromkeys([*one.aliases, other.name, *other.aliases])
    names = tuple(alias for alias in aliases if alias != one.name)
    return Blank(
        one.name, one.sign, (*one.places, *(p for p in other.places if p not in one.places)), names,
        one.hint or other.hint, one.default or other.default, one.is_secret or other.is_secret,
    )  # fmt: skip


def _named_apart(blanks: list[Blank]) -> list[Blank]:
    """No two of one name."""
    used: dict[str, int] = {}
    result: list[Blank] = []
    for blank in blanks:
        count = used[blank.name] = used.get(blank.name, 0) + 1
        name = blank.name if count == 1 else f"{blank.name}_{count}"
        result.append(Blank(name, blank.sign, blank.places, blank.aliases, blank.hint, blank.default, blank.is_secret))
    return result
