"""Verify, salvage and relocate a database; sessions in and out as documents."""
