"""The games, one folder each, all with the same seven files. Games never import each other."""
