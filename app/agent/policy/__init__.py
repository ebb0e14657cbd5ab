"""What a tool call may do: permissions, taint, hooks, and how much of a result the model reads.

Asked by the executor before and after each call; knows nothing of a run's context.
"""
