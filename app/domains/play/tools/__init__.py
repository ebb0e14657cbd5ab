"""The tools: each reads its arguments, calls a rule, finds the words."""
