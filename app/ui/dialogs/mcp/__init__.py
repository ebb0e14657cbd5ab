"""MCP servers: list, form, review before the first start, tools, log."""
