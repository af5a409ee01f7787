"""The files of a table's desk, in its data folder: decks (encrypted), their register, receipts, the calibration, traces.

Every file is written beside its place, made durable and renamed there: after a power cut there is the old one or the new one. Decks and
unfinished registrations are as good as seeing every hand, so they are encrypted with the table's key; a simulated deck is no secret.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from dealer_assist.journal.files import sync_folder
from dealer_assist.journal.keys import NONCE_BYTES, DeckFileRefused, decrypt_deck, encrypt_deck
from dealer_assist.table.deckfile import Deck, read_deck
from dealer_assist.table.equipment.files import CalibrationFile, NotStored, Unfinished
from dealer_assist.table.equipment.receipts import Receipt
from dealer_assist.table.equipment.register import DeckRegister

#: Receipts are kept for 7 days at least by rule; so many of them are years.
MAX_RECEIPTS: Final = 10_000
#: So many recordings are kept.
MAX_TRACES: Final = 100
_NOT_A_NAME: Final = re.compile(r"[^a-z0-9]+")
_T = TypeVar("_T")


class EquipmentFolder:
    """The desk's files (see :class:`dealer_assist.table.equipment.files.EquipmentFiles`). ``key``: the table's, None for none.

    ``random_bytes`` gives the nonce of each encrypted file. Reading raises :class:`DeckFileRefused`, DeckFileError or OSError.
    """

    def __init__(
        self, folder: Path, key: bytes | None, *, simulated: bool, random_bytes: Callable[[int], bytes]
    ) -> None:
        self._folder = folder
        self._decks = folder / "decks"
        self._key = key
        self._simulated = simulated
        self._random_bytes = random_bytes

    def __repr__(self) -> str:
        return f"EquipmentFolder({str(self._folder)!r})"

    def can_keep_decks(self, *, simulated: bool) -> bool:
        """Whether a deck file may be written."""
        return simulated or self._key is not None

    # -- decks ---------------------------------------------------------------------------------------------------------------------

    def load_register(self) -> DeckRegister:
        """The register."""
        return self._load(self._folder / "decks.json", DeckRegister) or DeckRegister()

    def save_register(self, register: DeckRegister) -> None:
        """Keep it."""
        self._save(self._folder / "decks.json", _json(register))

    def load_decks(self) -> list[Deck]:
        """Every deck that was registered here, by its file's name."""
        decrypt = None if self._key is None else self._decrypt
        return [
            read_deck(path.read_bytes(), str(path), decrypt=decrypt, simulate=self._simulated)
            for path in sorted(self._decks.glob("*.deck"))
        ]

    def save_deck(self, deck: Deck) -> None:
        """Keep a deck."""
        self._save(self._decks / f"{_slug(deck.deck)}.deck", self._sealed(_json(deck), deck))

    def load_unfinished(self, deck: str) -> Unfinished | None:
        """A registration that was left off."""
        path = self._decks / f"{_slug(deck)}.part"
        try:
            content = path.read_bytes()
            if not content.startswith(b"{"):
                content = self._decrypt(content)
            return msgspec.json.decode(content, type=Unfinished)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise NotStored(_reason(error)) from None
        except (DeckFileRefused, msgspec.DecodeError):
            raise NotStored("damaged") from None

    def save_unfinished(self, unfinished: Unfinished) -> None:
        """Keep a registration as it stands."""
        path = self._decks / f"{_slug(unfinished.deck.deck)}.part"
        self._save(path, self._sealed(_json(unfinished), unfinished.deck))

    def drop_unfinished(self, deck: str) -> None:
        """Forget it."""
        try:
            (self._decks / f"{_slug(deck)}.part").unlink(missing_ok=True)
        except OSError as error:
            raise NotStored(_reason(error)) from None

    def _decrypt(self, content: bytes) -> bytes:
        if self._key is None:
            raise DeckFileRefused("an encrypted deck file needs keys.table_key in the table configuration")
        return decrypt_deck(content, self._key)

    def _sealed(self, plain: bytes, deck: Deck) -> bytes:
        if deck.simulated:
            return plain
        if self._key is None:
            raise NotStored("no_table_key")
        return encrypt_deck(plain, self._key, self._random_bytes(NONCE_BYTES))

    # -- receipts, calibration, traces ---------------------------------------------------------------------------------------------

    def receipts(self) -> Sequence[Receipt]:
        """All receipts, oldest first."""
        return self._load(self._folder / "receipts.json", tuple[Receipt, ...]) or ()

    def add_receipt(self, receipt: Receipt) -> None:
        """Keep a receipt."""
        try:
            kept = (*self.receipts(), receipt)[-MAX_RECEIPTS:]
        except OSError:
            raise NotStored("damaged") from None
        self._save(self._folder / "receipts.json", _json(kept))

    def load_calibration(self) -> CalibrationFile | None:
        """The calibration in force."""
        return self._load(self._folder / "calibration.json", CalibrationFile)

    def save_calibration(self, calibration: CalibrationFile) -> None:
        """Keep it."""
        self._save(self._folder / "calibration.json", _json(calibration))

    def save_trace(self, name: str, lines: Iterable[bytes]) -> str:
        """Write a trace, never over another one."""
        path = self._folder / "traces" / name
        number = 1
        while path.exists():
            number += 1
            path = self._folder / "traces" / f"{number}-{name}"
        self._save(path, b"".join(lines))
        with contextlib.suppress(OSError):
            for old in sorted(path.parent.glob("*.jsonl"), key=lambda file: file.stat().st_mtime_ns)[
                :-MAX_TRACES
            ]:
                old.unlink()
        return str(path)

    # -- the disk ------------------------------------------------------------------------------------------------------------------

    def _load(self, path: Path, kind: type[_T]) -> _T | None:
        try:
            return msgspec.json.decode(path.read_bytes(), type=kind)
        except FileNotFoundError:
            return None
        except msgspec.DecodeError:
            raise OSError(0, "expected what this program has written there", str(path)) from None

    def _save(self, path: Path, content: bytes) -> None:
        """Durable when it returns. Raises NotStored."""
        unfinished = path.with_name(f".{path.name}.new")
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(
                unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600
            )
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
            sync_folder(path.parent)
        except OSError as error:
            raise NotStored(_reason(error)) from None


def _json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def _slug(name: str) -> str:
    """The name of a deck's file: what can be read of its name, and enough of a digest that two decks never share one."""
    return f"{_NOT_A_NAME.sub('-', name.lower()).strip('-') or 'deck'}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def _reason(error: OSError) -> str:
    """A word for the screen."""
    return {28: "disk_full", 30: "read_only", 13: "permission"}.get(error.errno or 0, "disk")
