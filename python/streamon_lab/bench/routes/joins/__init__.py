"""The workload of the bench of routes that is a join of streams."""
