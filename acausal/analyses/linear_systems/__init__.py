"""Linear systems: responses, modes, margins, reduction."""
