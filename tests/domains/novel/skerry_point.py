"""Skerry Point, a crime story of twelve chapters in English: fifteen contradictions, fifteen decoys."""
# ruff: noqa: E501 - a paragraph of a book is one line

from __future__ import annotations

from app.domains.novel.model.project import Book, Chapter, ChapterOutline, Character, Project, WorldNote

CONTRADICTIONS = (
    ("N02", 4, "Harlan Pike laughed"),
    ("N03", 3, "green eyes"),
    ("N03", 5, "forty-one"),
    ("N03", 4, "her sister"),
    ("N03", 6, "left cheek"),
    ("N03", 6, "swam"),
    ("N04", 6, ""),
    ("N03", 7, "lit a cigarette"),
    ("N03", 8, "brass key"),
    ("N02", 9, "Dr. Voss"),
    ("N11", 9, "Elinor Marsch"),
    ("N10", 10, "I watched"),
    ("N04", 10, "met for the first time"),
    ("N03", 11, "eastern"),
    ("N03", 12, "right hand"),
)
DECOYS = (
    (3, "would have swum"),
    (3, "Harlan Pike had taught"),
    (4, "dead tired"),
    (4, "The late Harlan Pike"),
    (5, "I don't trust"),
    (5, "Harlan Pike smiled"),
    (6, "his cousin"),
    (7, "held the cigarette"),
    (7, "green glass eyes"),
    (8, "a key just like"),
    (8, "Ned Calloway was dead"),
    (9, "in his left hand"),
    (10, "Dr. Voss's coat"),
    (11, "he was nine years old"),
    (12, "ghost"),
)
_TEXTS = {
    1: (
        "The Ferry",
        "3 October",
        """
The lighthouse of Skerry Point stood on the western cliff, and its lamp could be seen from the mainland.
Elinor Marsh came over on the last ferry. She was thirty-four years old, an only child, and she had her mother's brown eyes.
"You'll be the inspector," said Harlan Pike, the keeper. He held out his hand.
"I will be, when I have slept."
Ned Calloway carried her bag up the path. He had a long scar on his right cheek, and he wrote her name into the book with his left hand.
"Can you swim, Mr. Calloway?" she asked, looking at the water.
"Never learned. My father drowned, and after that nobody would teach me."
Dr. Voss waited in the kitchen. He did not smoke and could not bear it in others; the window stood open although it rained.
On the wall hung a brass key, the only key to the lamp room.
""",
    ),
    2: (
        "The Stairs",
        "4 October",
        """
They found Harlan Pike at the foot of the stairs before breakfast.
Dr. Voss knelt beside him for a long time. "He is dead," he said at last. "His neck is broken."
Elinor Marsh wrote down the hour. Ned Calloway stood in the doorway and turned his cap in his hands.
"Who was the last to see him?" she asked.
Nobody answered. Upstairs the lamp was still burning.
""",
    ),
    3: (
        "Low Water",
        "5 October",
        """
The tide was out when they searched the rocks.
Elinor Marsh looked up at the gallery, and the light made her green eyes narrow.
"If I could, I would have swum across last night and fetched help," said Ned Calloway.
Harlan Pike had taught him to read the weather, he said, years ago, when both of them were boys.
Dr. Voss found a button between the stones. He put it into his waistcoat pocket and said nothing about it.
""",
    ),
    4: (
        "The Widow",
        "6 October",
        """
Mrs. Pike had been dead tired and had slept through everything.
"The late Harlan Pike was not an easy man," said Dr. Voss, "but he was honest."
Elinor Marsh wrote a letter to her sister that night and tore it up again.
Harlan Pike laughed and put another log on the fire. "It will snow before morning," he said.
Ned Calloway looked at the clock. The wind had turned to the north.
""",
    ),
    5: (
        "The Photograph",
        "8 October",
        """
On the mantelpiece stood a photograph in which Harlan Pike smiled beside his first boat.
"I don't trust any of them," Elinor Marsh said aloud, to nobody.
She was forty-one years old and had learned to say such things only in empty rooms.
Dr. Voss threw the brass key from the gallery into the sea. It was gone before anyone could stop him.
"Now nobody goes up," he said.
""",
    ),
    6: (
        "The Boat",
        "7 October",
        """
The boat had broken loose in the night.
Ned Calloway jumped in after it and swam to the mooring with long, calm strokes.
When he climbed out, water ran over the scar on his left cheek.
Even his cousin, who had come with the mail, had to admire it.
Elinor Marsh gave him her coat. "You might have told me," she said.
""",
    ),
    7: (
        "Smoke",
        "10 October",
        """
Dr. Voss stepped out onto the gallery and lit a cigarette.
Elinor Marsh had found one on the stairs. She held the cigarette up against the lamp: it had never been lit.
The stuffed owl on the shelf looked down with green glass eyes.
"You are sure it was an accident?" she asked.
"I am sure of nothing any more," said Dr. Voss.
""",
    ),
    8: (
        "The Lamp Room",
        "12 October",
        """
It was said in the village that Ned Calloway was dead, lost with the mail boat, but it was only said.
Elinor Marsh took the brass key from its hook and opened the lamp room.
Ned Calloway came up the stairs behind her, wet and very much alive.
"The smith has a key just like it," he said, "for the church."
In the lamp room Dr. Voss was lying on the floor with a knife in his chest. He had died within the hour.
""",
    ),
    9: (
        "The Inquest",
        "14 October",
        """
The inquest was held in the school.
"Nothing was taken," said Elinor Marsch. "Nothing was even touched."
Ned Calloway carried the bag in his left hand and the lantern in his right.
Dr. Voss stood up and asked to be heard. "I have a statement to make," he said.
The coroner closed the book.
""",
    ),
    10: (
        "The Ledger",
        "15 October",
        """
Dr. Voss's coat still hung behind the kitchen door.
I watched her go through the pockets one by one.
There was a button in the waistcoat, and a letter.
That evening Elinor Marsh and Ned Calloway met for the first time, in the bar of the Anchor, and neither of them knew what to say.
Outside the rain had stopped.
""",
    ),
    11: (
        "The Cliff",
        "17 October",
        """
Mrs. Pike told her the rest. When Ned Calloway was a boy, he was nine years old, he had seen a man fall from the gallery.
The lighthouse stood on the eastern cliff, black against the evening.
"He never spoke of it," said Mrs. Pike.
Elinor Marsh folded the letter and put it away.
""",
    ),
    12: (
        "The Lamp",
        "19 October",
        """
The children of the village believe that the ghost of Harlan Pike still climbs the stairs.
Ned Calloway signed the confession with his right hand, slowly, as he had always written.
Elinor Marsh took the first ferry. The lamp went out behind her, and nobody lit it again.
"You knew," said the ferryman.
"I knew," she said.
""",
    ),
}


def book() -> Book:
    chapters = [
        Chapter(
            f"ch-{n:04}", title, n, n, status="completed", outline=ChapterOutline(time_in_story=when), text=text.strip()
        )
        for n, (title, when, text) in _TEXTS.items()
    ]
    people = [
        Character("Elinor Marsh"),
        Character("Ned Calloway"),
        Character("Harlan Pike"),
        Character("Dr. Voss"),
        Character("Mrs. Pike"),
    ]
    world = [WorldNote("brass key", "item"), WorldNote("lighthouse", "place")]
    return Book(Project("Skerry Point", language="en", pov="third"), chapters, people, world)
