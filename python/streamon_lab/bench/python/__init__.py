"""`streamon bench python`: filters on results of Python functions. Workers import some of these modules."""
