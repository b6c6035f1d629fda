"""What Yacht is: rules, game, dice and notation, without clock, chance, files or English."""
