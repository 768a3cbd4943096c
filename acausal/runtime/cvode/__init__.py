"""CVODE: functions that it calls, its Jacobians, and the structure that they work on."""
