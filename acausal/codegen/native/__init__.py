"""Machine code around programs: events, inputs, Jacobians, batches, sweeps."""
