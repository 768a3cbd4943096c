"""Classes become instances: every submodel with its values, parameters bound in the enclosing class.

submodel (resistor) R(R=2*k)      the parameter R.R, bound to 2*k of the enclosing instance
"""

from acausal.base.diagnostics import ModelError
from acausal.base.options import TranslateOptions
from acausal.elaborate.classes.choose_model import chosen_class
from acausal.elaborate.classes.class_lookup import Classes
from acausal.elaborate.connections.connect import Cutting, connect
from acausal.elaborate.expressions.all_errors import AllMistakes
from acausal.elaborate.model.instance_builder import InstanceBuilder
from acausal.elaborate.scopes.known_unknown import bindings_of_freed, find_known_unknown, followers
from acausal.elaborate.scopes.overrides import check_overrides
from acausal.elaborate.scopes.parameters import Parameters
from acausal.elaborate.scopes.scope import World
from acausal.ir.flat_connections import Loop
from acausal.ir.model.classes import ClassUse, Library
from acausal.ir.model.instance import Instance, JoinedSet, Tree
from acausal.ir.pool import Pool


def instantiate(library: Library, options: TranslateOptions, *, open_parameters: bool = False) -> tuple[Tree, World]:
    """The tree of the model that the options name, and what its scopes share.

    With `open_parameters` a parameter may be without value, as in a class that is examined by itself.
    """
    unknown = frozenset(options.unknown)
    while True:
        tree, world = _tree(library, options, unknown, open_parameters)
        following = followers(world.parameters, unknown) if unknown else frozenset()
        if not following:
            return tree, world
        unknown |= following


def _tree(
    library: Library, options: TranslateOptions, unknown: frozenset[str], open_parameters: bool
) -> tuple[Tree, World]:
    """The tree, with the parameters `unknown` as variables."""
    pool = Pool()
    mistakes = AllMistakes()
    classes = Classes(library, options.limits, mistakes)
    world = World(pool, classes, options.limits, Parameters(open_parameters), mistakes)
    try:
        return _built(library, world, options, unknown), world
    except ModelError as error:
        mistakes.add(error)
        mistakes.report()
        raise


def _built(library: Library, world: World, options: TranslateOptions, unknown: frozenset[str]) -> Tree:
    pool, classes, mistakes = world.pool, world.classes, world.mistakes
    chosen, notes = chosen_class(library, options.model)
    builder = InstanceBuilder(world, options, unknown)
    root = Instance(classes.template(ClassUse(chosen)), ())
    builder.need_room(root.template)
    builder.build([(root, (root.template.use,))])
    joined = connect(builder.instances, world)
    if mistakes and (options.known or options.unknown or options.parameters):
        mistakes.report()
    sets, loops = _closed(builder, root, *joined) if not mistakes else ((), ())
    check_overrides(builder.bindings.given, world.parameters.symbols, builder.unknown)
    roles = find_known_unknown(pool, builder.instances, options)
    bindings, guesses = bindings_of_freed(builder.freed, roles)
    return Tree(pool, root, tuple(builder.instances), sets, loops, roles, notes, bindings, guesses)


def _closed(
    builder: "InstanceBuilder", root: Instance, sets: tuple[JoinedSet, ...], cuttings: tuple[Cutting, ...]
) -> tuple[tuple[JoinedSet, ...], tuple[Loop, ...]]:
    """The sets with loops closed; what does it is loaded only where cuts name closing classes."""
    if not cuttings and all(end.cut.closing is None for joined in sets for end in joined.cuts):
        return sets, ()
    from acausal.elaborate.connections.close_loops import close_loops

    return close_loops(builder.instances, sets, cuttings, builder.world, lambda s: builder.add(root, s))
