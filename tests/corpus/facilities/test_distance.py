"""Distances agree with the sphere they are measured on."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.corpus.facilities.geography import EARTH_RADIUS_KM, distances_km, middle, nearest

PLACES = st.tuples(st.floats(-90, 90), st.floats(-180, 180))


def one(here: tuple[float, float], there: tuple[float, float]) -> float:
    return float(distances_km(*here, np.array([there]))[0])


def test_known_distances_come_out() -> None:
    london, paris, sydney = (51.5074, -0.1278), (48.8566, 2.3522), (-33.8688, 151.2093)
    assert one(london, paris) == pytest.approx(343.6, abs=0.5)
    assert one(london, sydney) == pytest.approx(16_994, abs=5)


def test_the_date_line_is_no_border() -> None:
    assert one((0, 179.9), (0, -179.9)) == pytest.approx(22.24, abs=0.01)
    assert middle(np.array([(0.0, 179.0), (0.0, -179.0)])) == pytest.approx((0.0, 180.0))


@given(PLACES, PLACES)
def test_a_distance_is_the_same_both_ways_and_never_more_than_half_around(
    here: tuple[float, float], there: tuple[float, float]
) -> None:
    assert one(here, there) == pytest.approx(one(there, here), abs=1e-6)
    assert 0 <= one(here, there) <= math.pi * EARTH_RADIUS_KM + 1e-6
    assert one(here, here) == 0


@given(PLACES, PLACES, PLACES)
def test_a_detour_is_never_shorter(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> None:
    assert one(a, c) <= one(a, b) + one(b, c) + 1e-3


@given(st.lists(PLACES, min_size=1, max_size=20), st.lists(PLACES, min_size=1, max_size=20))
def test_the_nearest_is_at_the_smallest_distance(
    points: list[tuple[float, float]], among: list[tuple[float, float]]
) -> None:
    found = nearest(np.array(points), np.array(among), at_once=3)
    for point, row in zip(points, found, strict=True):
        away = distances_km(*point, np.array(among))
        assert away[row] == pytest.approx(away.min(), abs=0.2)
