"""From a model to a linear system: operating point, exact matrices, open loops."""
