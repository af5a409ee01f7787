"""The alignment: how well each explanation of a deal, a burn or a board fits what the antennas read, and when (docs/alignment.md)."""
