"""Script lines of the dealer's hands, of devices, and of time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, cast

from firmware_protocol.messages import ShufflerResult, ShufflerStatus
from hw_sim import faults
from hw_sim import steps as st
from hw_sim.handling import EACH_MS, TOUCH_MS
from hw_sim.script_words import PLACES, Bad, ms, number, place, seat, suffixes

Handler = Callable[[list[str]], list[st.Step]]

_STATES: Final = [status.value for status in ShufflerStatus]
_RESULTS: Final = [result.value for result in ShufflerResult]
_SHOE: Final = ("miss", "up", "extra")
_VERDICT: Final = f"verdict COUNT [EXPECTED] [{'|'.join(_RESULTS)}]"


def _deal(words: list[str]) -> list[st.Step]:
    rest, unread, late = suffixes(words[1:])
    if not rest or rest == ["rest"]:
        return [st.DealRest(late)]
    return [st.Pitch(seat(word), unread=bool(unread), late_ms=late) for word in rest]


def _burn(words: list[str]) -> list[st.Step]:
    rest, unread, late = suffixes(words[1:])
    if rest:
        raise Bad("burn [unread] [late TIME]")
    return [st.Burn(unread=bool(unread), late_ms=late)]


def _board(words: list[str]) -> list[st.Step]:
    rest, unread, late = suffixes(words[1:])
    zone: st.BoardZone = "board"
    if rest[1:2] == ["on"] and rest[2:] in (["2"], ["3"]):
        zone = "board2" if rest[2] == "2" else "board3"
    elif len(rest) != 1:
        raise Bad("board COUNT [on 2|on 3] [unread [COUNT]] [late TIME]")
    return [st.Board(number(rest[0], 1, 5), unread, late, zone)]


def _move(words: list[str]) -> list[st.Step]:
    if len(words) not in (3, 4):
        raise Bad(f"move FROM TO [COUNT]: places {PLACES}")
    count = number(words[3], 1, 10) if len(words) == 4 else 1
    return [st.Move(place(words[1]), place(words[2]), count)]


def _discard(words: list[str]) -> list[st.Step]:
    if len(words) not in (2, 3):
        raise Bad("discard SEAT [COUNT]")
    return [st.Discard(seat(words[1]), number(words[2], 1, 4) if len(words) == 3 else 1)]


def _foreign(words: list[str]) -> list[st.Step]:
    if len(words) not in (2, 3):
        raise Bad("foreign PLACE [COUNT]")
    return [st.Foreign(place(words[1], whole=True), number(words[2], 1, 5) if len(words) == 3 else 1)]


def _stranger(words: list[str]) -> list[st.Step]:
    if len(words) != 2:
        raise Bad("stranger PLACE")
    return [st.Stranger(place(words[1], whole=True))]


def _deck(words: list[str]) -> list[st.Step]:
    if len(words) != 2 or words[1] not in ("A", "B"):
        raise Bad("deck A | deck B")
    return [st.UseDeck(cast("Literal['A', 'B']", words[1]))]


def _shuffler(words: list[str]) -> list[st.Step]:
    if len(words) != 2 or words[1] not in _STATES:
        raise Bad(f"shuffler {'|'.join(_STATES)}")
    return [st.ShufflerState(words[1])]


def _shoe(words: list[str]) -> list[st.Step]:
    if words[1:] in (["on"], ["on", "faces"]):
        return [st.ShoeOn(faces=len(words) == 3)]
    if len(words) != 2 or words[1] not in _SHOE:
        raise Bad(f"shoe on [faces], before the deal, or shoe {'|'.join(_SHOE)}")
    return [st.ShoeOdd(cast("Literal['miss', 'up', 'extra']", words[1]))]


def _verdict(words: list[str]) -> list[st.Step]:
    rest = words[1:]
    result = rest.pop() if rest and rest[-1] in _RESULTS else ""
    if not 1 <= len(rest) <= 2:
        raise Bad(_VERDICT)
    counts = [number(word, 0, 255) for word in rest]
    return [st.ShufflerVerdict(counts[0], counts[1] if len(counts) == 2 else None, result)]


def _lay(words: list[str]) -> list[st.Step]:
    if len(words) not in (3, 4) or words[1] not in ("A", "B"):
        raise Bad("lay A|B PLACE [TIME], as lay A muck 1s")
    each_ms = ms(words[3]) if len(words) == 4 else EACH_MS
    return [st.LayDeck(cast("Literal['A', 'B']", words[1]), place(words[2], whole=True), each_ms)]


def _touch(words: list[str]) -> list[st.Step]:
    if len(words) not in (2, 3):
        raise Bad("touch PLACE [TIME], as touch seat3 5s")
    return [st.Touch(place(words[1], whole=True), ms(words[2]) if len(words) == 3 else TOUCH_MS)]


def _wait(words: list[str]) -> list[st.Step]:
    if len(words) != 2:
        raise Bad("wait TIME, as wait 2s")
    return [st.Wait(ms(words[1]))]


def _fault(words: list[str]) -> list[st.Step]:
    if words[0] == "garbage":
        if len(words) != 3:
            raise Bad("garbage DEVICE COUNT")
        return [st.Fault("garbage", words[1], number(words[2], 1, 100_000))]
    if len(words) != 2:
        raise Bad(f"{words[0]} DEVICE")
    return [st.Fault(words[0], words[1])]


def _inject(words: list[str]) -> list[st.Step]:
    return [st.Inject(faults.parse(words[1:]), " ".join(words))]


def _plain(step: st.Step) -> Handler:
    def handler(words: list[str]) -> list[st.Step]:
        if len(words) != 1:
            raise Bad(f"{words[0]} alone on its line")
        return [step]

    return handler


ACTS: Final[dict[str, Handler]] = {
    "deal": _deal,
    "burn": _burn,
    "board": _board,
    "move": _move,
    "discard": _discard,
    "foreign": _foreign,
    "stranger": _stranger,
    "deck": _deck,
    "gather": _plain(st.Gather()),
    "shuffle": _plain(st.Shuffle()),
    "shuffler": _shuffler,
    "shoe": _shoe,
    "verdict": _verdict,
    "wait": _wait,
    "lay": _lay,
    "touch": _touch,
    "unplug": _fault,
    "plug": _fault,
    "garbage": _fault,
    "fault": _inject,
}
