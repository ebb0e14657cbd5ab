"""Widgets of a message: prose, code, tables, formulas, pictures."""
