"""The left pane: the list of sessions, its search, and what one does with a session there.

Gets rows, emits wishes (open, rename, bin …). Which session is open and what happens to one is
decided above.
"""
