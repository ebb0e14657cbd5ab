"""The command line: one file per sub-command, no Qt.

`compose` builds the services and passes a command those that its keyword-only parameters name. A command prints
its result to stdout and messages to stderr, and returns an exit code (interfaces.md 2). The work is done by services.
"""
