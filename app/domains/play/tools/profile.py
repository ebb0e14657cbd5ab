"""The profile of the child: filled in by a guardian who consents, shown to a model without what is not for it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from app.core.errors import ToolError
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.cards import key_values_card
from app.domains.kit.wording import N_, listed, say_in

from ..model.child import NameKind, child_from_json
from ..model.vocabulary import CommunicationLevel, Sense, SensoryTrait
from ..rules.privacy.letters import plain_text
from ..store import CHILDREN, THE_CHILD, child

Word = Annotated[str, Field(min_length=1, max_length=200)]
Words = Annotated[list[Word], Field(max_length=40)]


class Consenting(TypedDict):
    guardian: Annotated[
        str, Field(min_length=1, max_length=80, description="who consents, as mother; no name is needed")
    ]
    agrees: Annotated[Literal[True], Field(description="that this data is kept on this computer for play")]


class Named(TypedDict):
    text: Word
    kind: NameKind


class CapacityNoted(TypedDict):
    status: Literal["emerging", "comes_and_goes", "steady", "unsure"]
    note: NotRequired[Annotated[str, Field(max_length=500)]]


def keeping(_args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Keep the child's profile on this computer, with the guardian's consent")


EXAMPLE = {"nickname": "Bean", "birth_month": "2023-05", "consent": {"guardian": "mother", "agrees": True}}


@tool("app.write", title=N_("Keep the child's profile"), approval_text=keeping, example=EXAMPLE)
async def save_child_profile(
    ctx: ToolContext,
    nickname: Annotated[str, Field(min_length=1, max_length=40, description="a nickname; no surname")],
    birth_month: Annotated[str, Field(pattern=r"^(19|20)\d\d-(0[1-9]|1[0-2])$", description="YYYY-MM")],
    consent: Consenting,
    communication_level: CommunicationLevel | None = None,
    fedc_notes: dict[Literal["1", "2", "3", "4", "5", "6", "7", "8", "9"], CapacityNoted] | None = None,
    sensory: dict[Sense, SensoryTrait] | None = None,
    likes: Words | None = None,
    dislikes: Words | None = None,
    triggers: Words | None = None,
    calms: Words | None = None,
    allergies: Words | None = None,
    medical_cautions: Words | None = None,
    private_names: Annotated[list[Named], Field(max_length=40, description="names that never leave")] | None = None,
    play_space: Annotated[str, Field(max_length=500)] = "",
    motor_notes: Annotated[str, Field(max_length=1_000)] = "",
    diagnosis: Annotated[str, Field(max_length=500)] = "",
    sends_diagnosis: bool = False,
) -> ToolResult:
    """Keep the profile a guardian has filled in. Without their consent nothing is kept. What is left out stays as it
    was; a diagnosis is never sent to a model unless the guardian has ticked it.
    """
    today = ctx.today or datetime.now(UTC).date()
    if date.fromisoformat(f"{birth_month}-01") > today:
        raise ToolError("BAD_ARGUMENTS", ctx.say("the month of birth is in the future"))
    if len(plain_text(nickname).plain.strip()) < 1:
        raise ToolError("BAD_ARGUMENTS", ctx.say("the nickname has no letters"))
    given: dict[str, Any] = {
        "communication": communication_level, "capacities": fedc_notes, "sensory": sensory, "likes": likes,
        "dislikes": dislikes, "triggers": triggers, "calms": calms, "allergies": allergies,
        "cautions": medical_cautions, "private_names": private_names, "play_space": play_space or None,
        "motor_notes": motor_notes or None, "diagnosis": diagnosis or None,
    }  # fmt: skip
    before = await CHILDREN.find(ctx, THE_CHILD)
    kept = dict(before.body) if before is not None and isinstance(before.body, Mapping) else {}
    body = {
        **kept, **{name: value for name, value in given.items() if value is not None},
        "id": THE_CHILD, "nickname": nickname.strip(), "birth_month": birth_month, "sends_diagnosis": sends_diagnosis,
        "consent": {"guardian": consent["guardian"], "date": today.isoformat(), "scope": "play"},
    }  # fmt: skip
    profile = child_from_json(body)
    await CHILDREN.put(ctx, THE_CHILD, body, base=before.version if before is not None else None)
    months = profile.age_in_months(today)
    facts = [
        (ctx.say("Age"), ctx.say("{years} years {months} months", years=months // 12, months=months % 12)),
        (ctx.say("Likes"), listed(ctx.language, profile.likes)),
        (ctx.say("Allergies"), listed(ctx.language, profile.allergies)),
        (ctx.say("Cautions"), listed(ctx.language, profile.cautions)),
        (ctx.say("Consent"), f"{profile.consent.guardian}, {profile.consent.date.isoformat()}"),
    ]
    card = key_values_card(profile.nickname, facts)
    return ToolResult.success({"id": THE_CHILD, "age_in_months": months}, ctx.say("The profile is kept"), display=card)


@tool("app.read", title=N_("Look at the child's profile"), private=True)
async def get_child_profile(ctx: ToolContext) -> ToolResult:
    """The profile with the age in months; without names, month of birth, consent record, and without a diagnosis
    unless the guardian sends it.
    """
    profile = await child(ctx)
    body = profile.for_model(ctx.today or datetime.now(UTC).date())
    return ToolResult.success(body, ctx.say("{n} months old", n=body["age_in_months"]))
