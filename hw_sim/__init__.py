"""Simulated hardware of a poker table, byte for byte, and a simulated dealer. Always a process of its own."""
