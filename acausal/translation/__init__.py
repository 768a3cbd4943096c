"""A translated model, for Python users: what the stages found, its program, runs, and analyses of them.

`translated_model` is the model with the ways to translate it again. `simulation`, `views`, `sweeps`, `linearization`,
`sensitivities`, `optimization` and `mechanism` add methods to it: each checks its arguments and calls a folder or
module that is imported then.
"""

from acausal.translation.translation import Translation

__all__ = ["Translation"]
