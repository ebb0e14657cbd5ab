"""Providers: list, form, connection test, models and their traits."""
