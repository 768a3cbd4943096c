"""Solutions of equations from afar: whole steps, least squares, homotopies and their paths, verification."""
