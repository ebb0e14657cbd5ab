"""What was read: servers, what they still ask for, and entries that cannot be used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from app.core.errors import BadInput
from app.core.text.value_faults import value_fault
from app.mcp.config import ServerConfig

Place = tuple[str, str]
"""Where a text stands: ("command", ""), ("arg", "0"), ("url", ""), ("cwd", ""), ("env", NAME), ("header", NAME)."""


@dataclass(frozen=True, slots=True)
class PastedServer:
    """One server as a text gives it. `raw` has the keys of whichever program the text was written for."""

    name: str
    raw: Any
    inputs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What the text says of its `${input:…}`, by id."""
    fault: BadInput | None = None
    """Why it cannot be used, where the reader of the form already knows."""


@dataclass(frozen=True, slots=True)
class Blank:
    """A value the text leaves open: the person is asked for it; the placeholder is never used."""

    name: str
    sign: str
    """As it is written: `${input:key}`, `<YOUR_KEY>`."""
    places: tuple[Place, ...]
    aliases: tuple[str, ...] = ()
    """Further names by which a value may be given for it."""
    hint: str = ""
    default: str = ""
    is_secret: bool = False


@dataclass(frozen=True, slots=True)
class Pasted:
    """A server and the values that came with it. It is created disabled, whatever the text says."""

    config: ServerConfig
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    blanks: tuple[Blank, ...] = ()
    """What has no value yet. The server can be added all the same; it cannot be started."""
    open_texts: Mapping[Place, str] = field(default_factory=dict, repr=False)
    """Variables and headers with a blank in them."""

    @property
    def line(self) -> str:
        """What it is, in one line."""
        config = self.config
        return config.url or " ".join([config.command, *config.args])

    def filled(self, values: Mapping[str, str]) -> Pasted:
        """With the values put in for blanks of that name; other names are ignored. Raises BadInput."""
        by_name = {name.casefold(): value for name, value in values.items()}
        config, open_texts, left = self.config, dict(self.open_texts), list[Blank]()
        texts: dict[Place, str] = {("command", ""): config.command, ("url", ""): config.url, ("cwd", ""): config.cwd}
        texts |= {("arg", str(number)): arg for number, arg in enumerate(config.args)} | open_texts
        for blank in self.blanks:
            value = next((by_name[n.casefold()] for n in (blank.name, *blank.aliases) if n.casefold() in by_name), None)
            if value is None:
                left.append(blank)
                continue
            for place in blank.places:
                texts[place] = texts[place].replace(blank.sign, value) if blank.sign else value
        still = {place for blank in left for place in blank.places}
        whole = {place: texts[place] for place in open_texts if place not in still}
        changed = config.model_dump() | {
            "command": texts["command", ""],
            "args": tuple(texts["arg", str(number)] for number in range(len(config.args))),
            "url": texts["url", ""],
            "cwd": texts["cwd", ""],
            "blanks": signs_in_config(left),
        }
        return replace(
            self,
            config=valid_config(changed),
            env={**self.env, **{name: text for (kind, name), text in whole.items() if kind == "env"}},
            headers={**self.headers, **{name: text for (kind, name), text in whole.items() if kind == "header"}},
            blanks=tuple(left),
            open_texts={place: texts[place] for place in open_texts if place in still},
        )


@dataclass(frozen=True, slots=True)
class Broken:
    """An entry that cannot be used, and why; it does not keep the others from being added."""

    name: str
    error: BadInput


@dataclass(frozen=True, slots=True)
class PasteReading:
    servers: tuple[Pasted, ...] = ()
    broken: tuple[Broken, ...] = ()


def signs_in_config(blanks: Sequence[Blank]) -> tuple[str, ...]:
    """Of what is stored with the server itself; values of variables and headers are kept elsewhere."""
    signs = {blank.sign: None for blank in blanks if any(kind not in ("env", "header") for kind, _key in blank.places)}
    return tuple(signs)


def valid_config(values: Mapping[str, Any]) -> ServerConfig:
    """Raises BadInput with the first thing wrong."""
    from pydantic import ValidationError

    try:
        return ServerConfig.model_validate(values)
    except ValidationError as error:
        fault = value_fault(error)
        raise BadInput(fault.sentence(), **fault.params) from error
