"""Codes become words here, once, in the user's language: errors, reasons, notices, what a run does, figures.

For the window and the command line alike; nobody else knows a sentence. Light on purpose (no events): the
window needs it before its first paint.
"""
