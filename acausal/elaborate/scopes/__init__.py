"""Names of instances, their parameters and bindings."""
