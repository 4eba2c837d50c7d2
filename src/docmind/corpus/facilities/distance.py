"""Distances on the globe, for many points at once."""

import numpy as np
import numpy.typing as npt

EARTH_RADIUS_KM = 6371.0088
Points = npt.NDArray[np.float64]
"""Latitude and longitude in degrees, a row a point."""


def distances_km(latitude: float, longitude: float, points: Points) -> npt.NDArray[np.float64]:
    """Great-circle distances from one place to each point, by the haversine formula."""
    here = np.radians((latitude, longitude))
    there = np.radians(points)
    north, east = ((there - here) / 2).T
    chord = np.sin(north) ** 2 + np.cos(here[0]) * np.cos(there[:, 0]) * np.sin(east) ** 2
    # Rounding can take antipodes a hair above one.
    return np.asarray(2 * EARTH_RADIUS_KM * np.arcsin(np.sqrt(np.minimum(chord, 1.0))))


def nearest(points: Points, among: Points, *, at_once: int = 128) -> npt.NDArray[np.intp]:
    """For each of `points` the row of `among` that is nearest to it."""
    targets = _on_sphere(among).T
    found = np.empty(len(points), dtype=np.intp)
    for start in range(0, len(points), at_once):
        some = slice(start, start + at_once)
        found[some] = np.argmax(_on_sphere(points[some]) @ targets, axis=1)
    return found


def middle(points: Points) -> tuple[float, float]:
    """Latitude and longitude of the middle of the points, also where longitudes start anew among them."""
    east, across, north = _on_sphere(points).mean(axis=0)
    return float(np.degrees(np.arctan2(north, np.hypot(east, across)))), float(np.degrees(np.arctan2(across, east)))


def _on_sphere(points: Points) -> Points:
    latitudes, longitudes = np.radians(points).T
    level = np.cos(latitudes)
    return np.stack((level * np.cos(longitudes), level * np.sin(longitudes), np.sin(latitudes)), axis=1)
