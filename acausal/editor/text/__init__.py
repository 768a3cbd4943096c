"""Documents and what their names mean: units of text parsed one by one, mentions of names, the project around."""
