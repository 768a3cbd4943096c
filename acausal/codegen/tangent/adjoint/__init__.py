"""Programs for the adjoint equations of a model: gradients of one number by many parameters.

    der(y) = f(t, y, p)      G = g(y(T), p)      -der(w) = f_y' w,  w(T) = g_y'
    dG/dp  = g_p + y0_p' w(0) + integral of f_p' w

The run forwards records what f_y and f_p read; the run backwards, over the time that is left, reads it.
(Y. Cao, S. Li, L. Petzold, R. Serban, SIAM J. Sci. Comput. 24, 2003, pages 1076-1089.)
"""
