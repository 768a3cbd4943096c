"""The large campaigns: seeded inputs by the thousand, of which pytest runs a share and `tests.long` all.

Input k of a campaign is made from `Random(f"{name} {k}")`, so each failure can be repeated by itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tests.branches.campaign import driven_beside_states
from tests.branches.struck import struck_in_centers
from tests.damage import check_changed
from tests.domains.random_transistors import transistors_obey_kirchhoff
from tests.equivalent.campaign import equivalent
from tests.events.diode_networks import network_agrees, network_runs
from tests.events.families import families_agree
from tests.events.test_ball import never_through_the_floor
from tests.events.test_friction_chain import a_chain
from tests.hybrid.campaign import hybrid
from tests.hybrid.restored import restored
from tests.hybrid.swept import swept_hybrid
from tests.long.fits import control_is_best, intervals_hold
from tests.long.pinocchio_robots import robots_as_in_pinocchio
from tests.long.pinocchio_trees import a_tree_as_in_pinocchio
from tests.mechanism.test_formulations import formulations_agree
from tests.mechanism.test_parameters import rules_agree, spatial_arms_agree
from tests.mechanism.test_structure import structure_as_built
from tests.models.test_revolutions import a_thousand_times
from tests.models.test_robot import with_other_loads
from tests.multibody.test_friction import a_rubbing_tree
from tests.multibody.test_locks import a_caught_tree
from tests.multibody.test_trees import a_random_tree
from tests.random_systems.check import ran, solved
from tests.random_systems.jacobian import differentiated
from tests.random_systems.mechanism_sensitivities import sensitivities_of_mechanisms
from tests.random_systems.sensitivities import sensitivities_of_random_systems
from tests.random_systems.sweeps import swept
from tests.results.damaged import damaged_results
from tests.structure.large import structure_agrees
from tests.sweep.killed import killed_sweep
from tests.syntax.damage import characters_changed, models_put_together, tokens_changed
from tests.threads import run_in_threads, translate_in_threads


@dataclass(frozen=True, slots=True)
class Campaign:
    """`run` makes one input and tries it; AssertionError or any other exception is a failure."""

    run: Callable[[Random], None]
    share: int
    full: int


CAMPAIGNS = {
    "parser, tokens changed": Campaign(tokens_changed, 1500, 450_000),
    "parser, characters changed": Campaign(characters_changed, 1500, 450_000),
    "parser, models put together": Campaign(models_put_together, 200, 100_000),
    "check, models changed": Campaign(check_changed, 300, 100_000),
    "events, balls never through the floor": Campaign(never_through_the_floor, 30, 1000),
    "relations, networks of diodes": Campaign(network_agrees, 4, 300),
    "relations, orders and tolerances": Campaign(network_runs, 3, 500),
    "events, hybrid models": Campaign(hybrid, 4, 2000),
    "branches, driven beside states": Campaign(driven_beside_states, 0, 360),
    "branches, impacts in centers": Campaign(struck_in_centers, 0, 400),
    "events, closed forms": Campaign(families_agree, 20, 5000),
    "events, runs that continue": Campaign(restored, 1, 200),
    "events, sweeps in any order": Campaign(swept_hybrid, 2, 1000),
    "friction, chains of shafts": Campaign(a_chain, 0, 300),
    "friction, the robot with other loads": Campaign(with_other_loads, 0, 1000),
    "structure, random graphs": Campaign(structure_agrees, 0, 10_000),
    "random systems, solved": Campaign(solved, 100, 10_000),
    "random systems, run": Campaign(ran, 15, 1000),
    "random systems, Jacobians": Campaign(differentiated, 8, 2000),
    "random systems, sensitivities": Campaign(sensitivities_of_random_systems, 4, 1000),
    "mechanisms, sensitivities": Campaign(sensitivities_of_mechanisms, 1, 100),
    "random systems, sweeps": Campaign(swept, 8, 1000),
    "semiconductors, random transistors": Campaign(transistors_obey_kirchhoff, 6, 1000),
    "multibody, random trees": Campaign(a_random_tree, 3, 200),
    "multibody, impacts in trees": Campaign(a_caught_tree, 0, 100),
    "multibody, friction in trees": Campaign(a_rubbing_tree, 0, 100),
    "equivalent models": Campaign(equivalent, 150, 10_000),
    "results, damaged files": Campaign(damaged_results, 100, 20_000),
    "threads, translations": Campaign(translate_in_threads, 2, 50),
    "threads, runs": Campaign(run_in_threads, 2, 50),
    "sweeps, shards that are killed": Campaign(killed_sweep, 0, 5),
    "fitting, intervals": Campaign(intervals_hold, 0, 4),
    "optimal control": Campaign(control_is_best, 0, 10),
    "mechanisms, structure": Campaign(structure_as_built, 0, 200),
    "mechanisms, trees as in Pinocchio": Campaign(a_tree_as_in_pinocchio, 0, 100),
    "mechanisms, base parameters": Campaign(rules_agree, 0, 100),
    "mechanisms, base parameters of arms": Campaign(spatial_arms_agree, 0, 1),
    "mechanisms, robots as in Pinocchio": Campaign(robots_as_in_pinocchio, 0, 1),
    "mechanisms, formulations": Campaign(formulations_agree, 0, 50),
    "pendulums, a thousand revolutions": Campaign(a_thousand_times, 0, 10),
}


def failures(name: str, first: int, count: int) -> list[str]:
    """What went wrong with the inputs from `first` on, a line each."""
    found = []
    for number in range(first, first + count):
        try:
            CAMPAIGNS[name].run(Random(f"{name} {number}"))
        except Exception as error:  # whatever it is, it is a finding
            found.append(f"{name} {number}: {type(error).__name__}: {error}")
    return found
