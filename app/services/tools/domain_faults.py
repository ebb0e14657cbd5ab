"""What is wrong with a domain, one clear sentence each: for `triptych doctor`, and for the test of the built-in ones.

A domain that is used but incomplete still works as far as it goes; what cannot be used at all is refused when it is
taken in (services/settings, services/tools/plugins).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from app.core.domain import PROFILES, Domain
from app.core.errors import BadInput
from app.core.profile import AgentProfile
from app.core.setting import describe
from app.core.text.i18n import _
from app.core.text.toml import read_toml
from app.core.tools.tool import PERMISSION_CLASSES, Tool
from app.providers.rules.book import load_book
from app.providers.rules.intents import RuleBook

LANGUAGES = ("zh", "en")
"""Those in which a profile names itself."""


def domain_faults(domain: Domain, tools: Collection[str]) -> list[str]:
    """`tools` are the names of all tools there are, which its agents may have beside its own."""
    offered = frozenset({*tools, *(tool.name for tool in domain.tools)})
    return [f"{domain.id}: {fault}" for fault in _faults(domain, offered)]


def _faults(domain: Domain, offered: Collection[str]) -> Iterator[str]:
    if not (domain.id.isascii() and domain.id.isidentifier() and domain.id.islower()):
        yield _("the id is no folder name of lower-case letters")
    names = [tool.name for tool in domain.tools]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield _("two tools are called {tool}").format(tool=name)
    for tool in domain.tools:
        yield from (f"{tool.name}: {fault}" for fault in _tool_faults(tool))
    for endpoint in (one for each in domain.endpoints for one in each.every()):
        if urlsplit(endpoint.address).scheme != "https" or not endpoint.label:
            yield _("{service}: a service has a label and an address that begins with https").format(
                service=endpoint.id
            )
    if domain.settings is not None:
        titled = {info.name for info in describe(domain.settings) if info.title}
        for name in domain.settings.model_fields.keys() - titled:
            yield _("the setting {name} has no title, so nobody can change it").format(name=name)
    profiles: list[AgentProfile] = []
    if domain.resources is None:
        return  # tools for agents of others
    if not domain.resources.is_dir():
        yield _("the folder of its resources is not there: {folder}").format(folder=domain.resources)
    else:
        yield from _profile_faults(domain, offered, profiles)
        yield from _rule_faults(domain, offered, profiles)


def _tool_faults(tool: Tool) -> Iterator[str]:
    if not tool.title:
        yield _("it has no title, so a person reads its id")
    if not tool.description.strip():
        yield _("it has no docstring, so a model does not know what it is for")
    if tool.permission not in PERMISSION_CLASSES:
        kinds = ", ".join(PERMISSION_CLASSES)
        yield _("its permission is {given}, not one of {kinds}").format(given=tool.permission, kinds=kinds)
    try:
        schema = tool.parameters
    except (TypeError, ValueError, AttributeError, NameError, RuntimeError) as error:
        yield _("no schema can be made of its signature: {error}").format(error=error)
        return
    if schema.get("type") != "object" or not isinstance(schema.get("properties"), Mapping):
        yield _("its schema describes no object")
    elif schema.get("additionalProperties") is not False:
        yield _("its schema lets unknown arguments through")
    writes = tool.permission in ("app.write", "fs.write", "exec") or tool.goes_out
    if writes and tool.approval_text is None and tool.permission not in ("mcp", "exec", "net"):
        yield _("it changes something and says nothing for the approval (approval_text)")


def _profile_faults(domain: Domain, offered: Collection[str], profiles: list[AgentProfile]) -> Iterator[str]:
    assert domain.resources is not None, "looked at before"
    paths = sorted((domain.resources / PROFILES).glob("*.toml"))
    if not paths:
        yield _("there is no agent: no file in resources/{id}/profiles").format(id=domain.id)
    for path in paths:
        try:
            profile = AgentProfile.model_validate(read_toml(path.read_text(encoding="utf-8-sig")))
        except (ValueError, OSError) as error:
            yield f"{path.name}: {error}"
            continue
        profiles.append(profile)
        for field in ("name", "description"):
            texts: Mapping[str, str] = getattr(profile, field)
            if missing := [language for language in LANGUAGES if not texts.get(language)]:
                languages = ", ".join(missing)
                yield _("{file}: the {field} is missing in {languages}").format(
                    file=path.name, field=field, languages=languages
                )
        for pattern in profile.tools:
            if not any(fnmatchcase(name, pattern) for name in offered):
                yield _("{file}: there is no tool {tool}").format(file=path.name, tool=pattern)
        if not any(fnmatchcase(tool.name, pattern) for tool in domain.tools for pattern in profile.tools):
            yield _("{file}: the agent has none of the tools of its domain").format(file=path.name)


def _rule_faults(domain: Domain, offered: Collection[str], profiles: Collection[AgentProfile]) -> Iterator[str]:
    if domain.rules is None:
        return
    try:
        book: RuleBook = load_book(domain.rules, domain.slots)
    except BadInput as error:
        yield error.message
        return
    patterns = [pattern for profile in profiles for pattern, word in profile.tools.items() if word != "deny"]
    for name in sorted({call.tool for intent in book.intents for call in intent.calls}):
        if name not in offered:
            yield _("the offline rules call {tool}, which is no tool of the domain or the program").format(tool=name)
        elif not any(fnmatchcase(name, pattern) for pattern in patterns):
            yield _("the offline rules call {tool}, which none of its agents has").format(tool=name)
