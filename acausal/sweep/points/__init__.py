"""Values of the runs: ranges and lists, tables, designs of experiments, distributions, inputs that differ."""
