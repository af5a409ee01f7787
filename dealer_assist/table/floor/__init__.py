"""Floor mode: who is signed in with badge and PIN, what only he may do, and what he signs."""
