"""The one way in which a port says that it is gone."""

from __future__ import annotations

import errno
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import serial

LINK_ERRORS: Final = (serial.SerialException, OSError, termios.error, TypeError, ValueError)
"""All that pyserial lets out when a port hangs up: SerialException, a bare OSError 5, termios.error (no OSError), TypeError from a
closed descriptor, ValueError from a descriptor of -1. SerialTimeoutException is a SerialException."""

_BY_ERRNO: Final = {
    errno.ENOENT: "no_port",
    errno.ENODEV: "no_port",
    errno.ENXIO: "no_port",
    errno.EACCES: "no_permission",
    errno.EPERM: "no_permission",
    errno.EBUSY: "in_use",
    errno.EAGAIN: "in_use",
}


class LinkLost(Exception):
    """The link to a device is gone.

    ``reason`` is a code: unplugged, write_timeout, no_port, no_permission, in_use, bad_port, ambiguous_port,
    none_of_ports (several could be the device's, and on none it answers), silent, no_answer.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


@contextmanager
def mapping(default: str) -> Iterator[None]:
    """Turn whatever a port raises into LinkLost; ``default`` is the reason when the error itself tells none."""
    try:
        yield
    except serial.SerialTimeoutException as error:
        raise LinkLost("write_timeout") from error
    except LINK_ERRORS as error:
        number = getattr(error, "errno", None)
        reason = _BY_ERRNO.get(number, default) if default == "bad_port" and number is not None else default
        raise LinkLost(reason) from error
