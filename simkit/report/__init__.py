"""Reports: pandas tables, matplotlib Figures, texts. Made from results; nothing is played here."""
