"""Agents of other programs as agents of ours, over the Agent Client Protocol (client side).

`program` is the process, `link` the connection with one session, `turn` one question: what the agent sends becomes the
events of a run, what it asks for goes through the gate of every tool call. `tools` are the calls it can make.
"""
