"""What the tools of the workspace work with: texts with their bytes, changes, the journal of a run."""
