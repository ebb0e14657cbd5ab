"""The command palette and the message templates."""
