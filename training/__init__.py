"""Makes DocMind's encoder: builds the training set, trains, evaluates, exports and writes the model card."""
