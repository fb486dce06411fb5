"""The join bench: many streams joined by one MJoin, by Spark's chain of joins, and by a batch join."""
