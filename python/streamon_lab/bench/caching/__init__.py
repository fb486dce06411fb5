"""`streamon-lab bench caching`: MJoins with and without caches of subresults, and Spark's chain."""
