"""The bench: StreaMon measured against stock Spark, and what its workloads are made of."""
