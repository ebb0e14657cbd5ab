"""A report: its text with numbered passages, its sources, and how sure each claim is."""
