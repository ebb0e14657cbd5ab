"""What the author's own cards say, as sentences that stand before the book."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.project import Book, Chapter, Character
from .sentences import StorySentence, sentences_of

CARD = "card:"
"""Begins the id of the chapter that a card stands for; the name of the person follows."""


def of_cards(book: Book) -> Iterator[StorySentence]:
    for who in book.characters:
        if text := _text_of(who):
            yield from sentences_of(Chapter(f"{CARD}{who.name}", text=text))
    for note in book.world:
        if note.text.strip():
            yield from sentences_of(Chapter(CARD, text=note.text))


def _text_of(who: Character) -> str:
    is_english = who.name.isascii()
    lines = [who.description, who.background, who.notes, who.role]
    if age := who.age.strip().removesuffix("岁"):
        lines.append(f"{who.name} is {age} years old." if is_english else f"{who.name}今年{age}岁。")
    for one in who.relationships:
        if one.name and one.type and not is_english:
            lines.append(f"{one.name}是{who.name}的{one.type}。")
    return "\n".join(filter(None, (line.strip() for line in lines)))
