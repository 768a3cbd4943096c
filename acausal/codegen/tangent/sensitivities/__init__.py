"""Programs that compute derivatives with respect to parameters beside the values.

The variational equations are further states:

    der(y) = f(t, y, p)          S = dy/dp          der(S) = f_y S + f_p

State i has its slope along parameter k at n + k*n + i of the states. Discrete variables, delayed values and hoisted
expressions have slopes of their own, too; at an event the slope of its time is a discrete value (`Slopes.time`).
(T. Maly, L. R. Petzold, Appl. Numer. Math. 20, 1996, pages 57-79: states and slopes by one solver; S. Galan,
W. F. Feehery, P. I. Barton, Appl. Numer. Math. 31, 1999, pages 17-47: events.)
"""
