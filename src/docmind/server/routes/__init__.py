"""What can be asked of the service, one file a resource."""
