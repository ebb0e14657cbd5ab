"""How files of exported sessions are named."""

SESSION_FILE = ".triptych"
"""A session as JSON, or an archive of several or of one with its files: the system opens it with this program."""
