"""The offline rules: from a question to tool calls and an answer, without a language model.

`model.py` is the entry point. A rule book (resources/<id>/offline.toml) says what to look for in a question,
which tools to call and how to word the answer. The engine knows numbers, dates, money and negation; words of a trade
are in its book, its readers and names come from the domain.

    extract   numbers, money, dates, words as slots          picking   "the second one"
    template  answers with values, loops and conditions      book      the rule book, checked
    understanding  question + history → intent and slots     working   calls due, results so far
"""

OFFLINE = "offline/rules"
"""How the model is named where a model is chosen."""
