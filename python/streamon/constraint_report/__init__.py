"""The report of `streamon.constraints`: rows as objects, text and a figure."""
