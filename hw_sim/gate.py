"""Virtual cards on virtual PC/SC readers: Debian's pcscd with vsmartcard's driver, in a namespace of its own.

``python -m hw_sim.gate FOLDER`` runs inside ``unshare -r -m -n``: nothing of it is reachable from outside but pcscd's socket in
FOLDER/run, so it works beside a system pcscd and without root. :class:`BurnGate` is the simulator's handle on it.
"""

from __future__ import annotations

import contextlib
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
from typing import Final

PORT: Final = 35963
NAME: Final = "Virtual PCD"
#: vpcd has two slots, each a reader with a port of its own: burns are shown to the first, badges to the second.
GATE_SLOT: Final = 0
BADGE_SLOT: Final = 1
READER: Final = f"{NAME} 00 00"
BADGE_READER: Final = f"{NAME} 00 01"
DRIVER: Final = Path("/usr/lib/pcsc/drivers/serial/libifdvpcd.so")
PCSCD: Final = "/usr/sbin/pcscd"
#: An ISO 15693 card as PC/SC part 3 describes it to applications.
ATR: Final = bytes.fromhex("3B8F8001804F0CA0000003060B00140000000077")
PATIENCE_S: Final = 15.0
_MS_BIND: Final = 4096
_SIOCSIFFLAGS: Final = 0x8914
_UP_RUNNING: Final = 0x41


class GateFailed(OSError):
    """The virtual reader could not be brought up; the message says what is missing."""


class BurnGate:
    """The simulator's end: shows one card at a time to each reader. ``socket`` is what PCSCLITE_CSOCK_NAME must name."""

    def __init__(self, folder: Path) -> None:
        for needed, package in ((DRIVER, "vsmartcard-vpcd"), (Path(PCSCD), "pcscd")):
            if not needed.exists():
                raise GateFailed(2, f"not installed, expected Debian's package {package}", str(needed))
        folder.mkdir(parents=True, exist_ok=True)
        self.socket = folder / "run" / "pcscd.comm"
        self._log = (folder / "pcscd.log").open("w")
        self._process = subprocess.Popen(
            ["unshare", "-r", "-m", "-n", sys.executable, "-m", "hw_sim.gate", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        self._answer()

    def insert(self, uid: bytes, slot: int = GATE_SLOT) -> None:
        """Lay a card on a reader, in place of what lies there."""
        self._say(f"insert {slot} {uid.hex()}")

    def remove(self, slot: int = GATE_SLOT) -> None:
        """Take the card away."""
        self._say(f"remove {slot}")

    def pcscd(self, what: str) -> None:
        """Do something to pcscd: start, kill, hang, go_on, or start_bare (without a reader)."""
        self._say(what)

    def answers(self, status: str) -> None:
        """From now on every card says this to everything, as hexadecimal digits; "": the truth."""
        self._say(f"answers {status}".strip())

    def close(self) -> None:
        """End pcscd and the namespace."""
        with contextlib.suppress(OSError, GateFailed, ValueError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._log.close()

    def _say(self, command: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        self._answer()

    def _answer(self) -> None:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        if line != "ok":
            raise GateFailed(5, f"the virtual card reader failed (log: {self._log.name})", self._log.name)


# -- inside the namespace ------------------------------------------------------------------------------------------------------------


def _loopback_up() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control.fileno(), _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _UP_RUNNING))


def _bind(source: Path, target: Path) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(os.fsencode(source), os.fsencode(target), None, _MS_BIND, None) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(target))


class _Card:
    """One card, as long as its connection to the driver lasts."""

    def __init__(self, uid: bytes, answer: bytes, slot: int) -> None:
        self._uid = uid
        #: what it says to everything; b"": the truth
        self.answer = answer
        self._socket = self._connect(PORT + slot)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=self._serve, daemon=True).start()

    @staticmethod
    def _connect(port: int) -> socket.socket:
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port))
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def take_away(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while len(size := self._socket.recv(2, socket.MSG_WAITALL)) == 2:
                request = self._socket.recv(int.from_bytes(size, "big"), socket.MSG_WAITALL)
                reply = self._reply(request)
                if reply is not None:
                    self._socket.sendall(len(reply).to_bytes(2, "big") + reply)
                    # without quick acks each exchange waits some 40 ms on both sides
                    self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)

    def _reply(self, request: bytes) -> bytes | None:
        if len(request) == 1:  # 0 off, 1 on, 2 reset, 4 ATR
            return ATR if request[0] == 4 else None
        if self.answer:
            return self.answer
        if request[:4] != b"\xff\xca\x00\x00":
            return b"\x6d\x00"
        if request[4:] in (b"", b"\x00", bytes((len(self._uid),))):
            return self._uid + b"\x90\x00"
        return bytes((0x6C, len(self._uid)))


def main() -> int:
    """Bring pcscd up and take commands from standard input: insert SLOT HEX, remove SLOT, and what is done to pcscd. Ends with it."""
    folder = Path(sys.argv[1]).absolute()
    run = folder / "run"
    run.mkdir(exist_ok=True)
    for stale in run.iterdir():
        stale.unlink()
    target = Path("/run/pcscd")
    if not target.is_dir():
        over = folder / "over"
        (over / "pcscd").mkdir(parents=True, exist_ok=True)
        _bind(over, Path("/run"))
    _bind(run, target)
    _loopback_up()
    readers = folder / "reader.conf"
    readers.write_text(
        f'FRIENDLYNAME "{NAME}"\nDEVICENAME /dev/null:0x{PORT:X}\nLIBPATH {DRIVER}\nCHANNELID 0x{PORT:X}\n'
    )
    bare = folder / "bare.conf"
    bare.write_text("")
    daemon = _Pcscd(run)
    try:
        if not daemon.start(readers):
            print("pcscd did not start", flush=True)
            return 1
        print("ok", flush=True)
        _serve(daemon, readers, bare)
    finally:
        daemon.end()
    return 0


class _Pcscd:
    """Debian's pcscd, as often as it is started."""

    def __init__(self, run: Path) -> None:
        self._run = run
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, conf: Path) -> bool:
        """Start it anew; whether it came up."""
        self.end()
        for stale in self._run.iterdir():
            stale.unlink()
        process = self._process = subprocess.Popen(
            [PCSCD, "-f", "-c", str(conf)], stdout=sys.stderr, stdin=subprocess.DEVNULL
        )
        end = time.monotonic() + PATIENCE_S
        while not (self._run / "pcscd.comm").exists():
            if process.poll() is not None or time.monotonic() > end:
                return False
            time.sleep(0.02)
        return True

    @property
    def runs(self) -> bool:
        """Whether a card can be laid on its reader."""
        return self._process is not None and self._process.poll() is None

    def send(self, number: signal.Signals) -> None:
        """Send it a signal, if it runs."""
        if self.runs and self._process is not None:
            self._process.send_signal(number)
            if number is signal.SIGKILL:
                self._process.wait()

    def end(self) -> None:
        """End it, also where it hangs."""
        if self._process is None:
            return
        self.send(signal.SIGCONT)
        self._process.terminate()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _serve(daemon: _Pcscd, readers: Path, bare: Path) -> None:
    """Take commands from standard input until it ends."""
    cards: dict[int, _Card] = {}
    answer = b""
    listening = True
    for line in sys.stdin:
        words = line.split()
        match words[0]:
            case "insert" | "remove":
                slot = int(words[1])
                if slot in cards:
                    cards.pop(slot).take_away()
                if words[0] == "insert" and daemon.runs and listening:
                    cards[slot] = _Card(bytes.fromhex(words[2]), answer, slot)
            case "answers":
                answer = bytes.fromhex(words[1]) if len(words) > 1 else b""
                for card in cards.values():
                    card.answer = answer
            case "kill":
                daemon.send(signal.SIGKILL)
                cards.clear()
            case "hang":
                daemon.send(signal.SIGSTOP)
            case "go_on":
                daemon.send(signal.SIGCONT)
            case "start" | "start_bare":
                listening = words[0] == "start"
                cards.clear()
                if not daemon.start(readers if listening else bare):
                    print("pcscd did not start", flush=True)
                    return
        print("ok", flush=True)
    for card in cards.values():
        card.take_away()


if __name__ == "__main__":
    sys.exit(main())
