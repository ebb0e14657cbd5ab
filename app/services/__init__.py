"""What a user can do, without a window.

The window, the command line and the local API come in here and nowhere further down. Each
service is one noun – chat, sessions, runs, settings, tools – and takes the rooms it needs
through its constructor. Drawing is left to `ui`, printing to `cli`.
"""
