"""Stands in for the robot's conversation app, as far as its tools need it."""
