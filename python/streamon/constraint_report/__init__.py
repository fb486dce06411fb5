"""What constraints save an MJoin, or would save it: its rows, as objects, text and a figure."""
