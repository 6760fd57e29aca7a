"""Tests of the code that games share."""
