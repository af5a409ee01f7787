"""Key files.

The hand key in RAM only and for nobody else, one signing key a table, deck files that nobody reads or alters.
"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer_assist.journal import keys
from dealer_assist.journal.keys import (
    TMPFS_MAGIC,
    DeckFileRefused,
    KeyFileError,
    NotRam,
    RamKeyFile,
    decrypt_deck,
    encrypt_deck,
    file_system_type,
    load_or_create_signing_key,
)

KEY = bytes(range(100, 132))
OTHER = bytes(range(32))
ROOT = Path(__file__).parents[2]


@pytest.fixture
def ram() -> Iterator[Path]:
    """A folder in memory, gone after the test."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder) / "keys"


@pytest.fixture
def disk() -> Iterator[Path]:
    """A folder on a disk: beside the sources, since a temporary folder may be in memory."""
    with tempfile.TemporaryDirectory(dir=ROOT / "tests" / "journal", prefix=".disk-") as folder:
        yield Path(folder)


def test_the_hand_key_comes_back_and_goes(ram: Path) -> None:
    file = RamKeyFile(ram)
    assert file.read() is None
    file.write("h1", KEY)
    assert file.read() == ("h1", KEY)
    assert RamKeyFile(ram).read() == ("h1", KEY), "another process finds it"
    file.write("h2", OTHER)
    assert file.read() == ("h2", OTHER)
    file.erase()
    file.erase()
    assert file.read() is None
    assert list(ram.iterdir()) == []


def test_file_and_folder_are_ours_alone(ram: Path) -> None:
    before = os.umask(0)
    try:
        file = RamKeyFile(ram)
        file.write("h1", KEY)
    finally:
        os.umask(before)
    assert stat.S_IMODE(ram.stat().st_mode) == 0o700
    assert [stat.S_IMODE(entry.stat().st_mode) for entry in ram.iterdir()] == [0o600]


def test_a_disk_is_refused(disk: Path) -> None:
    with pytest.raises(NotRam) as refused:
        RamKeyFile(disk)
    assert refused.value.file_system != TMPFS_MAGIC
    with pytest.raises(NotRam):
        RamKeyFile(disk / "fresh")
    assert list(disk.rglob("*.key*")) == []


def test_a_folder_that_was_swapped_for_a_disk_is_refused_at_each_use(ram: Path, disk: Path) -> None:
    file = RamKeyFile(ram)
    ram.rmdir()
    ram.symlink_to(disk)
    for use in (lambda: file.write("h1", KEY), file.read, file.erase):
        with pytest.raises(KeyFileError):
            use()
    assert list(disk.iterdir()) == []


def test_the_file_system_is_the_kernels_word_not_the_name(disk: Path) -> None:
    with Path("/proc/self/mountinfo").open(encoding="ascii") as mounts:
        kinds = {line.split()[4]: line.partition(" - ")[2].split()[0] for line in mounts}
    for folder in ("/dev/shm", "/proc", str(disk)):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            found = file_system_type(descriptor)
        finally:
            os.close(descriptor)
        mount = max((point for point in kinds if (folder + "/").startswith(point.rstrip("/") + "/")), key=len)
        assert (found == TMPFS_MAGIC) == (kinds[mount] == "tmpfs"), folder


def test_a_shared_folder_is_refused(ram: Path) -> None:
    ram.mkdir(mode=0o755)
    ram.chmod(0o755)
    with pytest.raises(KeyFileError, match="open to others"):
        RamKeyFile(ram)
    with pytest.raises(KeyFileError):
        RamKeyFile(Path("/dev/shm"))


def test_a_missing_parent_is_an_error_of_its_own(ram: Path) -> None:
    with pytest.raises(KeyFileError):
        RamKeyFile(ram / "a" / "b")


def test_a_key_that_others_could_read_is_not_used(ram: Path) -> None:
    file = RamKeyFile(ram)
    file.write("h1", KEY)
    file.path.chmod(0o640)
    with pytest.raises(KeyFileError, match="open to others"):
        file.read()


def test_a_key_with_a_second_name_is_not_used(ram: Path) -> None:
    file = RamKeyFile(ram)
    file.write("h1", KEY)
    os.link(file.path, ram / "copy")
    with pytest.raises(KeyFileError, match="second name"):
        file.read()


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"hand":"h1","key":"AAAA"}', b'{"hand":"h1"}', b"\xff\xfe"]
)
def test_a_damaged_key_is_said_not_guessed(content: bytes, ram: Path) -> None:
    file = RamKeyFile(ram)
    file.write("h1", KEY)
    file.path.write_bytes(content)
    with pytest.raises(KeyFileError, match="damaged"):
        file.read()
    file.write("h2", OTHER)
    assert file.read() == ("h2", OTHER)


def test_the_bytes_go_before_the_name_does(ram: Path) -> None:
    """Whoever still holds the old file open, or a second name of it, sees zeros."""
    file = RamKeyFile(ram)
    for replace in (lambda: file.write("h2", OTHER), file.erase):
        file.write("h1", KEY)
        with file.path.open("rb") as held:
            assert len(held.read()) > 32
            replace()
            held.seek(0)
            assert set(held.read()) == {0}


def test_a_key_half_written_before_a_crash_is_replaced(ram: Path) -> None:
    file = RamKeyFile(ram)
    (ram / "hand.key.new").write_bytes(b"half")
    file.write("h1", KEY)
    assert file.read() == ("h1", KEY)
    (ram / "hand.key.new").write_bytes(b"half")
    file.erase()
    assert list(ram.iterdir()) == []


def test_a_link_is_not_followed(ram: Path, disk: Path) -> None:
    file = RamKeyFile(ram)
    target = disk / "target"
    target.write_bytes(b"")
    file.path.symlink_to(target)
    for use in (lambda: file.write("h1", KEY), file.read):
        with pytest.raises(KeyFileError):
            use()
    assert target.read_bytes() == b""


def test_a_key_of_another_size_is_refused_and_never_said(ram: Path) -> None:
    file = RamKeyFile(ram)
    with pytest.raises(KeyFileError) as refused:
        file.write("h1", b"secretsecret")
    assert "secret" not in str(refused.value)
    assert file.read() is None


def test_the_signing_key_is_made_once(tmp_path: Path) -> None:
    path = tmp_path / "signing.key"
    asked: list[int] = []

    def random_bytes(count: int) -> bytes:
        asked.append(count)
        return KEY

    assert load_or_create_signing_key(path, random_bytes) == KEY
    assert load_or_create_signing_key(path, random_bytes) == KEY
    assert asked == [32]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["signing.key"]


def test_two_that_start_at_once_get_one_key(tmp_path: Path) -> None:
    path = tmp_path / "signing.key"

    def another_comes_first(count: int) -> bytes:
        load_or_create_signing_key_elsewhere(path)
        return OTHER

    def load_or_create_signing_key_elsewhere(path: Path) -> None:
        code = (
            "import sys; from pathlib import Path; from dealer_assist.journal.keys import load_or_create_signing_key as make;"
            "make(Path(sys.argv[1]), lambda count: bytes(range(100, 132)))"
        )
        subprocess.run([sys.executable, "-c", code, path], cwd=ROOT, check=True)

    assert load_or_create_signing_key(path, another_comes_first) == KEY
    assert [file.name for file in tmp_path.iterdir()] == ["signing.key"]


def test_a_signing_key_that_will_not_do_is_said(tmp_path: Path) -> None:
    path = tmp_path / "signing.key"
    with pytest.raises(KeyFileError):
        load_or_create_signing_key(path, lambda count: b"few")
    assert list(tmp_path.iterdir()) == []
    load_or_create_signing_key(path, lambda count: KEY)
    path.chmod(0o644)
    with pytest.raises(KeyFileError, match="open to others"):
        load_or_create_signing_key(path, lambda count: KEY)
    path.chmod(0o600)
    path.write_bytes(b"")
    with pytest.raises(KeyFileError, match="not a signing key"):
        load_or_create_signing_key(path, lambda count: KEY)
    with pytest.raises(KeyFileError):
        load_or_create_signing_key(tmp_path / "none" / "signing.key", lambda count: KEY)


@given(st.binary(max_size=2000), st.binary(min_size=24, max_size=24))
def test_a_deck_file_opens_with_its_key_only(plain: bytes, nonce: bytes) -> None:
    blob = encrypt_deck(plain, KEY, nonce)
    assert decrypt_deck(blob, KEY) == plain
    assert len(plain) < 8 or plain not in blob[-len(plain) - 16 :]
    with pytest.raises(DeckFileRefused):
        decrypt_deck(blob, OTHER)


def test_any_altered_byte_of_a_deck_file_is_refused() -> None:
    blob = encrypt_deck(b'{"deck": 1}', KEY, bytes(24))
    for place in range(len(blob)):
        with pytest.raises(DeckFileRefused):
            decrypt_deck(blob[:place] + bytes([blob[place] ^ 1]) + blob[place + 1 :], KEY)
        with pytest.raises(DeckFileRefused):
            decrypt_deck(blob[:place], KEY)


def test_a_deck_file_is_never_encrypted_with_less_than_it_takes() -> None:
    for key, nonce in ((b"short", bytes(24)), (KEY, bytes(12))):
        with pytest.raises(DeckFileRefused):
            encrypt_deck(b"plain", key, nonce)
    with pytest.raises(DeckFileRefused):
        decrypt_deck(encrypt_deck(b"plain", KEY, bytes(24)), b"short")


def test_values_that_hold_a_key_do_not_print_it() -> None:
    assert "key" not in repr(keys._HandKey("h1", KEY)).replace("_HandKey", "")
