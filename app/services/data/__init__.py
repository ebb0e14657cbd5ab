"""The data folder for a user: sessions, search, backups, first start."""
