"""PC/SC calls with one way to fail: no monitor threads, no context that is shared or kept beyond an error.

pyscard's own monitors die silently when pcscd restarts (and take their observers with them), its process-wide context stays stale;
so these calls use the C-level functions, and whoever gets a :class:`ServiceLost` makes a new :class:`Context`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any, Final

from smartcard import scard

GET_UID: Final = bytes.fromhex("FFCA000000")
"""Get Data, UID, of PC/SC part 3: 4, 7 or 10 bytes of an ISO 14443 A card, 8 of an ISO 15693 one (Identiv uTrust 3720F manual p. 31)."""

MAX_READERS: Final = 16
"""PCSCLITE_MAX_READERS_CONTEXTS of Debian's pcscd (``pcscd --version``): readers beyond them do not show up anywhere."""

NO_PERMISSION: Final[int] = scard.SCARD_W_SECURITY_VIOLATION
"""What a pcscd that asks polkit answers to a user whom no rule lets in."""

STATE_PRESENT: Final[int] = scard.SCARD_STATE_PRESENT
STATE_MUTE: Final[int] = scard.SCARD_STATE_MUTE
STATE_GONE: Final[int] = scard.SCARD_STATE_UNKNOWN | scard.SCARD_STATE_UNAVAILABLE
STATE_UNAWARE: Final[int] = scard.SCARD_STATE_UNAWARE

_UID_SIZES: Final = frozenset((4, 7, 8, 10))
ISO15693_SIZE: Final = 8
ISO15693_FIRST: Final = 0xE0
_NO_CARD: Final = frozenset(
    (
        scard.SCARD_W_REMOVED_CARD,
        scard.SCARD_E_NO_SMARTCARD,
        scard.SCARD_W_RESET_CARD,
        scard.SCARD_W_UNPOWERED_CARD,
    )
)
_NO_DEVICE: Final = frozenset((scard.SCARD_E_UNKNOWN_READER, scard.SCARD_E_READER_UNAVAILABLE))
_NO_SERVICE: Final = frozenset(
    (
        scard.SCARD_E_NO_SERVICE,
        scard.SCARD_E_SERVICE_STOPPED,
        scard.SCARD_E_INVALID_HANDLE,
        scard.SCARD_F_COMM_ERROR,
        scard.SCARD_F_INTERNAL_ERROR,
        scard.SCARD_E_CANCELLED,
        scard.SCARD_E_SYSTEM_CANCELLED,
    )
)
_NO_READER: Final = _NO_DEVICE | {scard.SCARD_E_NO_READERS_AVAILABLE}


class ServiceLost(Exception):
    """pcscd does not answer, or no more on this context. ``code``: the PC/SC error, 0 for an error of the binding itself."""

    def __init__(self, code: int) -> None:
        self.code = code
        super().__init__(f"0x{code & 0xFFFFFFFF:08X}")


class CardFault(Exception):
    """A card is there but gave no UID.

    ``reason`` is a code: mute, in_use, removed, reader_gone, not_supported, refused, bad_answer, reversed, unequal, not_transacted,
    failed.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def _call(function: Any, *arguments: Any) -> tuple[int, list[Any]]:
    """Call the binding. It raises a bare SystemError, among others, when pcscd goes away in the middle of a call."""
    try:
        result = function(*arguments)
    except Exception as error:
        raise ServiceLost(0) from error
    if isinstance(result, int):
        return result, []
    return int(result[0]), list(result[1:])


def _checked(function: Any, *arguments: Any) -> list[Any]:
    code, values = _call(function, *arguments)
    if code != scard.SCARD_S_SUCCESS:
        raise ServiceLost(code)
    return values


class Context:
    """A connection to pcscd. Any ServiceLost ends its use: :meth:`release` it and make another."""

    def __init__(self) -> None:
        self._context = _checked(scard.SCardEstablishContext, scard.SCARD_SCOPE_SYSTEM)[0]

    def readers(self) -> list[str]:
        """The names of all readers."""
        code, values = _call(scard.SCardListReaders, self._context, [])
        if code == scard.SCARD_E_NO_READERS_AVAILABLE:
            return []
        if code != scard.SCARD_S_SUCCESS:
            raise ServiceLost(code)
        return [str(name) for name in values[0]]

    def changes(self, known: Sequence[tuple[str, int]], timeout_ms: int) -> list[tuple[str, int]] | None:
        """The states of readers as soon as one differs from what is ``known``, or None after ``timeout_ms``.

        A state's upper half counts cards that came and went, so that a quick exchange shows.
        """
        code, values = _call(scard.SCardGetStatusChange, self._context, timeout_ms, list(known))
        if code == scard.SCARD_E_TIMEOUT:
            return None
        if code in _NO_READER:
            return [(name, STATE_GONE) for name, _ in known]
        if code != scard.SCARD_S_SUCCESS:
            raise ServiceLost(code)
        return [(str(name), int(state)) for name, state, *_ in values[0]]

    def cancel(self) -> None:
        """End a wait in another thread. Never raises."""
        with contextlib.suppress(ServiceLost):
            _call(scard.SCardCancel, self._context)

    def release(self) -> None:
        """Give the context back. Never raises: pcscd may be gone."""
        with contextlib.suppress(ServiceLost):
            _call(scard.SCardReleaseContext, self._context)

    def uid(
        self,
        reader: str,
        state: int,
        counters: dict[str, int],
        *,
        lsb_first: bool = False,
        power_off: bool = False,
        setup: Sequence[bytes] = (),
    ) -> bytes:
        """The UID of the card on a reader in ``state``, read twice over, in shared mode; ``counters`` counts harmless oddities.

        No transaction: to wait for somebody else's would make every other reader of this thread deaf, and each exchange stands for
        itself. ``lsb_first``: the reader gives UIDs of ISO 15693 back to front. ``power_off``: take the card's power away afterwards,
        which has the reader select it anew. ``setup``: commands to the reader that go before; one that is refused is counted.
        Raises CardFault, or ServiceLost.
        """
        if state & STATE_MUTE:
            raise CardFault("mute")
        code, values = _call(
            scard.SCardConnect,
            self._context,
            reader,
            scard.SCARD_SHARE_SHARED,
            scard.SCARD_PROTOCOL_T0 | scard.SCARD_PROTOCOL_T1,
        )
        _check_card(code)
        card, protocol = values
        try:
            for command in setup:
                _, status = _transmit(card, protocol, command)
                # An ACR122U answers with two bytes of its own state, whose first is 90 as well.
                _count(counters, "setup_done" if status >> 8 == 0x90 else "setup_refused")
            first = _read_uid(card, protocol, counters)
            if _read_uid(card, protocol, counters) != first:
                raise CardFault("unequal")
            return _in_order(first, lsb_first=lsb_first)
        finally:
            disposition = scard.SCARD_UNPOWER_CARD if power_off else scard.SCARD_LEAVE_CARD
            with contextlib.suppress(ServiceLost):
                _call(scard.SCardDisconnect, card, disposition)


def _check_card(code: int) -> None:
    if code == scard.SCARD_S_SUCCESS:
        return
    if code in _NO_SERVICE:
        raise ServiceLost(code)
    if code in _NO_CARD:
        raise CardFault("removed")
    if code in _NO_DEVICE:
        raise CardFault("reader_gone")
    if code == scard.SCARD_E_NOT_TRANSACTED:
        raise CardFault("not_transacted")
    if code == scard.SCARD_E_SHARING_VIOLATION:
        raise CardFault("in_use")
    if code == scard.SCARD_W_UNRESPONSIVE_CARD:
        raise CardFault("mute")
    raise CardFault("failed")


def _read_uid(card: Any, protocol: int, counters: dict[str, int]) -> bytes:
    data, status = _transmit(card, protocol, GET_UID)
    if status >> 8 == 0x6C:  # wrong length: the reader names the right one
        _count(counters, "wrong_length")
        data, status = _transmit(card, protocol, GET_UID[:4] + bytes((status & 0xFF,)))
    if status == 0x6282:  # fewer bytes than asked for: what came is the UID
        _count(counters, "short_answer")
    elif status == 0x6300:
        raise CardFault("refused")
    elif status in (0x6A81, 0x6D00, 0x6E00):
        raise CardFault("not_supported")
    elif status != 0x9000:
        raise CardFault("bad_answer")
    if len(data) not in _UID_SIZES:
        data = _said_once(data)
        _count(counters, "repeated_uid")
    return data


def _said_once(data: bytes) -> bytes:
    """Some ACR122U clones give one card's UID several times over (github.com/nfc-tools/mfoc/issues/80; over PC/SC [unverified])."""
    for times in (2, 3):
        size = len(data) // times
        if size in _UID_SIZES and data == data[:size] * times:
            return data[:size]
    raise CardFault("bad_answer")


def _in_order(uid: bytes, *, lsb_first: bool) -> bytes:
    """Most significant byte first. A UID of ISO 15693 begins with E0; one that ends with it came from a reader set up wrongly."""
    if len(uid) != ISO15693_SIZE:
        return uid
    if lsb_first:
        uid = uid[::-1]
    if uid[0] != ISO15693_FIRST and uid[-1] == ISO15693_FIRST:
        raise CardFault("reversed")
    return uid


def _transmit(card: Any, protocol: int, command: bytes) -> tuple[bytes, int]:
    pci = scard.SCARD_PCI_T1 if protocol == scard.SCARD_PROTOCOL_T1 else scard.SCARD_PCI_T0
    code, values = _call(scard.SCardTransmit, card, pci, list(command))
    _check_card(code)
    answer = bytes(byte & 0xFF for byte in values[0])
    if len(answer) < 2:
        return answer, 0
    return answer[:-2], answer[-2] << 8 | answer[-1]


def _count(counters: dict[str, int], name: str) -> None:
    counters[name] = counters.get(name, 0) + 1
