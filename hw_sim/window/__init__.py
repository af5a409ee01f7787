"""A table to deal at by hand: a window with cards to drag and devices to unplug, which drives the simulated devices."""
