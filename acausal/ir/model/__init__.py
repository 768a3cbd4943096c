"""Classes and instances: the types between the syntax tree and the flat model."""
