"""The ground floor: the words of a run as data, and the seams the other floors meet at.

Everyone may come in; core itself imports the standard library and pydantic only. Events,
messages, settings, tools and errors are declared here. What is done with them – running,
storing, showing – is left to the floors above.
"""

from .system.quick_dataclasses import quicken_dataclasses

quicken_dataclasses()
