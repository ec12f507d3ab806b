"""Tests of simkit; the folders mirror the package."""
