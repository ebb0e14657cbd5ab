"""MCP servers read from whatever a person pastes: JSON, TOML, YAML, a command, an address, or a README around them.

`reading` finds the form; the readers of the forms give names with raw values (`found.Found`); `entry` makes of each a
server that can be set up, or says what is wrong with that one. Nothing here starts, fetches or resolves anything.
"""
