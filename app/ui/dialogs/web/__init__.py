"""The page of the settings on which a person says how the web is searched."""
