"""What the table keeps: a hash-chained journal in one SQLite file, sealed hidden cards beside it, signed checkpoints, key files.

``store`` writes, ``reader`` and ``verify`` read, ``sealing`` seals. ``unseal`` opens seals, needs the
surveillance private key and is imported by nothing that runs at a table.
"""
