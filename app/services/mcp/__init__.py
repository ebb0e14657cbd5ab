"""MCP servers as a user sets them up, and their tools for agents."""
