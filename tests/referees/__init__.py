"""Referees that check game transcripts from the rules pages alone, without the engines."""
