"""Which product a line of an inquiry means: features of texts, an index over a list, scores in parts, a decision.

Everything here is computed the same way each time and says why. Nothing asks a model.
"""
