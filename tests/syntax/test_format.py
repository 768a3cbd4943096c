"""`fmt` keeps every word and comment, and a second time changes nothing."""

from random import Random

import pytest

from acausal.base.diagnostics import ModelError
from acausal.base.source import SourceFile
from acausal.syntax.format import fmt
from acausal.syntax.parser import parse
from acausal.syntax.tree.unparse import unparse

from .listings import LISTINGS
from .random_tree import RandomTree
from .test_round_trip import noisy


def source(text: str) -> SourceFile:
    return SourceFile("text.mdl", text)


def comments(text: str) -> list[str]:
    return [comment.text for comment in parse(source(text)).comments]


@pytest.mark.parametrize("seed", range(200))
def test_random_text(seed: int) -> None:
    text = noisy(unparse(RandomTree(seed).file()), Random(seed))
    once = fmt(source(text))
    assert parse(source(once)).file == parse(source(text)).file
    assert comments(once) == comments(text)
    assert fmt(source(once)) == once
    assert not any(line != line.rstrip() for line in once.split("\n") if "{" not in text)


@pytest.mark.parametrize("name", sorted(LISTINGS))
def test_listing(name: str) -> None:
    once = fmt(source(LISTINGS[name]))
    assert parse(source(once)).file == parse(source(LISTINGS[name])).file
    assert fmt(source(once)) == once


UNTIDY = """\
{ top }


model class  A{c1}
 {own}
parameter  R=5 {a}
local x ( start=1 )=2*x,  {bb}
y
 cut A(v/ -i),B (. / - f[6] ),c [ a b ]; main   path <A - B>;
  if x>3 then
  x  =-  y*( - a  )+ 3 -b ^ - 2;;  y=[1,2;3 , 4]
  else
  {last in else}



z=f( 3, -x) + a[1 :3]
  endif
  connect a to b-c, \\ d at ( n1,n2 ) ,
      e:f . g at h
 model class D<T=B<C>>
 submodel ( E<F>) g( p = 1)(ic u = 0)
 end
end
{ bye }"""

TIDY = """\
{ top }


model class A  {c1}
  {own}
  parameter R=5           {a}
  local x (start=1)=2*x,  {bb}
        y
  cut A (v / -i), B (. / -f[6]), c [a b]; main path <A - B>
  if x > 3 then
    x = -y*(-a) + 3 - b^-2; y = [1, 2; 3, 4]
  else
    {last in else}


    z = f(3, -x) + a[1:3]
  endif
  connect a to b - c, \\d at (n1, n2),
      e:f.g at h
  model class D<T=B<C>>
    submodel (E<F>) g(p=1) (ic u=0)
  end
end
{ bye }
"""


def test_untidy_text_becomes_tidy() -> None:
    assert fmt(source(UNTIDY)) == TIDY


@pytest.mark.parametrize("name", ["capacitor", "book"])
def test_the_style_of_the_listings_is_kept(name: str) -> None:
    assert fmt(source(LISTINGS[name])) == LISTINGS[name]


def test_a_text_with_mistakes_is_refused() -> None:
    with pytest.raises(ModelError):
        fmt(source("model A\nx == 1\nend"))
