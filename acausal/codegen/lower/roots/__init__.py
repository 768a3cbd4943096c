"""Root functions: their derivatives, phases, and what stands in for them beside jumps and poles."""
