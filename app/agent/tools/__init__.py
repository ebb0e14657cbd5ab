"""Runs the tool calls of one message: gate, execution, results."""
