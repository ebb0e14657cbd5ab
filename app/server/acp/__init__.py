"""The agents for editors that speak the Agent Client Protocol, over standard streams.

`agent` answers the protocol's methods, `question` reads what was sent, `turn` shows one run, `asking` asks the person.
"""
