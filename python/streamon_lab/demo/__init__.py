"""The demo: a year of real flights through an adaptive filter, and one page that shows what it did."""
