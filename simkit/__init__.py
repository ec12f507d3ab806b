"""simkit: what a card game's rules really do, measured on millions of played games."""

__version__ = "0.1.0"
