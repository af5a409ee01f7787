"""Configuration: what a table is set up as, read from one TOML file, every mistake in it told with its place."""
