"""The command line `streamon`."""
