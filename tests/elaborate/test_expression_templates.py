"""What is recorded of a text and done again (`elaborate/scopes/expression_templates`) is what the walker makes of it.

Expected values are formulas; for examples the walker itself is asked.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from acausal.base.diagnostics import ModelError
from acausal.base.options import TranslateOptions
from acausal.elaborate.classes.library import load
from acausal.elaborate.functions.template_recorder import RecordingPool
from acausal.elaborate.model.flatten import flatten
from acausal.elaborate.model.instantiate import instantiate
from acausal.elaborate.scopes import expression_templates as templates
from acausal.ir.ast import Expression
from acausal.ir.expr import Expr
from acausal.ir.pool import Pool
from acausal.pipeline import translate

EXAMPLES = Path(__file__).parents[2] / "examples"


def ends(file: Path, *names: str) -> list[float]:
    """The last values of a run to t = 1."""
    result = translate(file).simulate(stop=1)
    return [float(result[name][-1]) for name in names]


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Writes a file and gives its path."""

    def files(text: str, name: str = "m.mdl") -> Path:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return files


def flat_text(file: Path) -> list[str]:
    """Equations, values of parameters and conditions of the flat model, with their places."""
    options = TranslateOptions()
    tree, world = instantiate(load(file, options), options)
    flat = flatten(tree, world)
    equations = [f"{e.left} = {e.right} {e.derivatives} {e.origin}" for e in (*flat.equations, *flat.initial_equations)]
    return [*equations, *map(repr, flat.parameters), *map(repr, flat.conditions), *map(repr, flat.whens)]


def by_walker(make: templates.Make, nodes: tuple[Expression, ...], scope: object) -> tuple[Expr, ...]:
    """In the place of `templates._made`."""
    return make(*nodes, scope)


@pytest.mark.parametrize("name", ["double_pendulum", "bricard", "h_bridge", "hydraulic_lift"])
def test_templates_make_what_the_walker_makes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = EXAMPLES / f"{name}.mdl"
    with monkeypatch.context() as patched:
        patched.setattr(templates, "_made", by_walker)
        expected = flat_text(file)
    do, done = templates._done, 0

    def counted(template: templates._Template, leaves: Sequence[Expr], pool: Pool) -> tuple[Expr, ...]:
        nonlocal done
        done += 1
        return do(template, leaves, pool)

    monkeypatch.setattr(templates, "_done", counted)
    for _ in range(3):
        assert flat_text(file) == expected
    assert done > len(expected) / 4


def test_all_methods_of_the_pool_are_recorded() -> None:
    """But those that make leaves by name: rules for expressions do not call them."""
    making = {
        name
        for part in Pool.__mro__
        for name, member in vars(part).items()
        if getattr(member, "__annotations__", {}).get("return") is Expr
    }
    public = {name for name in making if not name.startswith("_")}
    assert public - set(vars(RecordingPool)) == {"frozen", "parameter", "variable"}


def test_a_position_that_is_a_parameter(write: Callable[..., Path]) -> None:
    numbers = [1, 2, 3, 1, 2, 3, 3, 1]
    instances = ", ".join(f"a{i}(k={k})" for i, k in enumerate(numbers))
    file = write(f"""model class A
  parameter integer k
  local x[3]
  terminal y
  x = [1, 2, 3]*time
  y = x[k] + sum(x[1:k])
end
model M
  submodel (A) {instances}
end
""")
    expected = [k + sum(range(k + 1)) for k in numbers]
    for _ in range(3):
        assert ends(file, *[f"a{i}.y" for i in range(len(numbers))]) == pytest.approx(expected)


def test_shapes_and_loops(write: Callable[..., Path]) -> None:
    file = write("""model class A
  parameter integer n
  local x[n]
  terminal y
  for i = 1 to n
    x[i] = i*time
  endfor
  y = x*x
end
model M
  submodel (A) a(n=1), b(n=2), c(n=3), d(n=3), e(n=2), f(n=3)
end
""")
    for _ in range(3):
        assert ends(file, "a.y", "b.y", "c.y", "d.y", "e.y", "f.y") == pytest.approx([1, 5, 14, 14, 5, 14])


def test_numbers_and_conditions_under_one_name(write: Callable[..., Path]) -> None:
    file = write("""model class Number
  terminal k
  k = time
end
model class Truth
  terminal boolean k
  k = time > 0.5
end
model class Both <Inner = Number>
  submodel (Inner) a, b
  terminal boolean same
  same = a.k == b.k
end
model M
  submodel (Both<Number>) n1, n2, n3
  submodel (Both<Truth>) t1, t2, t3
  local y
  y = if n3.same and t3.same then 1 else 0
end
""")
    for _ in range(3):
        assert ends(file, "y") == [1]


def test_two_names_of_one_variable(write: Callable[..., Path]) -> None:
    file = write("""model class Same
  external g
end
model class Other
  terminal g
  g = 2*time
end
model class Around <Inner = Other>
  internal g
  submodel (Inner) i
  terminal y
  g = time
  y = i.g - g
end
model M
  submodel (Around<Same>) a, b, c
  submodel (Around<Other>) d, e, f
end
""")
    for _ in range(3):
        assert ends(file, "a.y", "b.y", "c.y", "d.y", "e.y", "f.y") == pytest.approx([0, 0, 0, 1, 1, 1])


def test_a_variable_that_is_a_derivative_elsewhere(write: Callable[..., Path]) -> None:
    file = write("""model class Speed
  terminal a
  a = der(q) - w
end
model class (Speed) Ladder
  cut C (q, w = der(q) / .)
  q = time^2
end
model class (Speed) Plain
  local q, w
  q = time^2
  w = time
end
model M
  submodel (Ladder) l1, l2, l3
  submodel (Plain) p1, p2, p3
end
""")
    for _ in range(3):
        assert ends(file, "l1.a", "l3.a", "p1.a", "p3.a") == pytest.approx([0, 0, 1, 1])


def test_a_function_of_another_file(write: Callable[..., Path]) -> None:
    write("model class A\n  terminal y\n  y = f(time)\nend\n", "a.lib")
    text = "@a.lib\nfunction f(x) = {}*x\nmodel M\n  submodel (A) a, b, c\nend\n"
    for factor in (2, 3, 2, 5):
        file = write(text.format(factor), f"m{factor}.mdl")
        assert ends(file, "a.y", "c.y") == pytest.approx([factor, factor])


def test_a_table_that_changes(write: Callable[..., Path]) -> None:
    class_ = 'model class A\n  terminal y\n  y = table("t.csv", time)\nend\n'
    file = write(f"{class_}model M\n  submodel (A) a, b, c, d\nend\n")
    for last in (2, 7):
        write(f"0,0\n1,{last}\n", "t.csv")
        assert ends(file, "a.y", "d.y") == pytest.approx([last, last])


def test_a_mistake_in_a_later_instance(write: Callable[..., Path]) -> None:
    good = ", ".join(f"a{i}(k=2)" for i in range(5))
    file = write(f"""model class A
  parameter integer k
  local x[2]
  x = [1, 2]*time + [x[k], 0]/4
end
model M
  submodel (A) {good}
  submodel (A) wrong(k=3)
end
""")
    for _ in range(3):
        with pytest.raises(ModelError) as caught:
            translate(file)
        (told,) = caught.value.report.diagnostics
        assert told.primary is not None
        assert (told.code, told.message, told.primary.span.text) == ("T005", "x has no element 3", "k")
