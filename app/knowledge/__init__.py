"""Documents of the person: read in a process of their own, cut into passages, ranked for a question.

The service `app/services/knowledge` comes in; rows are `app/storage/knowledge`. No network, no model, no SQL.
"""
