"""The table service, the dealer's station and what they stand on. See docs/architecture.md."""
