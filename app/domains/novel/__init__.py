"""The Novel studio: a book kept consistent while it is written, in plain files of the author's.

`model` is the book as data; `reading` takes in books of others; `store` keeps the book in its folder; `continuity`
checks it without a model; `planning` checks plans of chapters; `export` writes the book out; `tools` find the words.
"""
