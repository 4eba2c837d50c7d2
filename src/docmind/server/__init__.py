"""DocMind over HTTP: one file a resource under `routes`, put together in `app`."""
