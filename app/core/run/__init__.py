"""The data of a run: events, messages, plan, model requests, costs, and their folds."""
