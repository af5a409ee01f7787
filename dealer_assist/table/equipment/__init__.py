"""What a table does with its decks and antennas between hands: register, check, calibrate, watch. One desk for all of it: ``desk``."""
