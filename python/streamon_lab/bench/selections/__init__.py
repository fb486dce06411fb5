"""The bench of rules: many conditions over the same rows."""
