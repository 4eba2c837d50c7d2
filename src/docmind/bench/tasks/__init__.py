"""One benchmark a file; each has a `run` that takes the workbench and returns rows."""
