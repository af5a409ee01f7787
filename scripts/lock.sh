#!/usr/bin/env bash
# Make requirements/*.txt anew from requirements/*.in: every package with the hashes of its files, and no address of an index.
# `scripts/lock.sh --upgrade` takes the newest releases that the ranges allow.
set -euo pipefail
cd "$(dirname "$0")/../requirements"

for name in build runtime dev; do
    # Settings of the machine (indexes, folders of wheels) must not leave a trace in the files.
    PIP_CONFIG_FILE=/dev/null ../.venv/bin/python -m piptools compile --quiet --no-config \
        --generate-hashes --allow-unsafe --strip-extras \
        --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options --no-header \
        "$@" --output-file "$name.txt" "$name.in"
    sed -i "1i # Made by scripts/lock.sh from $name.in. Do not edit." "$name.txt"
done
../.venv/bin/python ../scripts/check_sources.py
