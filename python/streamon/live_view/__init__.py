"""A live view of a running streaming query, in a terminal or a notebook.

A look at the query is a `Snapshot` (`reading`); `sections` makes tables of it; a screen (`screens`) shows
them; `watch` looks again and again, until the query or the view ends.
"""
