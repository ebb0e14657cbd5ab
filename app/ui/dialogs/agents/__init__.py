"""Settings of the agents: list, form and its editors."""
