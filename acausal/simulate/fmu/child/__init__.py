"""The process in which an FMU runs. Only these modules and the standard library are loaded there."""
