"""`streamon-lab bench routes`: Query Mesh, which gives every kind of row its own order, in Spark."""
