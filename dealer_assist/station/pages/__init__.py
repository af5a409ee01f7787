"""Full pages over the felt: the table's set-up, its decks and antennas, what has been played. Base: ``page``; all of them: ``registry``."""
