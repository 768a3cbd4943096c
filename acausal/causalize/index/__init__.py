"""Index reduction and selection of states."""
