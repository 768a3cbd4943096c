"""Templates of the functions of a model in C, and their texts."""
