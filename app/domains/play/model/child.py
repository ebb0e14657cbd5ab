"""The profile of a child: no surname, no photo, nothing without the consent of a guardian."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

from .vocabulary import CommunicationLevel, Sense, SensoryTrait

NameKind = Literal["child", "relative", "friend", "carer", "pet", "school", "place", "other"]


@dataclass(frozen=True, slots=True)
class Consent:
    guardian: str
    """Who gave it: mother, grandfather, …; no name is needed."""
    date: date
    scope: str


@dataclass(frozen=True, slots=True)
class PrivateName:
    """A name that stays on this computer: in what leaves, a pseudonym stands in its place."""

    text: str
    kind: NameKind


@dataclass(frozen=True, slots=True)
class CapacityNote:
    status: Literal["emerging", "comes_and_goes", "steady", "unsure"] = "unsure"
    note: str = ""


@dataclass(frozen=True, slots=True)
class ChildProfile:
    id: str
    nickname: str
    birth_month: str
    """YYYY-MM."""
    consent: Consent
    pronoun: str = ""
    languages: tuple[str, ...] = ()
    communication: CommunicationLevel | None = None
    capacities: Mapping[int, CapacityNote] = field(default_factory=dict)
    sensory: Mapping[Sense, SensoryTrait] = field(default_factory=dict)
    motor_notes: str = ""
    likes: tuple[str, ...] = ()
    dislikes: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()
    calms: tuple[str, ...] = ()
    allergies: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    """Medical cautions in the guardian's words, as seizures or swallowing."""
    play_space: str = ""
    helpers: str = ""
    diagnosis: str = ""
    sends_diagnosis: bool = False
    private_names: tuple[PrivateName, ...] = ()

    def age_in_months(self, today: date) -> int:
        """Never below zero; a month counts when it has begun."""
        year, month = (int(part) for part in self.birth_month.split("-"))
        return max(0, (today.year - year) * 12 + today.month - month)

    def for_model(self, today: date) -> dict[str, Any]:
        """What a request may say of the child: an age in place of the month of birth, no consent record, no names."""
        body: dict[str, Any] = {
            "nickname": self.nickname,
            "age_in_months": self.age_in_months(today),
            "pronoun": self.pronoun,
            "languages": list(self.languages),
            "communication_level": self.communication,
            "fedc_notes": {str(k): {"status": v.status, "note": v.note} for k, v in self.capacities.items()},
            "sensory": dict(self.sensory),
            "motor_notes": self.motor_notes,
            "likes": list(self.likes),
            "dislikes": list(self.dislikes),
            "triggers": list(self.triggers),
            "calms": list(self.calms),
            "allergies": list(self.allergies),
            "medical_cautions": list(self.cautions),
            "play_space": self.play_space,
            "helpers": self.helpers,
            "diagnosis": self.diagnosis if self.sends_diagnosis else "",
        }
        return {key: value for key, value in body.items() if value not in ("", None, [], {})}


def child_from_json(body: Mapping[str, Any]) -> ChildProfile:
    """Of a stored profile. Raises KeyError, TypeError or ValueError where it is none."""
    consent = body["consent"]
    texts = {name: tuple(str(one) for one in body.get(name, ())) for name in _LISTS}
    plain = {name: str(body.get(name, "")) for name in _TEXTS}
    profile = ChildProfile(
        str(body["id"]), str(body["nickname"]), str(body["birth_month"]),
        Consent(str(consent["guardian"]), date.fromisoformat(consent["date"]), str(consent["scope"])),
        communication=body.get("communication"),
        capacities={
            int(number): CapacityNote(noted["status"], noted.get("note", ""))
            for number, noted in body.get("capacities", {}).items()
        },
        sensory=dict(body.get("sensory", {})), sends_diagnosis=body.get("sends_diagnosis") is True,
        private_names=tuple(PrivateName(str(one["text"]), one["kind"]) for one in body.get("private_names", ())),
        languages=texts["languages"], likes=texts["likes"], dislikes=texts["dislikes"], triggers=texts["triggers"],
        calms=texts["calms"], allergies=texts["allergies"], cautions=texts["cautions"], pronoun=plain["pronoun"],
        motor_notes=plain["motor_notes"], play_space=plain["play_space"], helpers=plain["helpers"],
        diagnosis=plain["diagnosis"],
    )  # fmt: skip
    profile.age_in_months(date(2000, 1, 1))
    return profile


_LISTS = ("languages", "likes", "dislikes", "triggers", "calms", "allergies", "cautions")
_TEXTS = ("pronoun", "motor_notes", "play_space", "helpers", "diagnosis")
