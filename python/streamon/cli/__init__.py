"""The command line `streamon`. It needs nothing but pyspark."""
