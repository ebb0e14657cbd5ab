"""The disk: sessions and runs in SQLite, settings and profiles in TOML, keys in the system's keyring.

Services come in here, one store at a time. Everything is asynchronous on the outside and has
one thread inside; what the window needs before its first paint (`start.py`, `settings.py`) is
plain and quick. What the stored things mean is left to `core`, what is done with them to the
services.
"""
