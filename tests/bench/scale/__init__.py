"""How translation and simulation grow with the size of a model: families of models over decades of N."""
