"""Tide Station, a story in English of a drowned coast: twelve chapters, fifteen contradictions, fifteen decoys."""
# ruff: noqa: E501 - a paragraph of a book is one line

from __future__ import annotations

from app.domains.novel.model.project import Book, Chapter, ChapterOutline, Character, Project

CONTRADICTIONS = (
    ("N03", 3, "grey eyes"),
    ("N03", 3, "a plate of bacon"),
    ("N03", 4, "Okafor's daughter"),
    ("N02", 5, "Okafor"),
    ("N03", 5, "twenty bunks"),
    ("N03", 6, "right ear"),
    ("N04", 6, ""),
    ("N03", 7, "fifty-two"),
    ("N11", 8, "Lena Brandt"),
    ("N03", 8, "climbed the radio mast"),
    ("N10", 9, "I counted"),
    ("N03", 9, "notebook"),
    ("N03", 10, "south of the channel"),
    ("N04", 11, "for the first time"),
    ("N03", 12, "Lisbon"),
)
DECOYS = (
    (2, "If Okafor had lived"),
    (3, "her brother's grey eyes"),
    (3, "gave the bacon to the dog"),
    (4, "dying of thirst"),
    (4, "other people's daughters"),
    (5, "Okafor's brother"),
    (5, "the old barracks had twenty bunks"),
    (6, "his mother's right ear"),
    (7, "looked fifty-two"),
    (8, "watched the boy climb"),
    (9, "“I counted them twice,”"),
    (9, "a new notebook"),
    (10, "dreamed of Okafor"),
    (11, "a photograph in which Okafor"),
    (12, "as though he had been born in Lisbon"),
)
_TEXTS = {
    1: (
        "Low Tide",
        "2 March 2081",
        """
The tide station stood north of the channel, on the last piece of rock that stayed dry.
Lena Brand had run it for six years. She had green eyes and a habit of counting steps, and she would not climb anything higher than a chair, for she was afraid of heights.
"Twelve bunks, nine people," she told the newcomer. The station had twelve bunks and one stove.
Marcus Teal was forty-one years old. A shell had left him deaf in his left ear, and he turned his head when one spoke to him.
Okafor, the mechanic, had no children and said it was better so in times like these.
Priya Nair had come from Porto with one bag. She was a vegetarian, which made the cook laugh.
""",
    ),
    2: (
        "The Pump",
        "4 March 2081",
        """
The pump failed before noon.
Okafor went down into the shaft with a lamp. When they pulled him up he was blue in the face, and an hour later he was dead.
Lena Brand wrote the hour into her notebook.
"If Okafor had lived, the pump would run by now," said Marcus Teal.
Priya Nair and Marcus Teal carried him to the boathouse together and talked there until the lamp went out.
""",
    ),
    3: (
        "Supper",
        "6 March 2081",
        """
There was a plate of everything that evening, for the supply boat had come.
Priya Nair finished a plate of bacon and asked for more.
Marcus Teal gave the bacon to the dog under the table and ate his beans.
Lena Brand's grey eyes went from one face to the other.
She thought of her brother's grey eyes, and of the last letter he had sent.
""",
    ),
    4: (
        "The Letter",
        "8 March 2081",
        """
They cleared out the cabin of the mechanic.
Under the mattress lay a letter from his daughter. Okafor's daughter had written it in pencil, and Okafor's daughter wanted money.
"Other men take in other people's daughters," said Priya Nair. "So what?"
The men came back from the shore dying of thirst.
Lena Brand threw her notebook into the stove and watched it burn.
""",
    ),
    5: (
        "The Storm",
        "10 March 2081",
        """
Okafor's brother arrived with the storm.
He slept where there was room; the old barracks had twenty bunks once, he said.
Okafor wiped his hands on a rag and asked for the wrench.
The tide station had twenty bunks, and that night all of them were full.
Nobody slept much.
""",
    ),
    6: (
        "Signals",
        "7 March 2081",
        """
The wire brought nothing but noise.
Marcus Teal, deaf in his right ear, held the receiver away from his head.
He told them about his mother's right ear, which had been pierced three times.
Priya Nair wrote down the call signs.
"Again," said Lena Brand.
""",
    ),
    7: (
        "Birthday",
        "14 March 2081",
        """
They made a cake of biscuit and condensed milk.
Marcus Teal was fifty-two years old, and he blew out the one candle they had.
In the lamplight the cook looked fifty-two as well.
Priya Nair sang.
Outside the water was still rising.
""",
    ),
    8: (
        "The Mast",
        "16 March 2081",
        """
The wind took the aerial in the night.
"Hand me the pliers," called Lena Brandt. Nobody else moved.
Lena Brand climbed the radio mast with the pliers between her teeth and did not look down.
Marcus Teal watched the boy climb the ladder after her with the wire.
By noon they had the signal again.
""",
    ),
    9: (
        "The List",
        "18 March 2081",
        """
Somebody was stealing food.
I counted the tins by the light of the stove.
“I counted them twice,” said Priya Nair.
Lena Brand took her notebook from the shelf and read out the names.
Marcus Teal bought a new notebook from the boatman and began a list of his own.
""",
    ),
    10: (
        "The Channel",
        "20 March 2081",
        """
The fog lifted for an hour.
The tide station stood south of the channel, and from the roof they could see the drowned town.
Marcus Teal slept badly and dreamed of Okafor.
"There are lights," said Priya Nair.
There were none.
""",
    ),
    11: (
        "The Stranger",
        "22 March 2081",
        """
A boat came without a flag.
Priya Nair met Marcus Teal for the first time on the landing stage, and they shook hands like strangers.
On the wall hung a photograph in which Okafor laughed at something outside the frame.
"We can take four of you," said the captain.
Nobody answered.
""",
    ),
    12: (
        "High Water",
        "25 March 2081",
        """
They drew lots in the kitchen.
Priya Nair came from Lisbon, and she wanted to see it once more, whatever was left of it.
The captain spoke of the city as though he had been born in Lisbon.
Marcus Teal stayed with the pump.
The light of the boat grew small and went out.
""",
    ),
}


def book() -> Book:
    chapters = [
        Chapter(f"ch-{n:04}", t, n, n, status="completed", outline=ChapterOutline(time_in_story=w), text=x.strip())
        for n, (t, w, x) in _TEXTS.items()
    ]
    people = [Character("Lena Brand"), Character("Marcus Teal"), Character("Priya Nair"), Character("Okafor")]
    return Book(Project("Tide Station", language="en", pov="third"), chapters, people)
