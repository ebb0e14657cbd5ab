"""Triptych: a desktop window for agents.

The code has floors, and each imports only from the floors below it: `core`, then `agent`, `providers`, `tools`,
`domains` and `storage` side by side, then `services`, then `ui` and `cli`, then `compose` and `main`, which build
everything once. Start reading in `app.main`; the import contracts are in `pyproject.toml`.
"""
