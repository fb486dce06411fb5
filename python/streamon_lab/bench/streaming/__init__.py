"""The harness of the benches of streaming joins: one query, several engines, equal answers."""
