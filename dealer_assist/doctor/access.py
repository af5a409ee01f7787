"""Who may do what with a file: the permission bits, read for somebody else than who asks."""

from __future__ import annotations

from typing import Final, Literal

from dealer_assist.doctor.seen import Node, User

_BITS: Final = {"read": 4, "write": 2, "enter": 1}


def may(user: User, node: Node, do: Literal["read", "write", "enter"]) -> bool:
    """Whether a user may, by mode, owner and group, and whether every folder above lets him through.

    Of a user who does not exist only that is said.
    """
    if user.name == "root" or not user.exists:
        return True
    if not all(_own(user, folder, "enter") for folder in node.above):
        return False
    return _own(user, node, do)


def _own(user: User, node: Node, do: Literal["read", "write", "enter"]) -> bool:
    shift = 6 if node.owner == user.name else 3 if node.group in user.groups else 0
    return bool(node.mode >> shift & _BITS[do])


def others_may_read(user: User, node: Node) -> bool:
    """Whether somebody else than the user and root can read it: by the bits for all, for a group of others, or as its owner."""
    if user.name == "root" or not user.exists:
        return bool(node.mode & 0o004 and all(folder.mode & 0o001 for folder in node.above))
    if node.owner not in (user.name, "root") and node.mode & 0o400:
        return True
    shared = node.group not in ("root", user.groups[0] if user.groups else "")
    through = all(folder.mode & 0o001 for folder in node.above)
    return bool((node.mode & 0o004 and through) or (node.mode & 0o040 and shared))
