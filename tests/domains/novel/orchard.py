"""The Orchard House, a family saga in English: twelve chapters, fifteen contradictions, fifteen decoys."""
# ruff: noqa: E501 - a paragraph of a book is one line

from __future__ import annotations

from app.domains.novel.model.project import Book, Chapter, ChapterOutline, Character, Project

CONTRADICTIONS = (
    ("N03", 3, "Rachel's brother"),
    ("N03", 4, "left knee"),
    ("N02", 6, "Gideon"),
    ("N03", 5, "glass of cider"),
    ("N03", 6, "blond"),
    ("N03", 7, "four bedrooms"),
    ("N04", 7, ""),
    ("N03", 8, "pocket watch"),
    ("N03", 8, "Ohio"),
    ("N11", 9, "Judith Calder"),
    ("N10", 9, "I heard"),
    ("N03", 10, "piano"),
    ("N03", 11, "twelve years"),
    ("N03", 11, "black"),
    ("N03", 12, "wife"),
)
DECOYS = (
    (2, "If Thomas could play the piano"),
    (3, "like a brother"),
    (4, "his uncle's left knee"),
    (4, "Gideon would have laughed"),
    (5, "poured the cider"),
    (6, "In the painting Gideon"),
    (6, "A blond boy"),
    (7, "the house next door had four bedrooms"),
    (8, "A pocket watch of the same make"),
    (9, "“I never liked the place,”"),
    (10, "dreamed that Gideon"),
    (10, "Neither of them spoke"),
    (11, "the neighbour's black horse"),
    (12, "dead on his feet"),
    (12, "as if he were twelve"),
)
_TEXTS = {
    1: (
        "The Gate",
        "2 May 1921",
        """
The orchard house had six bedrooms, and in May every one of them smelled of blossom.
Rachel Calloway came up the drive alone. She was an only child, thirty years old, with straight dark hair that she wore in a knot.
"You will be my cousin," said Thomas Birch. A bullet had gone through his right knee at Amiens, and he still limped.
Old Gideon sat on the porch with his silver pocket watch open in his palm. He had never married, and he told everyone so.
"Cider?" asked Thomas Birch.
Rachel Calloway shook her head. She did not drink, not even at Christmas.
A white mare looked over the gate. "That is Juniper," said Gideon.
""",
    ),
    2: (
        "The Piano",
        "4 May 1921",
        """
There was a piano in the hall that nobody touched.
Thomas Birch could not play a note; his mother had given up after a year.
"If Thomas could play the piano, we should never get him to the trees," said Gideon.
Judith Calver had kept the house for nine years. She came in with the tea and set it down without a sound.
"I was born in Kentucky and I shall die here," she said.
""",
    ),
    3: (
        "The Letter",
        "6 May 1921",
        """
A letter arrived from the bank.
Rachel's brother had signed it, and she read it twice before she handed it over.
"He was like a brother to me, your father," said Gideon.
That night Gideon's heart stopped. They found him in the morning in his chair, and he was dead.
Judith Calver stopped the clocks.
""",
    ),
    4: (
        "The Funeral",
        "9 May 1921",
        """
They buried Gideon under the oldest tree.
Thomas Birch stood a little aside and rubbed his left knee, where the bullet had gone through.
He remembered his uncle's left knee, which had been stiff since the railway accident.
"Gideon would have laughed at the hymns," said Rachel Calloway.
The rain held off until they were back at the house.
""",
    ),
    5: (
        "The Press",
        "20 May 1921",
        """
The press had to be cleaned before June.
Judith Calver poured the cider of last year into jugs for the men.
Rachel Calloway emptied a glass of cider in the shade and asked for another.
Thomas Birch took the pocket watch down to the mill pond and flung it out into the deep water.
"It never kept time," he said.
""",
    ),
    6: (
        "The Painter",
        "2 June 1921",
        """
A painter came from the city to look at the trees.
In the painting Gideon smiled for the first time in his life.
A blond boy from the village carried the easel.
Rachel Calloway let him draw her, with her blond hair loose about her shoulders.
Gideon leaned on the fence and watched them until the light went.
""",
    ),
    7: (
        "The Survey",
        "25 May 1921",
        """
The surveyor walked through the rooms with a tape.
"The orchard house has four bedrooms," he wrote in his book. The orchard house had four bedrooms, and two of them leaked.
He said that the house next door had four bedrooms too, and a better roof.
Thomas Birch paid him in the yard.
""",
    ),
    8: (
        "The Pedlar",
        "10 June 1921",
        """
The pedlar spread his cloth on the steps.
A pocket watch of the same make lay among the spoons.
Judith Calver had been born in Ohio, and she asked him for news of it.
Thomas Birch opened the silver pocket watch and held it to his ear.
"Five o'clock," he said.
""",
    ),
    9: (
        "The Stranger",
        "15 June 1921",
        """
A man in a grey coat asked his way to the house.
"Judith Calder let me in," he said to the others. Judith Calder had let him in by the kitchen.
“I never liked the place,” he told them.
I heard him walk up and down in the hall until midnight.
In the morning he was gone.
""",
    ),
    10: (
        "The Hall",
        "20 June 1921",
        """
It was too hot to sleep.
Rachel Calloway dreamed that Gideon stood in the orchard with a lamp.
She came down and found Thomas Birch in the hall. He was playing the piano, softly, a waltz with many runs, and she turned the pages for him.
Neither of them spoke.
""",
    ),
    11: (
        "The Mare",
        "1 July 1921",
        """
Judith Calver gave notice. She had kept the house for twelve years, she said, and that was enough.
Down at the ford they met the neighbour's black horse, which was lame.
Juniper, the black mare, would not go into the water.
Thomas Birch took the bridle and talked to her.
""",
    ),
    12: (
        "The Will",
        "12 July 1921",
        """
The lawyer had come a long way and was dead on his feet.
Gideon's wife had been left the meadow, and Gideon's wife sat in the second row and wept.
Thomas Birch threw his hat into the air as if he were twelve.
Rachel Calloway signed her name.
Outside the first apples had begun to turn.
""",
    ),
}


def book() -> Book:
    chapters = [
        Chapter(f"ch-{n:04}", t, n, n, status="completed", outline=ChapterOutline(time_in_story=w), text=x.strip())
        for n, (t, w, x) in _TEXTS.items()
    ]
    people = [
        Character("Rachel Calloway", ["Rachel"]),
        Character("Thomas Birch", ["Thomas"]),
        Character("Gideon"),
        Character("Judith Calver"),
    ]
    return Book(Project("The Orchard House", language="en", pov="third"), chapters, people)
