"""The data of a run: events, messages, plan, model requests, prices. `view` folds it, `analysis` measures it."""
