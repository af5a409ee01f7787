"""A private pcscd with one virtual reader, and a card for it. Runs as ``unshare -r -m -n python pcsc_namespace.py FOLDER``.

Commands come one a line on standard input, each is answered by one line: start [CONF] (with other readers than the virtual one), kill,
end (as the system does), hang, go_on, insert HEX, remove, answer HEX (what the card says to everything from now on; without HEX: the
truth), quit.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

PORT = 35963
ATR = bytes.fromhex("3B8F8001804F0CA0000003060B00140000000077")
MS_BIND = 4096
DRIVER = "/usr/lib/pcsc/drivers/serial/libifdvpcd.so"
SIGNALS = {
    "end": signal.SIGTERM,
    "hang": signal.SIGSTOP,
    "go_on": signal.SIGCONT,
}


def loopback_up() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        request = struct.pack("16sh14x", b"lo", 0x1 | 0x40)  # IFF_UP | IFF_RUNNING
        fcntl.ioctl(s.fileno(), 0x8914, request)  # SIOCSIFFLAGS


def bind_mount(source: Path, target: Path) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(os.fsencode(source), os.fsencode(target), None, MS_BIND, None) != 0:
        raise OSError(ctypes.get_errno(), f"mount {target}")


class Card:
    def __init__(self, uid: bytes) -> None:
        self.uid = uid
        self.fixed: bytes | None = None
        self.socket: socket.socket | None = None

    def insert(self) -> None:
        deadline = time.monotonic() + 10
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", PORT), timeout=1)
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
        self.socket.settimeout(None)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=self._serve, args=(self.socket,), daemon=True).start()

    def remove(self) -> None:
        if self.socket is not None:
            self.socket.shutdown(socket.SHUT_RDWR)
            self.socket.close()
            self.socket = None

    def _serve(self, s: socket.socket) -> None:
        try:
            while True:
                size = s.recv(2, socket.MSG_WAITALL)
                if len(size) < 2:
                    return
                message = s.recv(int.from_bytes(size, "big"), socket.MSG_WAITALL)
                answer = self._answer(message)
                if answer is not None:
                    s.sendall(len(answer).to_bytes(2, "big") + answer)
                    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
        except OSError:
            return

    def _answer(self, message: bytes) -> bytes | None:
        if len(message) == 1:
            return ATR if message[0] == 4 else None
        if self.fixed is not None:
            return self.fixed
        if message[:4] == bytes.fromhex("FFCA0000"):
            if message[4:] in (b"\x00", bytes((len(self.uid),))):
                return self.uid + b"\x90\x00"
            return bytes((0x6C, len(self.uid)))
        return b"\x6d\x00"


def main() -> None:
    folder = Path(sys.argv[1])
    run = folder / "run"
    run.mkdir(exist_ok=True)
    target = Path("/run/pcscd")
    if not target.is_dir():
        # Outside a container /run is ours to read only: lay an empty folder over it.
        over = folder / "over"
        (over / "pcscd").mkdir(parents=True, exist_ok=True)
        bind_mount(over, Path("/run"))
    bind_mount(run, target)
    loopback_up()
    conf = folder / "reader.conf"
    conf.write_text(
        f'FRIENDLYNAME "Virtual PCD"\nDEVICENAME /dev/null:0x{PORT:X}\nLIBPATH {DRIVER}\nCHANNELID 0x{PORT:X}\n'
    )
    daemon: subprocess.Popen[bytes] | None = None
    card: Card | None = None
    fixed: bytes | None = None
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "start":
            for stale in run.iterdir():
                stale.unlink()
            daemon = subprocess.Popen(
                ["/usr/sbin/pcscd", "-f", "-c", rest[0] if rest else str(conf)],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            deadline = time.monotonic() + 10
            while not (run / "pcscd.comm").exists():
                if daemon.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit("pcscd did not start")
                time.sleep(0.01)
        elif word == "kill":
            assert daemon is not None
            daemon.send_signal(signal.SIGKILL)
            daemon.wait()
            card = None
        elif word in SIGNALS:
            assert daemon is not None
            daemon.send_signal(SIGNALS[word])
            if word == "end":
                daemon.wait()
                card = None
        elif word == "insert":
            card = Card(bytes.fromhex(rest[0]))
            card.fixed = fixed
            card.insert()
        elif word == "remove":
            if card is not None:
                card.remove()
            card = None
        elif word == "answer":
            fixed = bytes.fromhex(rest[0]) if rest else None
            if card is not None:
                card.fixed = fixed
        elif word == "quit":
            break
        print("ok", flush=True)
    if card is not None:
        card.remove()
    if daemon is not None and daemon.poll() is None:
        daemon.send_signal(signal.SIGCONT)
        daemon.terminate()
        try:
            daemon.wait(5)
        except subprocess.TimeoutExpired:
            daemon.kill()
            daemon.wait()
    print("bye", flush=True)


main()
