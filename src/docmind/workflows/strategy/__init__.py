"""MASIS: a supervisor over researcher, synthesizer, critic and evaluator, which hands over to a person."""
