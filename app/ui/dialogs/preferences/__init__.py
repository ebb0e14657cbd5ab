"""App-wide settings, the first run and message templates."""
