"""Values that every other package speaks in: cards, zones, inputs, events, commands, facts.

Frozen, without I/O, without a clock, and without text in any human language.
"""
