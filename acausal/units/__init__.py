"""Units and dimensions: table, parser, inference and check on the flat model."""
