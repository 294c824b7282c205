"""What `verify report` writes."""
