"""The hardware simulator: cards, hands and antennas of a table, written as traces or played to the product over its own wires.

It knows nothing of the product's code. The two meet in ``firmware_protocol`` and in files.
"""
