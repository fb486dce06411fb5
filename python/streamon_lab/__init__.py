"""The benches, the demo and the lab of StreaMon, and data for its examples."""
