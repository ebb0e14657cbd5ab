"""The reflection rounds of an answer: one frame, a row for each, and what a row unfolds to."""
