"""A board as an SVG picture."""
