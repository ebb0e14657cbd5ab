"""The built-in agents' trades, one folder each: their tools, rules and data.

The registry of tools comes in and reads each folder's `TOOLS`. A domain knows core only and no other domain; who runs
a tool, asks for permission or paints its card is left to the floors above. To take a domain away, delete its folder,
its profile and its line in the registry.
"""
