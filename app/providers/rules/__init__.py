"""The offline rules: from a question to tool calls and an answer, without a language model.

Only `providers/rules/model.py` comes in. A rule book (resources/offline/<agent>.toml) says what to
look for in a question, which tools to call and how to word the answer; the files here read it
and carry it out. The conversation, the stream and the tools themselves are left to others.

    text      one spelling for all, word patterns            numerals  3, 三, three, 1.5万
    places    the names in the shipped data                  extract   days, party, money, dates …
    template  answers with values, loops and conditions      book      the rule book, checked
    understanding  question + history → intent and slots     working   calls due, results at hand
"""
