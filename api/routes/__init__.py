"""The operations, one module a resource."""
