"""The chat: the list of rows, the composer below it, finding in it.

The presenter hands in row items and deltas; out come signals (a link, an action on a row).
Knows no run, no session and no other pane.
"""
