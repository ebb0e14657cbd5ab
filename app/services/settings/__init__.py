"""Preferences and agent profiles: read leniently, checked, written whole."""
