"""`streamon-lab bench constraints`: MJoins with k-constraints against MJoins without, and Spark's chain."""
