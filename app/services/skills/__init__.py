"""Skills: text that says how a piece of work is done, switched on per agent."""
