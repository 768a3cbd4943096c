"""Runs of programs with slopes (`codegen/tangent/sensitivities`): what happens to slopes at events."""
