"""The dimensions of interest, the capacities of DIR and the senses, by their ids and names."""

from __future__ import annotations

from typing import Literal

from app.core.text.i18n import N_

Dimension = Literal["visual", "auditory", "tactile", "motor", "construction", "order", "cognitive", "social"]
Category = Literal["leverage", "explore", "avoid", "neutral"]
Sense = Literal["visual", "auditory", "tactile", "vestibular", "proprioceptive", "oral", "smell"]
SensoryTrait = Literal["seeks", "avoids", "mixed", "unsure"]
CommunicationLevel = Literal["pre-verbal", "words", "phrases", "sentences"]
Environment = Literal["indoor", "outdoor", "both"]

DIMENSIONS: dict[Dimension, str] = {
    "visual": N_("Looking"),
    "auditory": N_("Listening"),
    "tactile": N_("Touching"),
    "motor": N_("Moving"),
    "construction": N_("Building"),
    "order": N_("Ordering"),
    "cognitive": N_("Thinking"),
    "social": N_("Being together"),
}
SENSES: dict[Sense, str] = {
    "visual": N_("Seeing: light, colours, movement"),
    "auditory": N_("Hearing: noise, music, voices"),
    "tactile": N_("Touch: sand, paint, labels, hugs"),
    "vestibular": N_("Balance: swinging, turning, being upside down"),
    "proprioceptive": N_("Strength: pushing, jumping, tight squeezes"),
    "oral": N_("Mouth: chewing, tasting, blowing"),
    "smell": N_("Smell"),
}
TRAITS: dict[SensoryTrait, str] = {
    "seeks": N_("looks for it"),
    "avoids": N_("avoids it"),
    "mixed": N_("sometimes this, sometimes that"),
    "unsure": N_("not sure"),
}
LEVELS: dict[CommunicationLevel, str] = {
    "pre-verbal": N_("before words"),
    "words": N_("single words"),
    "phrases": N_("two or three words together"),
    "sentences": N_("sentences"),
}
CATEGORIES: dict[Category, str] = {
    "leverage": N_("build on it"),
    "explore": N_("try it out"),
    "avoid": N_("leave it for now"),
    "neutral": N_("open"),
}
CAPACITIES: dict[int, str] = {
    1: N_("Self-regulation and interest in the world"),
    2: N_("Engaging and relating"),
    3: N_("Two-way communication"),
    4: N_("Shared problem solving"),
    5: N_("Symbols and ideas about feelings"),
    6: N_("Connecting ideas, logical thinking"),
    7: N_("Several causes"),
    8: N_("Shades of feeling"),
    9: N_("A sense of self"),
}
"""Capacities, not a ladder: gaps are normal and they vary by state and partner."""
