"""The profile of the child: filled in by a guardian who consents, shown to a model without what is not for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from app.core.errors import ToolError
from app.core.ids import new_id
from app.core.tools.card import Card, CardAction
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.cards import as_answer, key_values_card
from app.domains.kit.wording import N_, listed, say_in

from ..model.child import ChildProfile, NameKind, child_from_json
from ..model.vocabulary import LEVELS, SENSES, TRAITS, CommunicationLevel, Sense, SensoryTrait
from ..rules.privacy.letters import plain_text
from ..store import CHILDREN, THE_CHILD, child, stored_child

Word = Annotated[str, Field(min_length=1, max_length=200)]
Words = Annotated[list[Word], Field(max_length=40)]
PRIVATE: dict[str, NameKind] = {"family": "relative", "friends": "friend", "schools": "school", "places": "place"}
"""Arguments that hold names, and what kind of name."""
TEXTS = {
    "nickname": N_("Nickname, no surname"),
    "birth_month": N_("Month of birth, YYYY-MM"),
    "guardian": N_("Who consents, as mother or grandfather"),
    "communication_level": N_("How the child speaks"),
    "likes": N_("Likes"),
    "dislikes": N_("Dislikes"),
    "triggers": N_("What upsets"),
    "calms": N_("What calms"),
    "allergies": N_("Allergies"),
    "medical_cautions": N_("Medical cautions, as seizures or swallowing"),
    "motor_notes": N_("Moving: what is easy, what is hard"),
    "play_space": N_("Where you play: room, floor, how much space"),
    "family": N_("Names of the family"),
    "friends": N_("Names of friends and pets"),
    "schools": N_("Kindergarten, school, therapy centre"),
    "places": N_("Places you would name"),
    "diagnosis": N_("Diagnosis, if you want to note one"),
}
ONE_TEXT = ("nickname", "birth_month", "guardian", "diagnosis", "motor_notes", "play_space")
NEVER_SENT = N_("Never sent to a model: a stand-in takes its place.")


class CapacityNoted(TypedDict):
    status: Literal["emerging", "comes_and_goes", "steady", "unsure"]
    note: NotRequired[Annotated[str, Field(max_length=500)]]


def keeping(_args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Keep the child's profile on this computer, with the guardian's consent")


EXAMPLE = {"nickname": "Bean", "birth_month": "2023-05", "guardian": "mother", "consents": True}


@tool("app.read", title=N_("Fill in the child's profile"), private=True)
async def open_child_profile(ctx: ToolContext) -> ToolResult:
    """Show the form by which a guardian consents and fills in the child's profile themselves. Nothing typed there goes
    to a model. Use it before anything else where there is no profile, and to change the profile.
    """
    profile = await stored_child(ctx.documents) if ctx.documents is not None else None
    text = ctx.say("The form is open: a guardian fills it in, no model reads it")
    fields = list(_fields(ctx, profile))
    names = tuple(dict.fromkeys(str(field["name"]).partition(".")[0] for field in fields))
    save = CardAction(
        "save", ctx.say("Consent and keep"), "save_child_profile", {}, "primary", fills=names
    )  # fmt: skip
    note = ctx.say(
        "What you write here stays on this computer: play ideas need an age and a nickname, no more. Names never leave;"
        " without your consent nothing is kept, and you can export or delete everything at any time. This is no"
        " treatment, no test and no diagnosis."
    )
    actions = [save]
    if profile is not None:
        label = ctx.say("To delete everything kept of the child, type the nickname")
        fields.append({"name": "confirm_text", "label": label, "kind": "text", "value": ""})
        actions += [
            CardAction("export", ctx.say("Export everything"), "export_child_data", {"format": "pdf"}),
            CardAction("export.data", ctx.say("Export for programs"), "export_child_data", {"format": "json"}),
            CardAction(
                "delete", ctx.say("Delete everything"), "delete_child_data", {}, "danger", fills=("confirm_text",)
            ),
        ]
    card = Card("form", {"id": new_id(), "title": ctx.say("Profile and consent"), "note": note, "fields": fields})
    return ToolResult.success({"open": True}, text, display=as_answer(card, text, actions))


@tool("app.write", title=N_("Keep the child's profile"), approval_text=keeping, example=EXAMPLE)
async def save_child_profile(
    ctx: ToolContext,
    nickname: Annotated[str, Field(min_length=1, max_length=40, description="a nickname; no surname")],
    birth_month: Annotated[str, Field(pattern=r"^(19|20)\d\d-(0[1-9]|1[0-2])$", description="YYYY-MM")],
    guardian: Annotated[
        str, Field(min_length=1, max_length=80, description="who consents, as mother; no name is needed")
    ],
    consents: Annotated[bool, Field(description="that this data is kept on this computer for play")],
    communication_level: CommunicationLevel | None = None,
    fedc_notes: dict[Literal["1", "2", "3", "4", "5", "6", "7", "8", "9"], CapacityNoted] | None = None,
    sensory: dict[Sense, SensoryTrait] | None = None,
    likes: Words | None = None,
    dislikes: Words | None = None,
    triggers: Words | None = None,
    calms: Words | None = None,
    allergies: Words | None = None,
    medical_cautions: Words | None = None,
    family: Annotated[Words, Field(description="names that never leave")] | None = None,
    friends: Words | None = None,
    schools: Words | None = None,
    places: Words | None = None,
    play_space: Annotated[str, Field(max_length=500)] | None = None,
    motor_notes: Annotated[str, Field(max_length=1_000)] | None = None,
    diagnosis: Annotated[str, Field(max_length=500)] | None = None,
    sends_diagnosis: bool = False,
) -> ToolResult:
    """Keep the profile a guardian has filled in. Without their consent nothing is kept. What is left out stays as it
    was; a diagnosis is never sent to a model unless the guardian has ticked it.
    """
    if not consents:
        raise ToolError("NO_CONSENT", ctx.say("without the guardian's consent nothing is kept"))
    today = ctx.today or datetime.now(UTC).date()
    if date.fromisoformat(f"{birth_month}-01") > today:
        raise ToolError("BAD_ARGUMENTS", ctx.say("the month of birth is in the future"))
    if len(plain_text(nickname).plain.strip()) < 1:
        raise ToolError("BAD_ARGUMENTS", ctx.say("the nickname has no letters"))
    answers: dict[str, Any] = {
        "communication": communication_level, "capacities": fedc_notes, "sensory": sensory, "likes": likes,
        "dislikes": dislikes, "triggers": triggers, "calms": calms, "allergies": allergies,
        "cautions": medical_cautions, "play_space": play_space, "motor_notes": motor_notes,
        "diagnosis": diagnosis,
    }  # fmt: skip
    before = await CHILDREN.find(ctx, THE_CHILD)
    stored = dict(before.body) if before is not None and isinstance(before.body, Mapping) else {}
    names = {"family": family, "friends": friends, "schools": schools, "places": places}
    body = {
        **stored, **{name: value for name, value in answers.items() if value is not None},
        "id": THE_CHILD, "nickname": nickname.strip(), "birth_month": birth_month, "sends_diagnosis": sends_diagnosis,
        "private_names": list(_private_names(stored.get("private_names", []), names)),
        "consent": {"guardian": guardian, "date": today.isoformat(), "scope": "play"},
    }  # fmt: skip
    profile = child_from_json(body)
    await CHILDREN.put(ctx, THE_CHILD, body, base=before.version if before is not None else None)
    return _stored_profile(ctx, profile, profile.age_in_months(today))


def _stored_profile(ctx: ToolContext, profile: ChildProfile, months: int) -> ToolResult:
    facts = [
        (ctx.say("Age"), ctx.say("{years} years {months} months", years=months // 12, months=months % 12)),
        (ctx.say("Likes"), listed(ctx.language, profile.likes)),
        (ctx.say("Allergies"), listed(ctx.language, profile.allergies)),
        (ctx.say("Cautions"), listed(ctx.language, profile.cautions)),
        (ctx.say("Consent"), f"{profile.consent.guardian}, {profile.consent.date.isoformat()}"),
    ]
    text = ctx.say("The profile is kept")
    change = CardAction("change.profile", ctx.say("Change the profile"), "open_child_profile")
    card = as_answer(key_values_card(profile.nickname, facts), text, [change])
    return ToolResult.success({"id": THE_CHILD, "age_in_months": months}, text, display=card)


@tool("app.read", title=N_("Look at the child's profile"), private=True)
async def get_child_profile(ctx: ToolContext) -> ToolResult:
    """The profile with the age in months; without names, month of birth, consent record, and without a diagnosis
    unless the guardian sends it.
    """
    profile = await child(ctx)
    body = profile.for_model(ctx.today or datetime.now(UTC).date())
    return ToolResult.success(body, ctx.say("{n} months old", n=body["age_in_months"]))


def _private_names(before: Any, given: Mapping[str, list[str] | None]) -> Iterable[dict[str, str]]:
    """A list that is given takes the place of the one there was."""
    kinds = {PRIVATE[name] for name, words in given.items() if words is not None}
    for one in before if isinstance(before, list) else ():
        if isinstance(one, Mapping) and one.get("kind") not in kinds:
            yield {"text": str(one.get("text", "")), "kind": str(one.get("kind", "other"))}
    for name, words in given.items():
        yield from ({"text": word, "kind": PRIVATE[name]} for word in words or ())


def _fields(ctx: ToolContext, profile: ChildProfile | None) -> Iterable[dict[str, Any]]:
    values = _known(profile) if profile is not None else {}
    for name, label in TEXTS.items():
        if name == "family":
            yield from _senses(ctx, profile)
        kind = "text" if name in ONE_TEXT else "list"
        field: dict[str, Any] = {"name": name, "label": ctx.say(label), "kind": kind, "value": values.get(name, "")}
        if name == "communication_level":
            options = [{"id": level, "label": ctx.say(words)} for level, words in LEVELS.items()]
            field |= {"kind": "choice", "options": options}
        if name in ("nickname", "birth_month", "guardian"):
            field["required"] = True
        if name in PRIVATE or name in ("nickname", "diagnosis"):
            field["hint"] = ctx.say(NEVER_SENT)
        yield field
    sends = ctx.say("The diagnosis may be sent to the model")
    yield {"name": "sends_diagnosis", "label": sends, "kind": "tick", "value": values.get("sends_diagnosis", False)}
    consent = ctx.say("I am the guardian and agree that this is kept on this computer for play")
    yield {"name": "consents", "label": consent, "kind": "tick", "value": False, "required": True}


def _senses(ctx: ToolContext, profile: ChildProfile | None) -> Iterable[dict[str, Any]]:
    options = [{"id": trait, "label": ctx.say(words)} for trait, words in TRAITS.items()]
    senses = dict(profile.sensory) if profile is not None else {}
    for sense, label in SENSES.items():
        yield {
            "name": f"sensory.{sense}", "label": ctx.say(label), "kind": "choice", "options": options,
            "value": senses.get(sense, ""),
        }  # fmt: skip


def _known(profile: ChildProfile) -> dict[str, Any]:
    names = {name: [one.text for one in profile.private_names if one.kind == kind] for name, kind in PRIVATE.items()}
    return {
        **names, "nickname": profile.nickname, "birth_month": profile.birth_month,
        "guardian": profile.consent.guardian, "communication_level": profile.communication or "",
        "likes": list(profile.likes), "dislikes": list(profile.dislikes), "calms": list(profile.calms),
        "triggers": list(profile.triggers), "motor_notes": profile.motor_notes, "play_space": profile.play_space,
        "allergies": list(profile.allergies), "medical_cautions": list(profile.cautions),
        "diagnosis": profile.diagnosis, "sends_diagnosis": profile.sends_diagnosis,
    }  # fmt: skip
