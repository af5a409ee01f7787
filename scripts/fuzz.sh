#!/usr/bin/env bash
# Fuzz the C reference with libFuzzer and the Python parsers with blind changes, side by side: scripts/fuzz.sh SECONDS
#
# libFuzzer comes with clang, which nothing else needs: it is installed here when it is missing. What is found lies under var/fuzz.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds="${1:?how many seconds}"
out=var/fuzz
mkdir -p "$out/corpus" "$out/crashes"

if ! command -v clang >/dev/null; then
    if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
        echo "fuzz: clang with libFuzzer is missing: sudo apt-get install --no-install-recommends clang libclang-rt-14-dev" >&2
        exit 1
    fi
    echo "fuzz: installing clang" >&2
    apt-get update -q </dev/null >&2
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends clang libclang-rt-14-dev </dev/null >&2
fi

clang -std=c99 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Ifirmware_protocol/c \
    tests/fuzz/c/fuzz_decoder.c firmware_protocol/c/*.c -o "$out/fuzz_decoder"

failed=0
"$out/fuzz_decoder" -max_total_time="$seconds" -max_len=1024 -timeout=5 -print_final_stats=1 \
    -artifact_prefix="$out/crashes/c-" "$out/corpus" tests/fuzz/corpus/c >"$out/c.log" 2>&1 &
libfuzzer=$!
.venv/bin/python -m tests.fuzz.run --seconds "$seconds" --json "$out/python.json" || failed=1
wait "$libfuzzer" || failed=1
sed -n 's/^stat::/C reference, /p; s/^Done /C reference: /p' "$out/c.log"
grep -E "ERROR|SUMMARY" "$out/c.log" || true
exit "$failed"
