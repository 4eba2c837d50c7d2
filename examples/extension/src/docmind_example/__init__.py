"""What this package adds to DocMind, one file a kind."""
