"""The kinds of result files: a writer that takes rows as they come, and a reader, for each."""
