"""The initial system and start values."""
