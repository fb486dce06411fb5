"""`streamon-lab bench python`: filters on Python functions. Workers import some of these modules."""
