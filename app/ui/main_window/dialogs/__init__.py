"""The dialogs opened over the window, each once."""
