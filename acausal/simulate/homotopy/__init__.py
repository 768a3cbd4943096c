"""Solutions of equations from afar: homotopies and their continuation, least squares, verification."""
