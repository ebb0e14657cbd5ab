"""Two sentences for every error: what happened, and what to do.

To add an error: its code here; a test asks for every class of `core/errors.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import TriptychError
from ..text.i18n import N_, _, current_language
from ..text.value_faults import value_faults
from .error_actions import NextAction
from .filling import filled
from .kinds import KINDS
from .reasons import reason_text

if TYPE_CHECKING:
    from pydantic import ValidationError


@dataclass(frozen=True, slots=True)
class ErrorText:
    what: str
    """What happened."""
    do: str
    """What the person can do."""
    action: NextAction = ""
    """The button that does it."""


ERRORS: Mapping[str, tuple[str, str, NextAction]] = {
    "INTERNAL": (
        N_("Something went wrong inside Triptych."),
        N_("What was there is kept. The log has the details; please report it."),
        "report",
    ),
    "BAD_INPUT": (N_("This cannot be done as given: {message}"), N_("Correct it and try again."), ""),
    "AGENT_PROGRAM": (
        N_("The other agent did not answer to the end: {message}."),
        N_("What had come is kept. Ask again: it is started anew if it has ended."),
        "retry",
    ),
    "ALREADY_RUNNING": (
        N_("This session is still answering the last question."),
        N_("Wait for it, or stop it first."),
        "",
    ),
    "ATTACHMENT": (
        N_("“{name}” cannot be sent along."),
        N_("Texts of up to 1 MB and 200,000 characters, pictures and PDF documents go with a message."),
        "",
    ),
    "ATTACHMENT_PICTURE": (
        N_("The picture “{name}” cannot be sent along."),
        N_("PNG, JPEG, WebP and GIF of up to 10 MB and 20 megapixels go with a message."),
        "",
    ),
    "ATTACHMENT_DOCUMENT": (
        N_("No text can be read from “{name}”."),
        N_(
            "It asks for a password, is damaged, has scanned pages only, or is larger than 20 MB. Your message is kept."
        ),
        "",
    ),
    "REMOTE_PICTURE": (
        N_("The picture was not loaded."),
        N_("Its place in the message says why; press it to try again."),
        "",
    ),
    "KEY_STORAGE_MISSING": (
        N_("This computer has no keyring to keep the key in."),
        N_("Keep it for this session only, or agree to a file only you can read."),
        "providers",
    ),
    "KEY_UNREADABLE": (
        N_("The stored key of {provider} cannot be read: {message}."),
        N_(
            "Nothing was asked. Unlock the keyring and try again; or enter the key again and keep it for this session "
            "or in a file."
        ),
        "providers",
    ),
    "DISK_FULL": (
        N_("The disk is full."),
        N_("What is on the screen is kept and written as soon as there is room. Free some space."),
        "retry",
    ),
    "TARGET_REFUSED": (
        N_("The data cannot go there: {message}"),
        N_("Choose an empty folder with enough space, not inside the present one."),
        "",
    ),
    "FOLDER_UNUSABLE": (
        N_("The data folder cannot be written."),
        N_("Check whether the drive is there and you may write to it; nothing was written elsewhere."),
        "",
    ),
    "STORAGE_BUSY": (
        N_("Another program is using the stored data."),
        N_("Wait a moment and try again; close other windows of Triptych if it lasts."),
        "retry",
    ),
    "SETTINGS_CONFLICT": (
        N_("The settings file was changed by another program."),
        N_("Open the settings again to see its values; yours were not saved."),
        "",
    ),
    "SETTINGS_LOCKED": (
        N_("The settings file is not written."),
        N_("It is read-only, damaged or from a newer version; the window goes on with what it has."),
        "",
    ),
    "STALE": (
        N_("Somebody has changed this in the meantime."),
        N_("Load the newest version and make your change again."),
        "retry",
    ),
    "ID_TAKEN": (N_("There is one with this id already."), N_("Choose another id."), ""),
    "EMPTY_ANSWER": (
        N_("The model returned nothing."),
        N_("Ask again, or choose another model."),
        "regenerate",
    ),
    "INTERRUPTED": (
        N_("The program ended before the answer was complete."),
        N_("What had arrived is kept. Continue where it stopped, or ask again for a whole answer."),
        "regenerate",
    ),
    "UNKNOWN_NAME": (N_("There is no {kind} named “{name}”."), N_("Choose another one. Near names: {near}"), ""),
    "NOT_CONFIGURED": (
        N_("No model can answer yet."),
        N_("Add a key, choose a local model, or use the offline rules."),
        "providers",
    ),
    "DENIED": (N_("A permission forbids this."), N_("Change the permission in the agent's settings."), "agent"),
    "DATA_NEWER": (
        N_("A newer version of Triptych has used this data."),
        N_("Open it with that version; it was left as it is."),
        "",
    ),
    "DATA_DAMAGED": (
        N_("Stored data could not be read."),
        N_("A copy was put aside: {copy}"),
        "",
    ),
    "KEY_STORAGE": (
        N_("This computer has no keyring to keep the key in."),
        N_("Keep it for this session only, or agree to a file only you can read."),
        "providers",
    ),
    "MODEL": (N_("The provider could not answer."), N_("Try again, or choose another model."), "retry"),
    "AUTH": (
        N_("The provider did not accept the key."),
        N_("Check the key of this provider."),
        "providers",
    ),
    "PERMISSION": (
        N_("The key may not use this model."),
        N_("Check the rights of the key, or choose another model."),
        "providers",
    ),
    "NOT_FOUND": (
        N_("The provider does not know this model or address."),
        N_("Check the model's name and the base address."),
        "providers",
    ),
    "RATE_LIMIT": (N_("The provider asks for a pause."), N_("Wait a moment, then try again."), "retry"),
    "QUOTA": (
        N_("The account has no credit left."),
        N_("Top it up, or choose another provider."),
        "providers",
    ),
    "CONTEXT_OVERFLOW": (
        N_("The conversation is longer than the model can read."),
        N_("Start a new session, or lower the context limit of the agent."),
        "new_session",
    ),
    "QUESTION_TOO_LONG": (
        N_("Your last message with its files has {length} characters: more than the model can read."),
        N_("Ask with a shorter one; the session goes on, and this one is then sent shortened."),
        "",
    ),
    "NOT_RECORDED": (
        N_("The disk does not take what a tool is about to do, so it was not done."),
        N_("Make room on the disk or look at the data folder, then ask again."),
        "",
    ),
    "BAD_REQUEST": (
        N_("The provider refused the request."),
        N_("Look at the message below; a setting of the agent may not suit this model."),
        "agent",
    ),
    "CONTENT_FILTER": (
        N_("The provider's content filter held the answer back."),
        N_("Put the question in other words."),
        "",
    ),
    "TOOL_USE_FAILED": (
        N_("The model's tool call could not be read."),
        N_("Try again; another tool dialect in the agent's settings may help."),
        "retry",
    ),
    "SERVER": (N_("The provider has trouble."), N_("Try again in a moment."), "retry"),
    "NETWORK": (
        N_("The provider could not be reached."),
        N_("Check the connection and the base address, then try again."),
        "retry",
    ),
    "CERTIFICATE": (
        N_("The provider's certificate is not trusted."),
        N_("Check the address; a proxy in between may replace certificates."),
        "providers",
    ),
    "TIMEOUT": (N_("The provider was silent for too long."), N_("Try again; what had arrived is kept."), "retry"),
    "INCOMPLETE": (N_("The answer broke off."), N_("What had arrived is kept. Try again."), "retry"),
    "EMBEDDING": (
        N_("The embedding model {model} cannot be used: {message}."),
        N_("The documents and the vectors so far are kept, and search goes on by words. “Read again” tries once more."),
        "",
    ),
    "KNOWLEDGE_SERVER": (
        N_("The server of the shared knowledge bases: {message}."),
        N_(
            "What it keeps is whole, and bases on this computer are searched as before. Settings, Memory & knowledge,"
            " Test asks it again."
        ),
        "",
    ),
    "RERANK": (
        N_("The rerank model {model} cannot be used: {message}."),
        N_("The passages keep the order search gave them. Choose another model under Memory & knowledge."),
        "",
    ),
    "NOT_A_STREAM": (
        N_("What came back is not a model's answer."),
        N_("Check the base address; a log-in page may stand in between."),
        "providers",
    ),
    "TOO_LARGE": (N_("The answer was larger than the safety limit."), N_("What came before it is kept."), ""),
    "DAMAGED": (N_("The provider sent damaged data."), N_("What could be read is kept. Try again."), "retry"),
    "REDIRECT": (
        N_("The address points elsewhere: {location}. It was not followed, and the key was not sent."),
        N_("Enter the address it points to, if you trust it."),
        "providers",
    ),
    "OFFLINE": (
        N_("Triptych is set to stay offline, and this provider is not on this computer."),
        N_("Use a local model or the offline rules, or allow connections."),
        "providers",
    ),
    "PROXY": (
        N_("The proxy cannot be used: {proxy}"),
        N_("Check the proxy settings of this computer."),
        "retry",
    ),
    "NO_PLAN": (N_("The model wrote no plan that can be used."), N_("Ask again, or choose another model."), "retry"),
    "SCRIPT_END": (N_("The script has no more turns."), N_("Add a turn to the script file."), ""),
    "CANCELLED": (N_("Stopped by you."), N_("What had arrived is kept."), "regenerate"),
    "BUDGET": (N_("The budget is used up."), N_("Raise the budget of the agent, or ask for less."), "agent"),
    "BUDGET_SESSION": (
        N_("The budget of this session is used up."),
        N_("Raise it in the settings, or go on in a new session."),
        "new_session",
    ),
    "BUDGET_DAY": (N_("Today's budget is used up."), N_("Raise it in the settings, or go on tomorrow."), ""),
    "RUN_TIMEOUT": (
        N_("The run took longer than allowed."),
        N_("Raise the time for one run, or ask for less."),
        "agent",
    ),
}


_AT: Mapping[str, str] = {
    "AUTH": N_("{address} does not accept this key."),
    "PERMISSION": N_("{address} does not let this key use the model."),
    "NOT_FOUND": N_("{address} does not know this model or address."),
    "RATE_LIMIT": N_("{address} is busy."),
    "QUOTA": N_("The account at {address} has no credit left."),
    "BAD_REQUEST": N_("{address} refused the request."),
    "CONTENT_FILTER": N_("The content filter of {address} held the answer back."),
    "SERVER": N_("{address} has trouble."),
    "NETWORK": N_("Cannot reach {address}."),
    "CERTIFICATE": N_("The certificate of {address} is not trusted."),
    "TIMEOUT": N_("{address} was silent for too long."),
    "INCOMPLETE": N_("{address} broke the answer off."),
    "NOT_A_STREAM": N_("What {address} sent is not a model's answer."),
    "DAMAGED": N_("{address} sent damaged data."),
    "EMPTY_ANSWER": N_("The model at {address} returned nothing."),
    "MODEL": N_("{address} could not answer."),
}
"""What happened, where it is known at which host and port."""
_BUSY = N_("{address} is busy, wait {seconds} s.")

_FURTHER: Mapping[str, tuple[NextAction, ...]] = {
    **dict.fromkeys(("AUTH", "PERMISSION", "QUOTA", "NOT_FOUND", "CERTIFICATE", "NOT_A_STREAM"), ("retry", "model")),
    **dict.fromkeys(("REDIRECT", "OFFLINE", "KEY_UNREADABLE"), ("retry", "model")),
    **dict.fromkeys(("NETWORK", "PROXY", "TIMEOUT"), ("providers", "model")),
    **dict.fromkeys(("RATE_LIMIT", "SERVER", "MODEL", "EMPTY_ANSWER", "NO_PLAN", "TOOL_USE_FAILED"), ("model",)),
    **dict.fromkeys(("INCOMPLETE", "DAMAGED", "CONTENT_FILTER", "SCRIPT_END"), ("model",)),
    "CONTEXT_OVERFLOW": ("agent", "model"),
    "BAD_REQUEST": ("retry", "model"),
    "INTERNAL": ("retry",),
}
"""Beside the likeliest way out of an answer that failed."""
_PASSES = frozenset("RATE_LIMIT SERVER TIMEOUT INCOMPLETE DAMAGED INTERRUPTED STORAGE_BUSY EMPTY_ANSWER".split())
"""Errors that may be gone at the next try."""


def ways_out(code: str) -> tuple[NextAction, ...]:
    """What to offer where an answer failed, the likeliest first; at most three."""
    first = ERRORS[code][2] if code in ERRORS else "retry"
    return tuple(way for way in (first, *_FURTHER.get(code, ())) if way)


def can_pass(code: str) -> bool:
    return code in _PASSES


def error_text(code: str, message: str = "", params: Mapping[str, Any] | None = None) -> ErrorText:
    """Two sentences for a code; an unknown one shows its message."""
    if code not in ERRORS:
        return ErrorText(message or code, "", "retry")
    what, do, action = ERRORS[code]
    sentence = reason_text(params) or message
    values = {**(params or {}), "message": sentence}
    if code in _AT and values.get("address"):
        wait = values.get("retry_after")
        what = _BUSY if code == "RATE_LIMIT" and isinstance(wait, int | float) else _AT[code]
        values["seconds"] = round(wait) if isinstance(wait, int | float) else ""
    if code == "UNKNOWN_NAME" and (kind := values.get("kind")) in KINDS:
        values["kind"] = _(KINDS[str(kind)])
    return ErrorText(filled(_(what), values) or sentence or code, filled(_(do), values), action)


_THEIRS = frozenset(
    "MODEL AUTH PERMISSION NOT_FOUND RATE_LIMIT QUOTA CONTEXT_OVERFLOW BAD_REQUEST CONTENT_FILTER TOOL_USE_FAILED"
    " SERVER INTERNAL".split()
)
"""Codes whose message quotes the provider, or Python: it is shown as it came."""


def detail_text(code: str, message: str = "", params: Mapping[str, Any] | None = None) -> str:
    """What an error adds to its sentence. Our own messages are English; elsewhere only the place they name is shown."""
    values = params or {}
    if code in _THEIRS or code not in ERRORS:
        return reason_text(values) or message
    if reason := reason_text(values):
        return "" if "{message}" in ERRORS[code][0] else reason
    if current_language() == "en":
        return message
    return next((str(values[name]) for name in ("host", "path", "title") if values.get(name)), "")


def hint_text(hint: str) -> str:
    """Hints are English too: "" in another language, where the sentence of the code has to do."""
    return hint if current_language() == "en" else ""


def fault_text(error: BaseException) -> str:
    """What happened, to be in a sentence that says of what: the reason, else the sentence of the code."""
    if not isinstance(error, TriptychError):
        return str(error)
    if told := reason_text(error.params):
        return told
    return error.message if error.code in _GENERAL else error_text(error.code, error.message, error.params).what


_GENERAL = frozenset({"BAD_INPUT", "INTERNAL"})
"""Their sentence says nothing of this one error."""


def faults_text(error: ValidationError) -> str:
    """Everything that is wrong with the values of a form."""
    return "; ".join(fault.sentence(current_language()) for fault in value_faults(error))


def known_error_codes() -> frozenset[str]:
    return frozenset(ERRORS)
