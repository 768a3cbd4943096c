"""A run from the first instant to the last row.

`run` goes from output time to output time, over events and changes of states; `solver_driver` has the solver in
between, through as many output times per call as take little time, and begins it again where `stuck_restarts` lets it.
`solver_pool` holds what one run leaves for the next (a system with its arrays, the solver, rows, settings, the first
instant for the same parameters); each thread takes one, and a run that failed leaves nothing. The numbers are the same
to the bit.

Where a choice of states has alternatives, its quality is judged every few steps in machine code
(`system/state_monitor`). When it is ill-conditioned, `switch_states` goes back to states that the run has had, if
these are good there, as others must be compiled; else it asks for the code with the dummies that are best at that point
(`codegen/native/state_sets`). Values go over by position (`system/state_transfer`). Results are segments, stored as
the first program stores them.
"""
