"""What a test of a connection found, in words: the part that fails, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from app.core.errors import TriptychError
from app.core.text.i18n import N_, _
from app.core.wording.filling import filled
from app.ui import texts

if TYPE_CHECKING:
    from app.services.providers.probes import ToolUse
    from app.services.providers.service import CheckResult, ProviderEntry

_HOST = {
    "dns": (N_("Cannot find {host}."), N_("Check the network and the spelling of the address.")),
    "refused": (N_("Nothing is listening at {host}."), N_("Is the server running, and is the port right?")),
    "broken": (N_("The connection to {host} broke."), N_("Try again; something between here and there closed it.")),
    "": (N_("No connection to {host} came about in time."), N_("Check the network, the address and the port.")),
}
_CERTIFICATE = {
    "expired": (
        N_("The certificate of {host} has expired."),
        N_("This computer's clock says {date}; if that is right, the provider has to renew it."),
    ),
    "not_yet_valid": (
        N_("The certificate of {host} is not valid yet."),
        N_("This computer's clock says {date}; set it if that is wrong."),
    ),
    "host": (N_("The certificate is not made for {host}."), N_("Check the address; somebody else answers there.")),
    "self_signed": (
        N_("The certificate of {host} is signed by itself."),
        N_("If this is a server of your own, choose its certificate file under More."),
    ),
    "ca_file": (N_("The file of certificates cannot be read."), N_("Choose a PEM file, or leave the field empty.")),
    "tls": (
        N_("No secure connection to {host} could be made."),
        N_("Perhaps the server speaks http:// and not https://, or only outdated encryption."),
    ),
    "": (
        N_("This computer does not trust the certificate of {host}."),
        N_("A proxy of your company may replace certificates: choose its certificate file under More."),
    ),
}
_KEY = {
    "missing": (N_("{host} asks for a key."), N_("Enter the key of this provider.")),
    "not_ascii": (N_("The key has characters no key has."), N_("Copy it again, whole and without spaces.")),
    "QUOTA": (N_("There is no credit left at {host}."), N_("Top up the account, or choose another provider.")),
    "": (N_("{host} did not accept the key."), N_("Check that it is the key of this provider, and copied whole.")),
}
_MODEL = {
    "PERMISSION": (N_("The key may not use the model “{model}”."), N_("Choose another model, or ask for access.")),
    "": (N_("{host} does not know the model “{model}”."), N_("Choose one of its list: Fetch models.")),
}
_PROXY = {
    "connect": (N_("The proxy {proxy} cannot be reached."), N_("Is it running, and is the port right?")),
    "reply": (N_("The proxy {proxy} refused the connection to {host}."), N_("It may want a name and a password.")),
    "": (
        N_("The proxy {proxy} is of a kind that cannot be used here."),
        N_("Use its HTTP port, correct its address, or connect directly."),
    ),
}
_PATH = {
    "page": (
        N_("A web page came back instead of a model service. {title}"),
        N_("The path of the address is wrong, or a log-in page stands in between."),
    ),
    "REDIRECT": (
        N_("The address points elsewhere: {location}. It was not followed, and the key was not sent."),
        N_("Enter the address it points to, if you trust it."),
    ),
    "": (
        N_("{host} answers, but there is no model service at this path."),
        N_("Most addresses end in /v1; look it up at the provider."),
    ),
}


_TOOLS: Mapping[str, str] = {
    "native": N_("{model} calls tools."),
    "text": N_("{model} writes its calls of tools into the text; they are read there."),
    "unused": N_("{model} called no tool when it was asked to: agents that need tools may do little with it."),
}
"""How it called the tool of the test."""


def result_words(result: CheckResult, entry: ProviderEntry) -> str:
    if result.ok:
        outcome = _("It works: {host} answered in {ms} ms.").format(host=result.message, ms=result.ms)
        if result.model_listed is False:
            outcome += " " + _("The first model is not in its list, though.")
        return outcome
    sentences = _sentences(result, entry)
    if sentences is None:
        code = "BAD_INPUT" if result.place == "address" else result.code
        text = texts.error_text(code, result.message, result.params)
        detail = texts.detail_text(code, result.message, result.params)
        parts = [text.what, detail if detail not in text.what else "", texts.hint_text(result.hint) or text.do]
        return "\n".join(part for part in parts if part)
    model = entry.models[0] if entry.models else ""
    date = f"{datetime.now().astimezone():%Y-%m-%d %H:%M}"
    values = {**result.params, "host": result.host, "model": model, "date": date, "message": result.message}
    what, do = (filled(_(sentence), values) for sentence in sentences)
    if result.suggested:
        do = _("{address} answers.").format(address=result.suggested)
    where = ""
    if result.place == "proxy":
        where = _("It is set in this provider.")
        if not entry.proxy:
            where = _("It comes from the proxy settings of Triptych or of this computer.")
    parts = [" ".join(part for part in (what, where) if part), _quoted(result, what), do]
    return "\n".join(part for part in parts if part)


def _sentences(result: CheckResult, entry: ProviderEntry) -> tuple[str, str] | None:
    params = result.params
    match result.place:
        case "host":
            return _HOST.get(str(params.get("phase", "")), _HOST[""])
        case "certificate":
            return _CERTIFICATE.get(str(params.get("check", "")), _CERTIFICATE[""])
        case "key":
            reason = str(params.get("reason") or "") or ("" if entry.has_key or result.code == "QUOTA" else "missing")
            return _KEY.get(reason or result.code, _KEY[""])
        case "model":
            return _MODEL.get(result.code, _MODEL[""])
        case "proxy":
            return _PROXY.get(str(params.get("source", "")), _PROXY[""])
        case "path":
            return _PATH.get(str(params.get("kind") or result.code), _PATH[""])
        case _:
            return None


def _quoted(result: CheckResult, what: str) -> str:
    """The provider's own words, where it was a provider that spoke."""
    if not result.params.get("status") or result.message in what or result.message.startswith("HTTP "):
        return ""
    return _("It says: {message}").format(message=result.message)


def tool_words(found: ToolUse, model: str) -> str:
    """ "" where nobody knows."""
    return _(_TOOLS[found]).format(model=model) if found else ""


def error_words(error: TriptychError | OSError) -> str:
    if isinstance(error, OSError):
        return str(error)
    words = texts.error_text(error.code, error.message, error.params)
    detail = texts.detail_text(error.code, error.message, error.params)
    parts = [words.what, detail if detail not in words.what else "", texts.hint_text(error.hint) or words.do]
    return "\n".join(part for part in parts if part)
