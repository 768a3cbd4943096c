"""Variables that equal others up to the sign."""
