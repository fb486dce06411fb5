"""`streamon-lab bench joins`: many streams joined by one MJoin, by Spark's chain and by others."""
