"""Array variables and equations to scalar ones."""
