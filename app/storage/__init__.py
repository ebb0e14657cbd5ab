"""The disk: sessions and runs in SQLite, settings and profiles in TOML, keys in the system's keyring.

Services use one store at a time. The interface is asynchronous with one thread inside; what the window needs before
its first paint (`stores/session_preview.py`, `config/settings.py`) is synchronous and quick. `core` defines the stored
values, services decide what to do with them.
"""
