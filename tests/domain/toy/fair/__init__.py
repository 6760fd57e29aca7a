"""Tests of the Fair: one file for each chapter of its rules."""
