"""Results of runs: variables by name, files, plots, animations."""
