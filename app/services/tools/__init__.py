"""Which tools exist and which an agent has: built in, from plug-ins, granted."""
