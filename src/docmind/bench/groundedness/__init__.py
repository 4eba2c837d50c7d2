"""How well text that a source supports is told from text that it does not: sets, systems and measures."""
