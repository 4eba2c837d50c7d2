"""Reading a request for a facility by its words alone: what kind, with which services, when open, how far, where."""
