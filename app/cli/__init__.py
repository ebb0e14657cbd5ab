"""The command line: one file per sub-command, nothing of Qt.

`__main__` comes in with the arguments and the services. A command prints to stdout what was
asked for and to stderr what is said about it, and returns an exit code (interfaces.md 2). What
is done is left to the services.
"""
