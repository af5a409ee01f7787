#!/usr/bin/env bash
# Put the dealer assistant on a table's machine: users, folders, rules, units, and the program in /opt/dealer-assist.
#
#   sudo deploy/install.sh           the whole, on this machine; safe to run again after an update
#   deploy/install.sh --root DIR     only the files, below DIR: for a package, an image, a look
#
# No table's file, key or deck is ever changed. docs/install.md leads through the rest.
set -euo pipefail

deploy="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source="$(dirname "$deploy")"
root=""
program=/opt/dealer-assist

say() { printf 'install: %s\n' "$*" >&2; }

case "${1:-}" in
    "") ;;
    --root)
        root="${2:?a folder after --root}"
        [ $# -eq 2 ] || { say "one folder after --root, and nothing else"; exit 2; }
        mkdir -p "$root"
        root="$(cd "$root" && pwd)"
        ;;
    *)
        sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
        exit 2
        ;;
esac

if [ -z "$root" ] && [ "$(id -u)" != 0 ]; then
    say "this writes to /etc and /opt: run it with sudo"
    exit 2
fi

# ---------------------------------------------------------------- what the system must have

if [ -z "$root" ]; then
    wanted="$(sed -n 's/^\(python: *\|table: *\)\{0,1\}\([a-z0-9][a-z0-9.+-]*\)\( .*\)\{0,1\}$/\2/p' "$source/scripts/apt-packages.txt")"
    # shellcheck disable=SC2086 # a list of names
    missing="$(for package in $wanted; do
        dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || printf '%s ' "$package"
    done)"
    if [ -n "$missing" ]; then
        say "packages of the system are missing. Run this line, then this script again:"
        printf '\n    sudo apt-get update && sudo apt-get install --no-install-recommends -y %s\n\n' "$missing" >&2
        exit 1
    fi
fi

# ---------------------------------------------------------------- files

put() { install -D -m "${3:-0644}" "$deploy/$1" "$root$2"; }

put systemd/dealer-table@.service /etc/systemd/system/dealer-table@.service
put systemd/dealer-station@.service /etc/systemd/system/dealer-station@.service
put systemd/pcscd.service.d/10-dealer.conf /etc/systemd/system/pcscd.service.d/10-dealer.conf
put systemd/system.conf.d/10-dealer.conf /etc/systemd/system.conf.d/10-dealer.conf
put udev/70-dealer.rules /etc/udev/rules.d/70-dealer.rules
put polkit/49-dealer-pcsc.rules /etc/polkit-1/rules.d/49-dealer-pcsc.rules
put sysusers/dealer-assist.conf /etc/sysusers.d/dealer-assist.conf
put tmpfiles/dealer-assist.conf /etc/tmpfiles.d/dealer-assist.conf
put etc/table.toml.example /etc/dealer-assist/table.toml.example
put udev/71-dealer-places.rules.example /usr/share/doc/dealer-assist/71-dealer-places.rules.example
put systemd/examples/network-reader.conf /usr/share/doc/dealer-assist/network-reader.conf
install -D -m 0644 "$source/docs/install.md" "$root/usr/share/doc/dealer-assist/install.md"
install -D -m 0644 "$source/docs/examples/table.toml" "$root/usr/share/doc/dealer-assist/table.toml"

if [ -n "$root" ]; then
    say "files are below $root; users, folders and the program are made on the machine itself"
    exit 0
fi

# ---------------------------------------------------------------- users, folders, rules

systemd-sysusers /etc/sysusers.d/dealer-assist.conf
systemd-tmpfiles --create /etc/tmpfiles.d/dealer-assist.conf
if command -v udevadm >/dev/null; then
    udevadm control --reload
    udevadm trigger --subsystem-match=usb --subsystem-match=usb-serial --subsystem-match=tty
fi

# ---------------------------------------------------------------- the program

# The version before stays as $program.old: `mv` it back, and the machine is as it was.
if [ -d "$program" ]; then
    rm -rf "$program.old"
    mv "$program" "$program.old"
fi
undo() {
    say "the program could not be installed; the version before is back"
    rm -rf "$program"
    [ ! -d "$program.old" ] || mv "$program.old" "$program"
}
trap undo ERR
say "installing the program to $program"
python3.11 -m venv "$program"
pip() { PATH="$program/bin:$PATH" "$program/bin/python" -m pip install -qq --no-input --disable-pip-version-check "$@" </dev/null; }
pip --require-hashes --no-deps -r "$source/requirements/build.txt"
pip --require-hashes --no-deps --no-build-isolation -r "$source/requirements/runtime.txt"
pip --no-deps --no-build-isolation "$source"
"$program/bin/dealer-assist" --help >/dev/null
trap - ERR

if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl try-restart pcscd.service || true
    say "tables that run go on with the version before until: systemctl restart 'dealer-table@*'"
fi
say "done. Go on with step 3 of /usr/share/doc/dealer-assist/install.md"
