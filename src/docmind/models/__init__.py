"""Models that run locally, or at a provider by name."""
