"""`streamon-lab bench filters`: adaptive filters against fixed orders."""
