"""What a person marked while reading, from Readwise or a file, in the program's own store.

read   csv, Markdown, JSON and clippings to `Highlight`s      readwise  the same by its API
library  stored and searched by words
"""
