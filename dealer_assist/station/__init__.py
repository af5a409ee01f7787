"""The dealer's screen: renders facts, sends commands, decides nothing about poker.

``run_station`` (module ``app``) is the program; ``StationWindow`` (module ``window``) the screen, usable without a display.
"""
