"""The staff file: whose badge is whose, who may sign in as the floor, and what a dealer has the screen like (docs/staff.md).

It is TOML, written by `dealer-assist staff` and readable by people; a table looks at it again when it has changed. A PIN is in it only
as a hash that is worth nothing without the key of badges.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Final

import msgspec

from dealer_assist.config.files import read
from dealer_assist.config.sections import Badge, Name
from dealer_assist.domain.floor import HandSide, StaffRole
from dealer_assist.domain.languages import Language
from firmware_protocol.toml_check import KeyPath, shown
from firmware_protocol.toml_errors import ConfigError, Document, Problem

_HEAD: Final = (
    "# Written by `dealer-assist staff`: docs/staff.md. Badges are keyed hashes, PINs are Argon2id hashes.\n"
)
MOST_PEOPLE: Final = 5000

Number = Annotated[int, msgspec.Meta(ge=1, le=999_999, description="a staff number from 1 to 999999")]
PinHash = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^\$argon2id\$v=19\$m=[0-9]{1,7},t=[0-9]{1,3},p=1\$[A-Za-z0-9+/]{16,64}\$[A-Za-z0-9+/]{16,128}\Z",
        description="a PIN's hash as `dealer-assist staff pin` writes it",
    ),
]
Day = Annotated[
    str, msgspec.Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z", description='a day as "2026-11-30"')
]


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """One of the staff. ``number`` names him for ever; ``retired``: his badge opens nothing since that day.

    ``language``, ``hand``: what his screen is like when he deals. ``pin``: None for none, he cannot sign in.
    """

    number: Number
    name: Name
    role: StaffRole = "dealer"
    badge: Badge | None = None
    language: Language | None = None
    hand: HandSide | None = None
    pin: PinHash | None = None
    retired: Day | None = None

    def __repr__(self) -> str:
        return f"Person({self.number}, {self.role})"

    @property
    def active(self) -> bool:
        """Whether his badge counts."""
        return self.retired is None


class Staff(msgspec.Struct, frozen=True, kw_only=True):
    """Everybody, also those who have left: their numbers stay theirs."""

    staff: tuple[Person, ...] = ()

    def of_badge(self, badge: str) -> Person | None:
        """Whose badge it is now; None where it is nobody's."""
        return next((person for person in self.staff if person.active and person.badge == badge), None)

    def of_number(self, number: int) -> Person | None:
        """The person with this number."""
        return next((person for person in self.staff if person.number == number), None)

    def with_person(self, person: Person) -> Staff:
        """With this person in place of who had his number, or added; in the order of the numbers."""
        others = [other for other in self.staff if other.number != person.number]
        return Staff(staff=tuple(sorted([*others, person], key=lambda one: one.number)))


def load_staff(path: Path) -> Staff:
    """The staff file; raise :class:`ConfigError` with the place of every mistake."""
    document = read(path)
    staff = document.convert(Staff)
    problems = list(_mistakes(document, staff))
    if problems:
        raise ConfigError(document.file, problems)
    return staff


def _mistakes(document: Document, staff: Staff) -> Iterator[Problem]:
    people = list(enumerate(staff.staff))
    if len(people) > MOST_PEOPLE:
        yield document.problem(("staff",), f"at most {MOST_PEOPLE} people", f"{len(people)}")
    yield from _twice(
        document, "a number that nobody else has", [(k, "number", each.number) for k, each in people]
    )
    here = [(k, each) for k, each in people if each.active]
    yield from _twice(
        document,
        "a name that nobody else has who has not left",
        [(k, "name", each.name) for k, each in here],
    )
    badges = [(k, "badge", each.badge) for k, each in here if each.badge is not None]
    yield from _twice(document, "a badge that nobody else has", badges)


def _twice(
    document: Document, expected: str, values: Iterable[tuple[int, str, str | int]]
) -> Iterator[Problem]:
    seen: set[str | int] = set()
    for index, key, value in values:
        if value in seen:
            path: KeyPath = ("staff", index, key)
            yield document.problem(path, expected, f"{shown(value)} again")
        seen.add(value)


def as_toml(staff: Staff) -> str:
    """The text of a staff file. Names are free text: they are written as JSON strings, which TOML's basic strings hold."""
    parts = [_HEAD]
    for person in staff.staff:
        lines = ["", "[[staff]]"]
        for key in Person.__struct_fields__:
            value = getattr(person, key)
            if value is not None:
                lines.append(f"{key} = {msgspec.json.encode(value).decode()}")
        parts.append("\n".join(lines) + "\n")
    return "".join(parts)


def save_staff(path: Path, staff: Staff) -> None:
    """Write the file, mode 0640 unless it is there with another one; it is the old one or the new one, whenever the power goes.

    Raises OSError.
    """
    unfinished = path.with_name(f".{path.name}.new")
    mode = 0o640
    with contextlib.suppress(FileNotFoundError):
        mode = path.stat().st_mode & 0o777
    descriptor = os.open(
        unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, mode
    )
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(as_toml(staff))
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


class StaffFile:
    """A staff file that may change while a table runs. ``staff``: as it was when it was last sound; ``wrong``: what is wrong now.

    A change is read on a thread of its own: thousands of people take half a second, in which a table would see no card.
    """

    def __init__(self, path: Path) -> None:
        """Raises :class:`ConfigError`: a table does not begin with a file that it cannot read."""
        self._path = path
        self._seen = self._stamp()
        self.staff = load_staff(path)
        self.wrong = ""
        self._reading: threading.Thread | None = None
        #: what the thread has read: the staff, None where it is not sound, and what is wrong
        self._found: tuple[Staff | None, str] | None = None

    @property
    def arrived(self) -> bool:
        """Whether a change was read that :meth:`look` has not taken over yet."""
        return self._found is not None

    def look(self) -> bool:
        """Take over what was read, and begin to read where the file has changed; it waits for neither.

        Returns whether anything is other than before. A file that is wrong changes nobody's rights.
        """
        before = self.staff, self.wrong
        if self._found is not None:
            staff, self.wrong = self._found
            if staff is not None:
                self.staff = staff
            self._found = self._reading = None
        if self._reading is None:
            seen = self._stamp()
            if seen != self._seen:
                self._seen = seen
                self._reading = threading.Thread(target=self._read, name="staff file", daemon=True)
                self._reading.start()
        return (self.staff, self.wrong) != before

    def _read(self) -> None:
        found: tuple[Staff | None, str] = (None, self._path.name)
        try:
            found = (load_staff(self._path), "")
        except ConfigError as error:
            found = (None, f"{self._path.name}:{error.line}")
        finally:
            self._found = found

    def _stamp(self) -> tuple[int, int, int]:
        try:
            found = self._path.stat()
        except OSError:
            return (0, 0, 0)
        return found.st_ino, found.st_mtime_ns, found.st_size
