"""Runs: what is asked for, playing it in blocks on threads, and the record that lets it be run again."""
