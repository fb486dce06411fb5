"""Runs in Spark's Python workers. The jar carries these files and sends them with each task.

So nothing has to be installed where the executors are, and a job's workers always have the code of its jar.
"""
