"""Values of expressions: their types and shapes, arrays, and what is known during translation."""
