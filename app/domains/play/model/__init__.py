"""The child, what was observed, plans and sessions: data only, no tool and no wording."""
