"""Records of a run: rows by segments, events, and conditions that are evaluated with the rows."""
