"""``dealer-assist doctor``: looks at the machine, judges what it saw, says what to do. Looking, judging and saying are apart."""
