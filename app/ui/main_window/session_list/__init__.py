"""The left pane: the list of sessions, the search over all of them, sessions out to files and in."""
