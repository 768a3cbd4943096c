"""Connect statements to connection sets and equations."""
