"""Chat models: one narrow seam, whoever stands behind it, and one gate that bounds what they may spend."""
