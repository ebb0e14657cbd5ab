"""Encrypted backups at a place of the person's own, and what of them is brought together here."""
