"""The local API (interfaces.md 5): HTTP over the same services as the window, and nothing of Qt."""
