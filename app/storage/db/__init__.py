"""The SQLite database of a data folder: connections, schema, migrations, ownership, backups."""
