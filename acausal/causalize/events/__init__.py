"""Relations, discrete variables, samples and delays as known values of the continuous equations."""
