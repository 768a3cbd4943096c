"""A seeded share of every large campaign; `python -m tests.long` runs them in full."""

import pytest

from tests.long.campaigns import CAMPAIGNS, failures

BLOCK = 100
JOBS = [
    (name, first, min(BLOCK, campaign.share - first))
    for name, campaign in CAMPAIGNS.items()
    for first in range(0, campaign.share, BLOCK)
]


@pytest.mark.parametrize(("name", "first", "count"), JOBS)
def test_share(name: str, first: int, count: int) -> None:
    assert failures(name, first, count) == []
