#!/usr/bin/env bash
# Make this clone ready to run: packages of the system, then .venv from the hash-locked requirements.
#
# Safe to run at any time, and quick when there is nothing to do; every `make` target that needs it runs it first.
#   PYTHON=/path/to/python3.11   chooses the interpreter instead of the first usable one.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root"
venv="$root/.venv"
stamp="$venv/.set-up"

say() { printf 'setup: %s\n' "$*" >&2; }

# Two at once (make test in one terminal, make demo in another) take turns. The lock is on this file itself.
if command -v flock >/dev/null; then
    exec 9<"$root/scripts/setup.sh"
    flock 9
fi

# ---------------------------------------------------------------- the interpreter

# An interpreter will do if it is 3.11, can make a virtual environment with pip in it, and has its C header.
usable() {
    "$1" - 2>/dev/null <<'EOF'
import sys
import pathlib, sysconfig, venv, ensurepip
header = pathlib.Path(sysconfig.get_path("include")) / "Python.h"
sys.exit(not (sys.version_info[:2] == (3, 11) and header.exists()))
EOF
}

find_python() {
    local candidate made_with
    # A .venv that exists keeps the interpreter it was made with.
    made_with="$(sed -n 's/^executable = //p' "$venv/pyvenv.cfg" 2>/dev/null || true)"
    for candidate in ${PYTHON:+"$PYTHON"} ${made_with:+"$made_with"} python3.11 python3 /usr/bin/python3.11 /usr/bin/python3; do
        if command -v "$candidate" >/dev/null && usable "$candidate"; then
            # Name the interpreter, not a shim that may choose another one tomorrow.
            "$candidate" -c 'import os, sys; print(os.path.realpath(sys.executable))'
            return 0
        fi
        if [ -n "${PYTHON:-}" ]; then
            say "PYTHON=$PYTHON is not a Python 3.11 with venv, ensurepip and its C header"
            exit 1
        fi
    done
    return 1
}

# ---------------------------------------------------------------- packages of the system

wanted_packages() {
    local first second
    while read -r first second _; do
        case "$first" in
            "" | "#"*) ;;
            python:) [ -n "$python" ] || echo "$second" ;;
            test:) echo "$second" ;;
            table:) ;;
            *) echo "$first" ;;
        esac
    done <scripts/apt-packages.txt
}

install_packages() {
    if ! command -v dpkg-query >/dev/null; then
        say "this is not a Debian system: the packages of scripts/apt-packages.txt, or what they are called here, must be installed by hand"
        return 0
    fi
    local installed missing
    # Packages that dpkg has never heard of make it exit 1; they are simply not in its answer.
    # shellcheck disable=SC2046 # a list of names
    installed=" $(dpkg-query -W -f '${db:Status-Status}:${Package} ' $(wanted_packages) 2>/dev/null || true)"
    missing="$(wanted_packages | while read -r package; do
        case "$installed" in *" installed:$package "*) ;; *) printf '%s ' "$package" ;; esac
    done)"
    missing="${missing% }"
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" != 0 ]; then
        say "some packages of the system are missing. Type this line, then run the same command again:"
        printf '\n    sudo apt-get update && sudo apt-get install --no-install-recommends -y %s\n\n' "$missing" >&2
        exit 1
    fi
    say "installing $missing"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q </dev/null >&2
    # shellcheck disable=SC2086 # a list of names
    apt-get install -q -y --no-install-recommends $missing </dev/null >&2
}

python="$(find_python || true)"
if [ -n "${PYTHON:-}" ] && [ -z "$python" ]; then
    exit 1
fi
install_packages
if [ -z "$python" ]; then
    python="$(find_python || true)"
    if [ -z "$python" ]; then
        say "no Python 3.11 with venv and its C header was found, and the system's packages did not bring one."
        say "Install Python 3.11 and run: PYTHON=/path/to/python3.11 make setup"
        exit 1
    fi
fi

# ---------------------------------------------------------------- .venv

# What .venv was made from. Another folder counts too: its commands carry the path they were installed under.
fingerprint="$(
    {
        printf '%s\n' "$root" "$python"
        "$python" -VV
        cat scripts/setup.sh pyproject.toml requirements/build.txt requirements/runtime.txt requirements/dev.txt
    } | sha256sum | cut -d' ' -f1
)"
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$fingerprint" ] && "$venv/bin/python" -c '' 2>/dev/null; then
    exit 0
fi

# A .venv of another interpreter, or one that was moved here, cannot be mended.
base="$("$venv/bin/python" -c 'import os, sys; print(os.path.realpath(sys.executable))' 2>/dev/null || true)"
home="$(sed -n 's/^VIRTUAL_ENV=["'\'']\{0,1\}\([^"'\'']*\).*/\1/p' "$venv/bin/activate" 2>/dev/null | head -n 1 || true)"
if [ -e "$venv" ] && { [ "$base" != "$python" ] || [ "$home" != "$venv" ]; }; then
    if [ ! -f "$venv/pyvenv.cfg" ]; then
        say "$venv is in the way and is no virtual environment: move it aside"
        exit 1
    fi
    say "making .venv anew: it belongs to another folder or another Python"
    rm -rf "$venv"
fi
rm -f "$stamp"
if [ ! -e "$venv" ]; then
    say "making .venv with $("$python" -V)"
    "$python" -m venv "$venv"
fi

pip_install() {
    PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_REQUIRE_VIRTUALENV=1 PATH="$venv/bin:$PATH" \
        "$venv/bin/python" -m pip install -qq --no-input "$@" </dev/null
}

say "installing the locked requirements"
# First what builds the rest, then pyscard can be compiled with exactly these (--no-build-isolation): nothing unlocked is fetched.
pip_install --require-hashes --no-deps -r requirements/build.txt
pip_install --require-hashes --no-deps --no-build-isolation -r requirements/runtime.txt -r requirements/dev.txt
pip_install --no-deps --no-build-isolation --editable .
"$venv/bin/python" -m pip check --quiet >&2 || { say "the locked requirements contradict each other"; exit 1; }

echo "$fingerprint" >"$stamp"
say "ready"
