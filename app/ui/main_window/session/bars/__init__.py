"""What stands above the composer for the open session: questions of the agent, budgets, facts to keep, the folder."""
