"""Real data that the demo, the bench and the examples run on."""
