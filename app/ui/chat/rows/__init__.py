"""The rows of the chat: one kind of row, one file.

`items` are the facts, the other files paint them. A row knows its own facts and nothing of its
neighbours; it reports what the person did by signals.
"""
