"""The table: the single-writer session, the vault, the hand engine and the facts it projects."""
