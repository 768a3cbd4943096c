"""Reproducers of former defects, as they were reported: README.md names for each the rule that prevents its class."""
