"""Steps without CVODE: of fixed length, and through time alone."""
