"""Conversations in and out of the program: our own JSON, Markdown, and what other programs export.

The services come in with bytes or messages and get documents or text back. Whatever comes from
outside is checked whole before anything is made of it. Files, archives and rows are left to
`services/exchange/transfer.py` and `storage/maintenance/session_transfer.py`.
"""
