"""Texts of `acausal explain NAME` for the functions of the language: the meaning, and an example of the form."""

FUNCTIONS: dict[str, tuple[str, str]] = {
    "sin": ("The sine of an angle in rad.", "y = sin(2*pi*50*time)"),
    "cos": ("The cosine of an angle in rad.", "x = r*cos(phi)"),
    "tan": ("The tangent of an angle in rad.", "h = d*tan(phi)"),
    "asin": ("The inverse sine, from -pi/2 to pi/2.", "phi = asin(h/l)"),
    "acos": ("The inverse cosine, from 0 to pi.", "phi = acos(x/r)"),
    "atan": ("The inverse tangent, from -pi/2 to pi/2.", "phi = atan(y/x)"),
    "atan2": ("The angle of the point (x, y), from -pi to pi: atan2(y, x).", "phi = atan2(y, x)"),
    "sinh": ("The hyperbolic sine.", "y = sinh(x)"),
    "cosh": ("The hyperbolic cosine.", "y = a*cosh(x/a)"),
    "tanh": ("The hyperbolic tangent.", "y = tanh(k*x)"),
    "exp": ("The exponential function.", "i = IS*(exp(u/VT) - 1)"),
    "log": ("The natural logarithm.", "n = log(x)"),
    "log10": ("The logarithm to the base 10.", "dB = 20*log10(x)"),
    "linexp": ("x up to 0, exp(x) - 1 above; the inverse of linlog.", "y = linexp(x)"),
    "linlog": ("x up to 0, log(1 + x) above; the inverse of linexp.", "y = linlog(x)"),
    "sqrt": ("The square root.", "w = sqrt(c/m)"),
    "abs": ("The absolute value; where the sign changes, an event is located.", "F = c*abs(v)*v"),
    "sign": ("-1, 0 or 1; where the sign changes, an event is located.", "F = F0*sign(v)"),
    "floor": ("The greatest integer that is not above x; each change is an event.", "n = floor(phi/(2*pi))"),
    "ceil": ("The least integer that is not below x; each change is an event.", "n = ceil(x)"),
    "mod": ("The remainder x - y*floor(x/y), which has the sign of y.", "s = mod(time, T)"),
    "min": (
        "The least of several numbers, or of the elements of an array. As an attribute: the lower bound of a value.",
        "y = min(x, 1)\nparameter R (min=0)",
    ),
    "max": (
        "The greatest of several numbers, or of the elements of an array. As an attribute: the upper bound of a value.",
        "y = max(x, 0)\nparameter e (max=1)",
    ),
    "noevent": (
        "An expression whose relations are evaluated directly, without locating an event where they switch.",
        "y = noevent(max(x, 0))",
    ),
    "interp": (
        "Interpolation between points: interp(x, xs, ys). Words behind them name a method, "
        '"linear", "smooth" (a monotone curve), "spline" or "nearest" (jumps are events), and "extrapolate" continues '
        "the ends by lines instead of holding the end values.",
        'y = interp(x, [0, 1, 2], [0, 5, 6])\nz = interp(x, [0, 1, 2], [0, 5, 6], "spline", "extrapolate")',
    ),
    "interp2": (
        "Interpolation over two variables: interp2(x, y, xs, ys, Z), where Z has a row for each of xs and a column for "
        'each of ys. Methods are "linear", "spline" and "nearest"; "extrapolate" continues lines.',
        "e = interp2(w, tau, [0, 100], [0, 5, 10], [0.5, 0.6, 0.5; 0.7, 0.9, 0.8])",
    ),
    "table": (
        "Interpolation between the points in the first two columns of a CSV file beside the model, with the methods of "
        "interp.",
        'p = table("pump.csv", q)',
    ),
    "table2": (
        "Interpolation over two variables, with the methods of interp2: a CSV file beside the model has the abscissas "
        "of the first variable in its first column, those of the second in its first row.",
        'e = table2("efficiency.csv", w, tau)',
    ),
    "transpose": ("The transpose of a matrix.", "B = transpose(A)"),
    "skew": ("The matrix with which the cross product is skew(u)*v = cross(u, v).", "W = skew([w1, w2, w3])"),
    "diag": ("The matrix with a vector on its diagonal and zeros elsewhere.", "J = diag([J1, J2, J3])"),
    "norm": ("The Euclidean norm of a vector.", "s = norm(rb - ra)"),
    "trace": ("The sum of the diagonal of a square matrix.", "t = trace(A)"),
    "inverse": ("The inverse of a square matrix; inverse(A)*b is solved as a linear system.", "x = inverse(A)*b"),
    "sum": ("The sum of all elements of an array.", "Q = sum(q)"),
    "product": ("The product of all elements of an array.", "p = product(x)"),
    "dot": ("The inner product of two vectors.", "P = dot(F, v)"),
    "cross": ("The cross product of two vectors of three elements.", "t = cross(r, F)"),
    "outer": ("The outer product of two vectors: the matrix of all products.", "A = outer(u, v)"),
    "identity": ("The identity matrix of n rows.", "E = identity(3)"),
    "zeros": ("An array of zeros with these dimensions.", "x = zeros(3)\nA = zeros(2, 3)"),
    "ones": ("An array of ones with these dimensions.", "k = ones(n)"),
    "size": ("The dimensions of an array as a vector, or one of them.", "n = size(A, 1)"),
}
