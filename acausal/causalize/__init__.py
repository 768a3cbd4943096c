"""From flat equations to a plan of solution steps."""
