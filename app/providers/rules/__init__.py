"""The offline rules: from a question to tool calls and an answer, without a language model.

Only `providers/rules/model.py` comes in. A rule book (resources/<id>/offline.toml) says what to look for in a question,
which tools to call and how to word the answer; the files here read it and carry it out. They know numbers, dates, money
and negation, and nothing of a trade: its words stand in the book, its readers and names come from the domain. The
conversation, the stream and the tools themselves are left to others.

    extract   numbers, money, dates, words as slots          picking   "the second one"
    template  answers with values, loops and conditions      book      the rule book, checked
    understanding  question + history → intent and slots     working   calls due, results at hand
"""
