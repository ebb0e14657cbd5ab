"""The data of a session: summary, branches, search terms, templates."""
