"""Why something was refused: the clause for every `params["reason"]` of an error.

It is part of the sentence of the error's code, so it begins with a small letter and has no full stop.
To add a reason: its code here, with the values the error carries in braces.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..text.i18n import N_, _, current_language
from ..text.value_faults import fault_of_params
from .filling import filled

_FOREIGN_AGENTS: Mapping[str, str] = {
    "ACP_START": N_("{program} cannot be started ({why})"),
    "ACP_NOT_AGREED": N_("{program} is started only after you have agreed to it, under Agents"),
    "ACP_GONE": N_("its program has ended ({why})"),
    "ACP_SILENT": N_("it did not answer within {n} seconds"),
    "ACP_SIGN_IN": N_("it wants a sign-in; run it once by itself in a terminal ({ways})"),
    "ACP_ERROR": N_("it reports an error: {why}"),
    "ACP_DAMAGED": N_("its answer is not of the protocol ({why})"),
    "ACP_TOO_MUCH": N_("it sent more than one answer may hold"),
    "ACP_STOPPED": N_("it stopped by itself before it was done"),
    "ACP_VERSION": N_("it speaks version {version} of the protocol, this program version {ours}"),
    "ACP_AS_HELPER": N_("an agent of another program cannot be asked by one of ours yet"),
}

_FILES: Mapping[str, str] = {
    "EMPTY": N_("the file is empty"),
    "NO_FILE": N_("“{file}” is not a file"),
    "FILE_LARGE": N_("the file is larger than {most} MB"),
    "FILE_UNREADABLE": N_("“{file}” cannot be read; is it there, and may you read it?"),
    "DATABASE": N_("a database is not imported; restore a backup under Settings, Data"),
    "NOT_UTF8": N_("the file is not UTF-8 text"),
    "NOT_JSON_PART": N_("the file is not JSON"),
    "PART_LARGE": N_("a part of the file is larger than {most} MB"),
    "BROWSER_COPY": N_(
        "it is a copy of the other program's database files, which only that program can read; "
        "make a backup there that holds data.json"
    ),
    "NO_FEED": N_("no update feed is set"),
    "FEED_LARGE": N_("the update feed is too large to be one"),
    "FEED_NO_KEY": N_("this copy of the program has no key to verify an update feed with"),
    "FEED_UNSIGNED": N_("the update feed has no signature"),
    "FEED_SIGNATURE": N_("the signature of the update feed is not that of this program's makers; do not trust it"),
    "FEED_VERSION": N_("the update feed is made for a newer version of this program"),
    "FEED_OLD": N_("the update feed is older than one that was seen before; somebody may hold newer ones back"),
    "FEED_EXPIRED": N_("the update feed has run out and says nothing about today"),
    "FEED_ODD": N_("the update feed cannot be read"),
    "FEED_UNREACHABLE": N_("the update feed does not answer"),
    "FEED_MOVED": N_("the update feed sends on to another address, which is not followed"),
    "PLACE_FOLDER": N_("there is no folder {path}, or its path is not whole"),
    "PLACE_UNUSABLE": N_("the folder cannot be used: {why}"),
    "PLACE_OFFLINE": N_("the program is told to stay offline"),
    "PLACE_UNREACHABLE": N_("{host} does not answer"),
    "PLACE_REFUSED": N_("{host} refuses the name or the password"),
    "PLACE_FULL": N_("there is no room left at {host}"),
    "PLACE_ODD": N_("the place answers with status {status}, which is not expected"),
    "PLACE_ADDRESS": N_("the address or the bucket is none"),
    "PLACE_PLAIN": N_("plain http would leave your own network; use https"),
    "PASSPHRASE_WRONG": N_("the passphrase does not open these backups"),
    "PASSPHRASE_SHORT": N_("the passphrase needs at least {least} characters"),
    "NO_PASSPHRASE": N_("the passphrase is not known on this computer; enter it with the place"),
    "NO_BACKUP_PLACE": N_("no place for backups is set"),
    "NO_BACKUP_HERE": N_("there is no backup at this place"),
    "BACKUP_PIECE": N_("the backup is not whole, or was changed; take another version"),
    "BACKUP_NEWER": N_("the backup was made by a newer version of this program"),
    "IMPORT_NUMBER": N_("{value} is no number of the list"),
    "IMPORT_RANGE": N_("the list goes from 1 to {most}"),
    "IMPORT_STOPPED": N_("the import was stopped; nothing of it was stored"),
    "NOT_JSON": N_("the file is not JSON, as line {line} shows"),
    "JSON_PIECES": N_("the JSON has too many pieces"),
    "JSON_DEPTH": N_("the JSON is nested too deeply"),
    "JSON_NUMBER": N_("the JSON has a number that cannot be used"),
    "JSON_TWICE": N_("the JSON has a key twice in one object"),
    "NO_CONVERSATION": N_("this is no conversation this program knows how to read"),
    "NO_MESSAGE": N_("there is no message of a person or a model in it"),
    "MOST_SESSIONS": N_("there are more than {most} conversations"),
    "VERSION": N_("it is of version {version}; this program reads version {ours}"),
    "ROLE": N_("a message has the unknown role {role}"),
    "MESSAGE": N_("message {id} cannot be read"),
    "RUN_TWICE": N_("run {id} is there twice"),
    "RESULTS": N_("the results of run {id} cannot be read"),
    "EVENT": N_("event {number} of run {id} cannot be read"),
    "EVENT_ORDER": N_("the events of run {id} are not in order"),
    "SHAPE": N_("“{what}” is not of the kind it should be"),
    "TOO_MANY": N_("“{what}” has {found} entries; at most {most} are read"),
    "LONG_ID": N_("an id is too long"),
    "ARCHIVE_DAMAGED": N_("the archive is damaged"),
    "ARCHIVE_ODD": N_("the archive is not built as Triptych builds its own"),
    "ARCHIVE_FILES": N_("the archive has more than {most} files"),
    "ARCHIVE_TOTAL": N_("the archive holds more than {most} MB"),
    "ARCHIVE_LARGEST": N_("the archive has a file of more than {most} MB"),
    "ARCHIVE_STRANGE": N_("the archive has a file that does not belong there: {name}"),
    "ARCHIVE_ENCRYPTED": N_("the archive is encrypted"),
    "ARCHIVE_PACKED": N_("the archive is packed in a way that is not read"),
    "SKILL_LARGE": N_("a skill holds at most {most} bytes and few files"),
    "SKILL_HEAD": N_("SKILL.md does not begin with a head of facts between two lines ---"),
    "SKILL_NAME": N_("its name must be of small letters, digits and single hyphens, at most 64"),
    "SKILL_DESCRIPTION": N_("it needs a description of at most {most} characters"),
    "SKILL_HIDDEN": N_("it holds hidden text; it is not taken"),
    "SKILL_LINE": N_("a line of its head cannot be read: {line}"),
    "SKILL_FOLDER": N_("its folder must be called as it is: {name}"),
    "SKILL_UNREAD": N_("it cannot be read"),
    "SKILL_NAMES": N_("a file of it has a name that not every system takes"),
    "SKILL_LINK": N_("{name} in it is a link, or leads out of it"),
    "SKILL_CHANGED": N_("it has changed since it was looked at"),
    "SKILL_TAKEN": N_("there is a skill {name} already"),
    "SKILL_NO_ANSWER": N_("no answer of this conversation is complete"),
    "SKILL_PACKAGE": N_("it belongs to an installed package and goes with it"),
    "SKILL_SHIPPED": N_("it ships with the program"),
    "NO_FOLDER": N_("{path} is no folder, or cannot be opened"),
    "FOLDER_TOO_WIDE": N_("{path} holds more than one piece of work; pick a folder inside it"),
    "FOLDER_OF_DATA": N_("{path} holds the data of Triptych; pick another folder"),
    "ARCHIVE_FOREIGN": N_("the archive is none of Triptych"),
}

_AGENTS: Mapping[str, str] = {
    "NOT_TOML": N_("“{file}” is not TOML"),
    "PROFILE_LARGE": N_("the file is larger than {most} bytes"),
    "FIELD": N_("the value of “{place}” does not fit"),
    "HIDDEN_TEXT": N_("“{place}” holds hidden text; the file is not taken"),
    "BUILT_IN": N_("a built-in agent cannot be deleted"),
    "AGENT_TAKEN": N_("an agent of this name is there already"),
    "DOMAIN_TAKEN": N_("a domain of this name is there already"),
    "TEMPLATE_EMPTY": N_("a template needs a name and a text"),
    "TEMPLATE_LONG": N_("a template has at most {most} characters"),
    "PLAN_TEMPLATE_EMPTY": N_("a template needs a name and at least one step"),
    "NOT_A_PLAN": N_("these steps are not a plan"),
    "ENVIRONMENT": N_("this provider comes from the environment"),
    "NO_ADDRESS": N_("the address is missing, such as https://host/v1"),
    "CALL_ADDRESS": N_("this is the address of one call; that of the service is {address}"),
    "PROFILE_ID": N_("“{id}” cannot be an id: lower-case letters, digits, - and _, at most 64"),
    "NO_RULES": N_("the agent {agent} has no offline rules"),
    "MODEL_REFERENCE": N_("“{ref}” names no model; write provider/model, such as ollama/qwen3:8b"),
    "ENV_KEY": N_("OPENAI_API_KEY is not set"),
    "ENV_MODEL": N_("OPENAI_MODEL is not set"),
    "ENV_ADDRESS": N_("OPENAI_BASE_URL is no address: {address}"),
    "NOT_SET_UP": N_("the provider {provider} is not set up"),
    "NO_KEY": N_("{provider} has no key yet"),
    "PARAMETERS": N_("the provider refuses one parameter after the other"),
    "LOCAL_ADDRESS": N_("it is one of this computer or its network; tick first that such an address may be asked"),
    "ADDRESS": N_("the address {host} cannot be used"),
    "SCRIPT_PLACE": N_("the script {file} is wrong at {place}"),
    "TOOL_DENIED": N_("the tool {name} is denied to this agent"),
    "KEYRING_SILENT": N_("the keyring of the system does not answer; it may be waiting for its password"),
    "KEYRING_REFUSED": N_("the keyring of the system is locked, or gives nothing"),
    "KEY_GONE": N_("it is not where it was put; a key for one session is gone with it"),
    "KEY_CHARACTER": N_("character {place} of the key cannot be part of a key; copy it again"),
    "KEY_LONG": N_("the key is too long: at most {most} characters"),
}

_CLIENTS: Mapping[str, str] = {
    "CLIENT_NAME": N_("the name of a client has small letters, digits, - and _ alone"),
    "CLIENT_TAKEN": N_("there is a client {client} already"),
    "PORT": N_("port {port} of this computer cannot be used: {why}"),
    "NO_PORT": N_("the port is a whole number from 1 to {most}"),
    "TOKEN_FIXED": N_("the token comes from TRIPTYCH_API_TOKEN"),
    "CALLER_TOOL": N_("“{tool}” cannot be the name of a tool, or is there twice"),
    "CALLER_SCHEMA": N_("the schema of the tool {tool} cannot be used: {why}"),
    "TOOL_TAKEN": N_("there is a tool {name} already"),
    "NO_STORE": N_("this agent needs the store of documents, which is not there"),
}

_SERVERS: Mapping[str, str] = {
    "PASTE_LONG": N_("the text is longer than 64 kB"),
    "PASTE_JSON": N_("this is no JSON, as line {line} shows; paste the whole block, brackets included"),
    "PASTE_TOML": N_("this is no TOML; paste the whole block, from [mcp_servers.…] on"),
    "PASTE_YAML": N_("this is no YAML, as line {line} shows; paste the whole block, with its indents"),
    "PASTE_YAML_REFUSED": N_("YAML with anchors, aliases or tags, or nested too deeply, is not read"),
    "PASTE_SERVERS": N_("there are more than {most} servers at once"),
    "PASTE_EMPTY": N_("there is no server in this text"),
    "PASTE_SERVER": N_("this is no server"),
    "PASTE_TARGET": N_("it says neither what to run nor where to go"),
    "PASTE_COMMAND": N_("“command” must be a text and “args” a list of texts"),
    "PASTE_SSE": N_("the old SSE transport is not supported; use the server's /mcp address"),
    "PASTE_TRANSPORT": N_("the transport “{transport}” is not supported"),
    "PASTE_BUILTIN": N_("this is a part of the program the text was written for, not a server"),
    "PASTE_INSTALLER": N_("this installs a server into another program; paste the command that runs the server"),
    "PASTE_SERVICE": N_("this starts a service of its own; start it yourself and paste its address"),
    "PASTE_SHELL": N_("only a shell could run this: it has a pipe or a redirection"),
    "PASTE_QUOTE": N_("a quotation mark is not closed"),
    "PASTE_OTHER": N_("this is another way to run “{name}”; paste it alone to take it"),
    "PASTE_BLANKS": N_("values are missing: {names}"),
}

_SESSIONS: Mapping[str, str] = {
    "NOTHING_TO_SEND": N_("there is nothing to send"),
    "TRIAL_EMPTY": N_("line {number} has no question before =>"),
    "TRIAL_COUNT": N_("at least one question, and at most {most}"),
    "TRIAL_ROUNDS": N_("reflection rounds are numbers from 0 to 10, separated by commas"),
    "NOTHING_TO_COMPARE": N_("there is nothing to compare"),
    "NO_SESSION": N_("there is no session to export"),
    "NO_ANSWER": N_("there is no answer to go on with"),
    "NO_ACTION": N_("this button can no longer be used"),
    "NO_QUESTION": N_("the session has no question yet"),
    "ANSWER_UNREAD": N_("the answer is not among what is read of the session; show what is earlier first"),
    "NOT_ENDED": N_("the run has not ended"),
    "NO_CALL": N_("the run has no such call"),
    "NO_ROUND": N_("the run has no such round"),
    "STEPS_FROM_ONE": N_("steps are counted from 1"),
    "NO_BENCHMARKS": N_("the benchmark programs are part of the source, not of the bundle"),
}

_DATA: Mapping[str, str] = {
    "AGENT_WORKING": N_("an agent is still working; stop it, or wait until it has ended"),
    "NO_COPY": N_("there is no backup that could be restored"),
    "COPY_DAMAGED": N_("the backup “{file}” is damaged; take an older one"),
    "COPY_UNSOUND": N_("the backup that was made is not sound; try another disk"),
    "NOT_WRITTEN": N_("what was written to “{file}” is not what should be there; try another disk"),
    "FOLDER_NAMED": N_("the data folder is named by --data-dir or TRIPTYCH_DATA_DIR; name another one there"),
    "TARGET_SAME": N_("the data is in this folder already: {path}"),
    "TARGET_INSIDE": N_("this folder and the present one lie in one another: {path}"),
    "TARGET_UNUSABLE": N_("this is no folder that can be used: {path}"),
    "TARGET_NOT_EMPTY": N_("this folder is not empty: {path}"),
    "TARGET_FULL": N_("there is too little space for it: {path}"),
    "NO_PATH": N_("there is no such file or folder: {path}"),
    "FACT_EMPTY": N_("a fact needs a text"),
    "FACT_LONG": N_("a fact has at most {limit} characters"),
    "MEMORY_FULL": N_("the memory of {agent} is full; forget some facts first"),
    "NO_OLD_FOLDER": N_("there is no old data folder"),
    "DIMENSION": N_("it gave vectors of {before} numbers and then of {now}"),
    "VECTORS": N_("it did not answer with one vector for each text"),
    "SERVER_AUTH": N_("it does not take this name and password: {detail}"),
    "SERVER_LIBRARY": N_("the library for it is not installed: the extra triptych[postgres]"),
    "SERVER_LOST": N_("it does not answer, or the connection was lost: {detail}"),
    "SERVER_NONE": N_("none is set up"),
    "SERVER_OFFLINE": N_("it is not on this computer, and Triptych stays offline"),
    "SERVER_REFUSED": N_("it refused: {detail}"),
    "SERVER_VECTORS": N_("it has no extension “vector”, so its documents are found by words alone"),
    "SERVER_ADDRESS": N_("write postgresql://user@host:5432/database, without the password"),
    "STALE": N_("its vectors have {now} numbers now, and the stored ones {before}; read the documents again"),
    "SLOW": N_("it did not answer in time"),
    "RANKS": N_("it did not answer with ranks"),
}

_REASONS: Mapping[str, str] = {**_FILES, **_AGENTS, **_FOREIGN_AGENTS, **_CLIENTS, **_SERVERS, **_SESSIONS, **_DATA}


def reason_text(params: Mapping[str, Any] | None) -> str:
    """The clause, "" where the error names no reason that is known here."""
    if (params or {}).get("reason") == "VALUE":
        return fault_of_params(params or {}).sentence(current_language())
    sentence = _REASONS.get(str((params or {}).get("reason", "")))
    return filled(_(sentence), params or {}) if sentence else ""


def known_reasons() -> frozenset[str]:
    return frozenset(_REASONS)
