"""Engines besides Spark that run the same rules over the same rows."""
