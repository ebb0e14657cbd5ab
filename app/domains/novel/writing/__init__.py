"""Writing a chapter by its plan: what a step's request holds, and how what comes becomes a version."""
