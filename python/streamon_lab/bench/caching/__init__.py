"""`streamon bench caching`: MJoins with caches of subresults against MJoins without, and Spark's chain."""
