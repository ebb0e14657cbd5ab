"""Facts over sessions: which of them fit a question, and which statements are worth one.

The service `app/services/memory` comes in; the rows are `app/storage/stores/facts.py`. Pure text and numbers: no SQL,
no model, no network.
"""
