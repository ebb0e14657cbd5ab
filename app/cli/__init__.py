"""The command line: one file per sub-command, nothing of Qt.

`compose` builds the services and hands a command those that its keyword-only parameters name. A command prints to
stdout what was asked for and to stderr what is said about it, and returns an exit code (interfaces.md 2). What is done
is left to the services.
"""
