"""Words codes in the user's language: errors, reasons, notices, activities, figures.

Shared by window and command line; no other room writes sentences. It imports no events, because the window needs it
before its first paint.
"""
