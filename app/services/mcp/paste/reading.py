"""Which form a text has, and the servers in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from app.core.errors import BadInput
from app.core.text.toml import read_toml

from .command_line import is_command, read_added, server_of
from .containers import servers_in
from .entry import server_from
from .found import Broken, Pasted, PastedServer, PasteReading
from .json_text import read_json
from .links import is_link, server_at
from .markdown import fenced, json_objects, spans
from .naming import name_of_command
from .placeholders import signs_in
from .shell_text import commands_in
from .yaml_text import read_yaml

LONGEST_PASTE: Final = 64 * 1024
MOST_SERVERS: Final = 50
_JSON_LANGUAGES: Final = ("json", "jsonc", "json5", "javascript", "js")
_YAML_WORDS: Final = ("command:", "cmd:", "url:", "uri:", "mcpServers:", "mcp_servers:", "extensions:")


def read_paste(text: str, taken: Iterable[str] = ()) -> PasteReading:
    """The servers in a text, in whatever form. `taken` are ids that are in use.

    Raises BadInput where the whole cannot be read, or holds no server; what is wrong with one entry is in `broken`.
    """
    if len(text) > LONGEST_PASTE:
        raise BadInput("the text is longer than 64 kB", reason="PASTE_LONG")
    text = _plain(text)
    blocks = fenced(text)
    if blocks:
        servers, fault = list[PastedServer](), None
        for block in blocks:
            try:
                servers += [] if _is_other_link(block.text) else _read(block.text, block.language)
            except BadInput as error:
                fault = fault or error
        servers = servers or _first(text, (_in_spans, _in_prose))
        if not servers and fault is not None:
            raise fault
    else:
        servers = _read(text, "")
    return _reading(servers, taken, from_prose=len(blocks) > 1)


def read_words(words: Sequence[str], taken: Iterable[str] = ()) -> PasteReading:
    """Of a command line: what `mcp add` takes, or a text as one word. Raises BadInput."""
    if len(words) == 1 and (is_link(words[0]) or words[0].split() != list(words) or words[0][:1] in '{["'):
        return read_paste(words[0], taken)
    is_other = any(word == "mcp" for word in words[1:5]) or any(word.startswith("--add-mcp") for word in words)
    servers = server_of(words) if is_other and is_command(words) else read_added(words)
    return _reading(servers, taken)


def _is_other_link(text: str) -> bool:
    """An address that is in a page by itself is a server's only if it says so."""
    return is_link(text.strip()) and "mcp" not in text.lower() and "/sse" not in text


def _plain(text: str) -> str:
    """Without what pages and editors leave in a copy."""
    for sign in "\ufeff\u200b\u2060":
        text = text.replace(sign, "")
    return text.replace("\u00a0", " ").replace("\r\n", "\n").replace("\r", "\n").strip()


# ---------------------------------------------------------------- the forms


def _read(text: str, language: str) -> list[PastedServer]:
    """One block. Raises BadInput if it is of a form and damaged."""
    text = text.strip()
    first = _first_line(text)
    if not first:
        return []
    if language == "toml" or (
        first.startswith("[") and first.endswith("]") and '"' not in first[:2] and _is_table(first)
    ):
        return servers_in(_toml(text))
    if first.startswith(("{", "[", '"', "//", "/*")) or language in _JSON_LANGUAGES:
        return servers_in(read_json(text))
    if is_link(text):
        return server_at(text)
    if language in ("yaml", "yml"):
        return servers_in(read_yaml(text))
    return _first(text, (_in_shell, _in_yaml, _in_toml, _in_json, _in_prose, _in_spans))


def _first(text: str, readers: Iterable[Callable[[str], list[PastedServer]]]) -> list[PastedServer]:
    """What the first that finds something finds. Raises what the first of them raised if none does."""
    fault: BadInput | None = None
    for reader in readers:
        try:
            servers = reader(text)
        except BadInput as error:
            fault = fault or error
            continue
        if servers:
            return servers
    if fault is not None:
        raise fault
    return []


def _in_shell(text: str) -> list[PastedServer]:
    lines = [line for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]
    is_alone = len(lines) == 1 or all(line.rstrip().endswith(("\\", "^", "`")) for line in lines[:-1])
    words = lines[0].split() if lines else []
    is_whole = is_alone and len(words) > 1 and not words[0].endswith(":") and _is_commandlike(words)
    found: list[PastedServer] = []
    for command in commands_in(text, (lambda _words: True) if is_whole else is_command):
        name = name_of_command(command.words)
        if command.fault:
            found.append(PastedServer(name, None, fault=_SHELL_FAULTS[command.fault]()))
            continue
        try:
            servers = [one for one in server_of(command.words, command.env, alone=is_whole) if not _is_pattern(one.raw)]
        except BadInput as error:
            servers = [PastedServer(name, None, fault=error)]
        found += [_in_folder(one, command.folder) for one in servers]
    return found


_SHELL_FAULTS: Final[dict[str, Callable[[], BadInput]]] = {
    "shell": lambda: BadInput("only a shell could run this: it has a pipe or a redirection", reason="PASTE_SHELL"),
    "quote": lambda: BadInput("a quotation mark is not closed", reason="PASTE_QUOTE"),
}


def _is_pattern(raw: object) -> bool:
    """`mcp add <name> <command>`: how it is written, no server."""
    target = (raw.get("url") or raw.get("command")) if isinstance(raw, dict) else ""
    return isinstance(target, str) and target[:1] in "<[" and target[-1:] in ">]" and bool(target)


def _is_commandlike(words: Sequence[str]) -> bool:
    """Whether one line is a command of a program nobody knows, and no sentence."""
    program = words[0]
    is_path = program.startswith(("/", "./", "../", "~/")) or program[1:3] == ":\\"
    return is_command(words) or is_path or ("mcp" in program.lower() and program.isascii() and not program.isalpha())


def _in_folder(found: PastedServer, folder: str) -> PastedServer:
    """A command behind `cd` needs that folder; one that is relative is somewhere on the author's disk."""
    raw = found.raw
    if not folder or not isinstance(raw, dict) or "command" not in raw or raw.get("cwd"):
        return found
    is_whole = folder.startswith(("/", "~", "$", "<")) or folder[1:2] == ":" or bool(signs_in(folder))
    return PastedServer(
        found.name, {**raw, "cwd": folder if is_whole else f"<folder {folder}>"}, found.inputs, found.fault
    )


def _in_yaml(text: str) -> list[PastedServer]:
    is_yaml = any(line.strip().lstrip("- ").startswith(_YAML_WORDS) for line in text.splitlines())
    return servers_in(read_yaml(text)) if is_yaml else []


def _in_toml(text: str) -> list[PastedServer]:
    return servers_in(_toml(text)) if "=" in text and any(_is_table(line.strip()) for line in text.splitlines()) else []


def _in_json(text: str) -> list[PastedServer]:
    """Keys without quotes and without the braces around them."""
    first = _first_line(text)
    return servers_in(read_json(text)) if first.rstrip().endswith("{") and ":" in first else []


def _in_prose(text: str) -> list[PastedServer]:
    """JSON between sentences; else the one address they name."""
    found: list[PastedServer] = []
    fault: BadInput | None = None
    for piece in json_objects(text):
        try:
            found += servers_in(read_json(piece))
        except BadInput as error:
            fault = fault or error
    if found:
        return found
    links = {word.strip("()[]<>.,;:'\"`*") for word in text.split() if "://" in word}
    links = {link for link in links if is_link(link) and ("mcp" in link.lower() or link.rstrip("/").endswith("/sse"))}
    if len(links) == 1 and "github.com" not in (link := links.pop()):
        return server_at(link)
    if fault is not None:
        raise fault
    return []


def _in_spans(text: str) -> list[PastedServer]:
    """Code inside a sentence."""
    return [one for span in spans(text) for one in _span(span)]


def _span(text: str) -> list[PastedServer]:
    if is_link(text):
        return server_at(text) if "mcp" in text else []
    return _in_shell(text) if " " in text and is_command(text.split()) else []


def _toml(text: str) -> object:
    try:
        return read_toml(text)
    except ValueError as error:
        raise BadInput(f"this is no TOML: {error}"[:200], reason="PASTE_TOML") from error


def _is_table(line: str) -> bool:
    """`[mcp_servers.name]`"""
    inner = line.strip("[]")
    return line.startswith("[") and line.endswith("]") and bool(inner) and inner[:1].isalpha() and "," not in inner


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("#")), "")


# ---------------------------------------------------------------- the servers


def _reading(found: Sequence[PastedServer], taken: Iterable[str], *, from_prose: bool = False) -> PasteReading:
    """Each as a server, or with what is wrong with it. Raises BadInput if there is none of either."""
    if len(found) > MOST_SERVERS:
        raise BadInput(f"more than {MOST_SERVERS} servers at once", reason="PASTE_SERVERS", most=MOST_SERVERS)
    if not found:
        raise BadInput(
            "no server in this text",
            hint='it should look like {"mcpServers": {"name": {"command": "…", "args": []}}}',
            reason="PASTE_EMPTY",
        )
    used, servers, broken = set(taken), list[Pasted](), list[Broken]()
    for one in found:
        try:
            server = server_from(one, used)
        except BadInput as error:
            broken.append(Broken(one.name, error))
            continue
        if any(_is_same(server, other, from_prose=from_prose) for other in servers):
            continue
        twin = next((other for other in servers if other.config.name.casefold() == server.config.name.casefold()), None)
        if from_prose and twin is not None:
            broken.append(Broken(f"{one.name}: {server.line}", _other_way(twin.config.name)))
            continue
        used.add(server.config.id)
        servers.append(server)
    if from_prose and servers:  # pages show other programs' commands as well
        broken = [one for one in broken if one.name not in {server.config.name for server in servers}]
    return PasteReading(tuple(servers), tuple(broken))


def _is_same(one: Pasted, other: Pasted, *, from_prose: bool) -> bool:
    """Pages give one server in the forms of several programs, each with another name for it and for its values."""
    is_target = (one.line, one.config.cwd) == (other.line, other.config.cwd)
    if from_prose:
        return is_target
    values = (one.config.name, one.env, one.headers, one.open_texts)
    return is_target and values == (other.config.name, other.env, other.headers, other.open_texts)


def _other_way(name: str) -> BadInput:
    return BadInput(f"another way to run {name}; paste it alone to take it", reason="PASTE_OTHER", name=name)
