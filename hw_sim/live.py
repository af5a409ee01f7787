"""Plays hands on real ports against a running table service: devices on pseudo-terminals, taps on the service's socket."""

from __future__ import annotations

import argparse
import secrets
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from firmware_protocol.secure import KEY_BYTES
from hw_sim import steps as st
from hw_sim.antennas import Field
from hw_sim.badges import BadgeReader
from hw_sim.cards import FACES, tags_of
from hw_sim.client import Client
from hw_sim.control import Control
from hw_sim.dealer import Dealer
from hw_sim.device import SimDevice, SimReader, SimShoe, SimShuffler
from hw_sim.director import Habits, play
from hw_sim.fault_desk import FaultDesk
from hw_sim.fault_field import FaultyField
from hw_sim.fault_line import FaultyLine
from hw_sim.faults import Fault, Unsupported
from hw_sim.gate import BurnGate
from hw_sim.handling import NotHandled, asked
from hw_sim.hands import load_hands
from hw_sim.live_files import BAUD, badges_entry, gate_entry, own_entry, write_files
from hw_sim.noise import CLEAN, Profile
from hw_sim.noisy_field import field_of
from hw_sim.physics import Movement
from hw_sim.ptys import PtyPort
from hw_sim.readers import TYPE_A, Boards, Family, SimBoard
from hw_sim.report import Reporter
from hw_sim.shoe import ShoeSensor, from_shoe
from hw_sim.trace import ANTENNAS

READER_SERIAL: Final = "SIM-READER-1"
SHUFFLER_SERIAL: Final = "SIM-SHUFFLER-1"
SHOE_SERIAL: Final = "SIM-SHOE-1"
#: The seats of any simulated table; those beyond them and further boards get antennas where a hand needs them.
SEATS: Final = tuple(range(1, 10))
#: How long a card is shown to the gate: 0.6 s at least, and what a PC/SC reader needs to see it come and go.
GATE_SHOW_S: Final = 0.9
GATE_AWAY_S: Final = 1.2
TURN_S: Final = 0.001
#: From a request to the hand that lays the card down.
HAND_MS: Final = 300


def antennas_for(hands: Sequence[st.Hand]) -> dict[str, int]:
    """Zone → antenna of the reader that these hands need: seats 1 to 9, board, burn, muck, and what more they use."""
    used = {
        seat
        for hand in hands
        for seat in (*hand.seats(), *(step.seat for step in hand.steps if isinstance(step, st.Pitch)))
    }
    zones = {f"seat{seat}" for seat in (*SEATS, *used)} | {"board", "burn", "muck"}
    if any(hand.plan.boards > 1 for hand in hands):
        zones.add("board2")
    zones |= {place for hand in hands for place in hand.places() & {"board2", "board3"}}
    return {zone: number for zone, number in ANTENNAS.items() if zone in zones}


class LiveWorld:
    """A :class:`~hw_sim.director.World` on ports and a socket. Virtual time runs ``speed`` times as fast as real time."""

    def __init__(
        self,
        folder: Path,
        socket: Path | None,
        *,
        speed: float,
        seed: int,
        gate: bool,
        reporter: Reporter,
        hands: Sequence[st.Hand] = (),
        profile: Profile = CLEAN,
        shoe_error_rate: float = 0.0,
        faults: bool = False,
        family: Family = "own",
        badges: bool = False,
    ) -> None:
        self._folder = folder
        self._speed = speed
        type_a = family in TYPE_A
        self._tags = tags_of(seed, type_a=type_a)
        self._report = reporter
        self._begin_s = time.monotonic()
        self._paused = False
        self._steps = 0
        self._hand = ""
        self._deck = len(FACES)
        folder.mkdir(parents=True, exist_ok=True)
        by_id = folder / "by-id"
        by_id.mkdir(exist_ok=True)
        (by_id / "SIMULATED").write_text("Simulated devices: refused without an explicit flag.\n")
        readers = BurnGate(folder / "pcsc") if gate or badges else None
        self._readers = readers
        self._gate = readers if gate else None
        self.badges = BadgeReader(readers, seed) if readers is not None and badges else None
        antennas = antennas_for(hands)
        if self._gate is not None:
            del antennas["burn"]
        self._antennas = antennas
        now = self._real_ms()
        self._faults: FaultDesk | None = None
        lines = {
            role: FaultyLine(PtyPort(by_id / serial, baud=BAUD, speed=speed), seed=seed)
            for role, serial in self._wanted(hands, family).items()
        }
        self._devices: dict[str, SimReader | SimBoard | SimShuffler | SimShoe] = {}

        def field(part: dict[str, int]) -> Field:
            return field_of(part, self._tags, profile.sensing, seed=seed)

        self._field: Field | Boards
        if family == "own":
            own = field(antennas)
            if faults or any(hand.faults for hand in hands):
                own = faulty = FaultyField(own, antennas, self._tags, seed=seed)
                says = self._shuffler_says if "shuffler" in lines else None
                self._faults = FaultDesk("live", faulty, says)
            key = self._key(READER_SERIAL)
            self._devices[READER_SERIAL] = SimReader(
                READER_SERIAL, lines["reader"], own, max(antennas.values()), now, key
            )
            self._field = own
        else:
            self._field = boards = Boards(family, antennas, by_id=by_id, speed=speed, field=field)
            self._devices |= boards.devices
        self.shuffling: SimShuffler | None = None
        if "shuffler" in lines:
            self.shuffling = SimShuffler(SHUFFLER_SERIAL, lines["shuffler"], now, self._key(SHUFFLER_SERIAL))
            self._devices[SHUFFLER_SERIAL] = self.shuffling
        self.shoe: SimShoe | None = None
        if "shoe" in lines:
            sensor = ShoeSensor(
                sees_faces=any(hand.shoe == "sees" for hand in hands), error_rate=shoe_error_rate, seed=seed
            )
            self.shoe = SimShoe(SHOE_SERIAL, lines["shoe"], sensor, now, self._key(SHOE_SERIAL))
            self._devices[SHOE_SERIAL] = self.shoe
        if self._faults is not None:
            for (role, line), device in zip(lines.items(), self._devices.values(), strict=True):
                if isinstance(device, SimDevice):
                    self._faults.add(role, device, line)
            if self.shoe is not None:
                self._faults.add_shoe(self.shoe.sensor)
            if self._gate is not None:
                self._faults.add_gate(self._gate)
        self._client = Client(socket) if socket is not None else None
        lamps = len(self._devices) + (self._gate is not None) + (self.badges is not None)
        self.dealer = Dealer(self._client, self.turn, reporter, devices=lamps) if self._client else None
        self._shown: list[tuple[int, bytes]] = []
        pcsc_socket = "" if readers is None else str(readers.socket)
        write_files(
            folder,
            self._entries(),
            hands=hands,
            seed=seed,
            speed=speed,
            pcsc_socket=pcsc_socket,
            type_a=type_a,
            badges={} if self.badges is None else self.badges.known(),
        )
        self.control = Control(folder / "control", self)
        self.seats = tuple(sorted(int(zone[4:]) for zone in antennas if zone.startswith("seat")))

    @staticmethod
    def _wanted(hands: Sequence[st.Hand], family: Family) -> dict[str, str]:
        """The devices of our own protocol that these hands need, by role."""
        wanted = {"reader": READER_SERIAL} if family == "own" else {}
        if not hands or any(hand.shuffler != "none" for hand in hands):
            wanted["shuffler"] = SHUFFLER_SERIAL
        if any(hand.shoe for hand in hands):
            wanted["shoe"] = SHOE_SERIAL
        return wanted

    @property
    def speed(self) -> float:
        """Virtual time per real time."""
        return self._speed

    def _key_file(self, serial: str) -> Path:
        return self._folder / f"{serial}.key"

    def _key(self, serial: str) -> bytes:
        """A new key for a device, kept where the table service is told to look."""
        key = secrets.token_bytes(KEY_BYTES)
        file = self._key_file(serial)
        file.touch(mode=0o600)
        file.write_text(key.hex() + "\n")
        return key

    def _entries(self) -> list[dict[str, Any]]:
        """What the table's configuration says of each device."""
        if isinstance(self._field, Boards):
            entries = self._field.entries()
        else:
            entries = [own_entry(READER_SERIAL, "reader", self._antennas, self._key_file(READER_SERIAL))]
        for role, device in (("shuffler", self.shuffling), ("shoe", self.shoe)):
            if device is not None:
                entries.append(own_entry(device.serial, role, {}, self._key_file(device.serial)))
        entries += [gate_entry()] if self._gate is not None else []
        return entries + ([badges_entry()] if self.badges is not None else [])

    # -- time ------------------------------------------------------------------------------------------------------------------------

    def _real_ms(self) -> int:
        return int((time.monotonic() - self._begin_s) * 1000)

    def now_ms(self) -> int:
        """Virtual time."""
        return int((time.monotonic() - self._begin_s) * 1000 * self._speed)

    def turn(self) -> None:
        """One round of everything that talks."""
        real, virtual = self._real_ms(), self.now_ms()
        if self._faults is not None:
            self._faults.tick(virtual, real)
        for device in self._devices.values():
            device.pump(real, virtual)
        if self.badges is not None:
            self.badges.tick(real)
        self.control.pump()
        if self.dealer is not None:
            self.dealer.pump()
        time.sleep(TURN_S)

    # -- World -----------------------------------------------------------------------------------------------------------------------

    def prepare(self, hand: st.Hand, now_ms: int) -> int:
        """A hand begins."""
        self._hand = hand.name
        self._deck = len(hand.plan.faces)
        self._report.hand(hand)
        self._field.begin_hand(max(now_ms, self.now_ms()))
        return self.until(max(now_ms, self.now_ms()) + 500)

    def shuffler(self, hand: st.Hand, says: st.Says, now_ms: int) -> int:
        """The shuffler says something."""
        self.shuffler_says(says, len(hand.plan.faces))
        return now_ms

    def shuffler_says(self, says: st.Says, deck: int) -> None:
        """A state, or a count of a deck of ``deck`` cards; nothing where there is no shuffler."""
        if self.shuffling is not None:
            self.shuffling.says(says, deck, self._real_ms(), self.now_ms())

    def open_hand(self, hand: st.Hand, now_ms: int) -> int:
        """The shuffler delivers unless the script sees to that, the dealer opens the hand."""
        if hand.shuffler == "auto":
            self.shuffler(hand, st.ShufflerState("ready"), now_ms)
            self.shuffler(hand, st.ShufflerVerdict(len(hand.plan.faces)), now_ms)
        now_ms = self.until(now_ms + 800)
        opening = {**hand.opening, "posts": hand.posts()}
        return self.tap(st.Tap({"kind": "open_hand", "opening": opening}), now_ms)

    def moves(self, movements: list[Movement]) -> None:
        """Antennas see them; a burn is shown to the gate where there is one."""
        for movement in movements:
            self._field.move(movement)
            if self.shoe is not None:
                self.shoe.sensor.move(movement)
            if self._gate is not None and movement.target in ("burn", "gate") and not movement.unread:
                self._shown.append((movement.laid_ms + movement.late_ms, self._tags[movement.face]))

    def until(self, t_ms: int) -> int:
        """Let real time pass until virtual time is there, and show the gate what is due."""
        while self.now_ms() < t_ms:
            self.turn()
            self._show_due()
            if self.dealer is not None:
                self.dealer.hold()
        while self._held():
            self.turn()
        self._show_due()
        return max(t_ms, self.now_ms())

    def _show_due(self) -> None:
        while self._gate is not None and self._shown and self._shown[0][0] <= self.now_ms():
            _, uid = self._shown.pop(0)
            self._gate.insert(uid)
            self._pass_s(max(GATE_SHOW_S, 0.6 / self._speed))
            self._gate.remove()
            self._pass_s(GATE_AWAY_S)

    def _pass_s(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.turn()

    def read_for_ms(self, face: str, zone: str, now_ms: int) -> int:
        """For how long at the most the zone's antenna has read this card in this hand, but for flickers."""
        return self._field.read_for_ms(face, zone, now_ms)

    def tap(self, tap: st.Tap, now_ms: int) -> int:
        """The dealer taps, as soon as that is possible."""
        assert self.dealer is not None
        self.dealer.tap(tap.command, refused=tap.refused)
        return max(now_ms, self.now_ms())

    def check(self, check: st.Check, now_ms: int) -> int:
        """Wait for it, at most as long as it may take."""
        assert self.dealer is not None
        self.dealer.check(check, self.now_ms, now_ms)
        return max(now_ms, self.now_ms())

    def fault(self, fault: st.Fault, now_ms: int) -> None:
        """A cable is pulled or put in, or noise is on the line."""
        if not self.inject(fault.kind, fault.device, fault.count):
            self._report.differs(f"{fault.kind} {fault.device}: no such device or fault")

    def break_down(self, step: st.Inject, now_ms: int) -> None:
        """A fault of the catalogue begins or ends."""
        refused = self.break_by(step.fault)
        if refused:
            self._report.differs(f"line {step.line}: {step.text}: expected {refused}")

    def break_by(self, fault: Fault) -> str:
        """A fault begins or ends; what was expected instead where it cannot, "" when it is done."""
        if self._faults is None:
            return "hw-sim run --faults: without it nothing breaks"
        try:
            self._faults.apply(fault, self.now_ms(), self._real_ms())
        except Unsupported as error:
            return error.expected
        return ""

    def _shuffler_says(self, says: st.Says, now_ms: int) -> None:
        if self.shuffling is not None:
            self.shuffling.says(says, self._deck, self._real_ms(), self.now_ms())

    def inject(self, kind: str, device: str, count: int = 0) -> bool:
        """A fault by name; False when there is no such device or fault."""
        found = self._devices.get(device)
        if found is None:
            return False
        match kind:
            case "unplug":
                found.port.unplug()
            case "plug":
                found.port.plug()
            case "garbage":
                found.port.write(bytes((17 * number + 91) % 256 for number in range(count)))
            case "reboot":
                found.reboot(self._real_ms())
            case _:
                return False
        return True

    def _held(self) -> bool:
        """Whether a paused hand has to wait where it is."""
        if not self._paused or self.control.quitting:
            return False
        if self._steps:
            self._steps -= 1
            return False
        return True

    def handle(self, request: dict[str, Any]) -> dict[str, Any]:
        """Cards are laid down and taken away between hands, as somebody asks on the control channel."""
        try:
            movements, done_ms = asked(request, self._antennas, self._tags, self.now_ms() + HAND_MS)
        except NotHandled as refused:
            return {"ok": False, "expected": refused.expected}
        self.moves(movements)
        return {"ok": True, "until_ms": done_ms}

    def show_badge(self, request: dict[str, Any]) -> dict[str, Any]:
        """A badge is shown to its reader or taken away, as somebody asks on the control channel."""
        if self.badges is None:
            return {"ok": False, "expected": "--badges: this table has no reader of badges"}
        return self.badges.asked(request, self._real_ms())

    def pause(self, on: bool) -> None:
        """Hold the hand where it is; devices stay alive."""
        self._paused = on
        self._steps = 0

    def step(self) -> None:
        """Let a paused hand go on by one act or tap."""
        self._steps += 1

    def status(self) -> dict[str, Any]:
        """Where things are, for the control channel."""
        return {
            "t_ms": self.now_ms(),
            "hand": self._hand,
            "paused": self._paused,
            "devices": {
                serial: {"plugged": device.port.plugged, "hosts": device.hosts}
                for serial, device in self._devices.items()
            },
        }

    def close_hand(self, hand: st.Hand, now_ms: int) -> int:
        """Compare what came of the hand."""
        assert self.dealer is not None
        self.dealer.close_hand(hand)
        return max(now_ms, self.now_ms())

    def close(self) -> None:
        """Take everything down."""
        self.control.close()
        if self._client is not None:
            self._client.close()
        for device in self._devices.values():
            device.port.unplug()
        if self._readers is not None:
            self._readers.close()


def run_live(args: argparse.Namespace, profile: Profile) -> int:
    """``hw-sim run``. Returns 0 when every hand went as expected, 1 otherwise."""
    hands = [from_shoe(hand, args.shoe) for hand in load_hands(args.files, args.house, args.hands)]
    if hands and args.socket is None:
        print("expected --socket PATH: the dealer taps on the table service's socket", file=sys.stderr)
        return 2
    reporter = Reporter(sys.stdout, as_json=args.json)
    for hand in hands[1:]:
        # one deck for the whole run: its deck file is read once
        for key, same in (
            ("registered", hand.registered == hands[0].registered),
            ("deck of its game", hand.plan.faces == hands[0].plan.faces),
        ):
            if not same:
                print(f"{hand.source}: expected the same {key} in every file of a run", file=sys.stderr)
                return 2
    if args.reader != "own" and (args.faults or any(hand.faults for hand in hands)):
        print("expected --reader own with faults: they are put in there", file=sys.stderr)
        return 2
    world = LiveWorld(
        args.folder.absolute(),
        args.socket,
        speed=args.speed,
        seed=args.seed,
        gate=args.burn_gate == "pcsc",
        reporter=reporter,
        hands=hands,
        profile=profile,
        faults=args.faults,
        shoe_error_rate=args.shoe_errors,
        family=args.reader,
        badges=args.badges,
    )
    # asked to end is the same as Ctrl-C: ports and readers are taken away
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    try:
        print(f"ready {args.folder}", flush=True)
        if not hands:
            while not world.control.quitting:
                world.turn()
            return 0
        if world.dealer is not None:
            world.dealer.wait_ready()
        now_ms = world.now_ms()
        habits = Habits(manners=profile.manners, seed=args.seed)
        for hand in hands:
            now_ms = play(hand, world, now_ms, habits)
            if world.control.quitting:
                break
            if world.dealer is not None and not world.dealer.closed:
                # the next hand could not be opened, and all that follows would only say so
                reporter.say("stopped: the hand is not over", "stopped")
                break
        return 1 if reporter.differences else 0
    except TimeoutError as error:
        print(error.strerror, file=sys.stderr)
        return 1
    finally:
        world.close()
