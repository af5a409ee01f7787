"""The documented procedure: games and houses as data, the plan of a hand, the rules that find departures, the remedies that mend them.

Pure: no clock, no randomness, no files, no logs. ``draft.Draft`` is the working copy; ``evolve`` is the only thing that changes state.
"""
