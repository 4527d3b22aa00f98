"""What joints mean: measures, freedom, kinds, presets, words."""
