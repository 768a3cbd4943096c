"""A ladder of sections as a linear model: -2 on the diagonal, 1 beside it, -1 at the open end."""


def ladder_text(sections: int, tap: int) -> str:
    """The text of the model; its output is the state of section `tap`."""
    return f"""model Ladder
  constant N={sections}
  input u
  local x[N] (start=0)
  output y
  der(x[1]) = u - 2*x[1] + x[2]
  for k = 2 to N - 1
    der(x[k]) = x[k - 1] - 2*x[k] + x[k + 1]
  endfor
  der(x[N]) = x[N - 1] - x[N]
  y = x[{tap}]
end
"""
