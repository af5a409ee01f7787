"""Whole hands as published by texasholdem (SirRender00, MIT, commit 84aaee0, tests/pgns): stacks, cards, actions, who wins which pot.

Players are numbered as there: 0 has the button, 1 is left of it; heads-up 0 has the small blind. Streets are divided by "/", a raise names
its total. What the source pays as a pot of one player, an uncalled bet, is ``returned`` here. Where it lets the last seat raise opponents
who are all all-in, by chips that nobody can match, that seat goes "all_in" here, which is a call.
"""

from __future__ import annotations

from typing import Final

import msgspec

PotOf = tuple[int, tuple[int, ...]]


class PublicHand(msgspec.Struct, frozen=True):
    """``pots``: amount and winners, main first. ``refused``: the code of the refusal of the last action."""

    blinds: tuple[int, int]
    stacks: tuple[int, ...]
    actions: str
    cards: str = ""
    board: str = ""
    pots: tuple[PotOf, ...] = ()
    returned: tuple[tuple[int, int], ...] = ()
    refused: str = ""


_FOUR = "5dKc Kd6h Ks2d KhTc"
_FIVES = "3 call, 0 call, 1 call, 2 check"
_CHECKED = " / 1 check, 2 check, 3 check, 0 check"
_LIMPED_SIX = "3 call, 4 call, 5 call, 0 call, 1 call, 2 check"
_SIX_CHECKED = " / 1 check, 2 check, 3 check, 4 check, 5 check, 0 check"
_OPENED = "3 fold, 4 fold, 5 fold, 0 call, 1 call, 2 raise 12, 0 call, 1 call / 1 raise 13, 2 fold, 0 call"
_SIX = (500,) * 6

GOOD: Final[dict[str, PublicHand]] = {
    "call_game_6": PublicHand(
        (2, 5),
        _SIX,
        _LIMPED_SIX + 3 * _SIX_CHECKED,
        "QhAc Jd3c 2hKc 9c4h TdKd 6hAs",
        "3s7h8hQsJs",
        ((30, (1,)),),
    ),
    "call_last_pot_6": PublicHand(
        # The big blind has 1 of 5; who has 1 chip cannot win what the others have beyond it.
        (2, 5),
        (10, 32, 1, 1, 1163, 143),
        "3 call, 4 raise 374, 5 fold, 0 fold, 1 fold",
        "4s5h Ac6d 9sQd 6c9c 2d4h Td8d",
        "6s2cQh4c3s",
        ((4, (4,)), (2, (4,))),
        ((4, 372),),
    ),
    "empty_pot_6": PublicHand(
        (2, 5),
        (20, 145, 145, 128, 150, 150, 150, 128, 334),
        "3 raise 50, 4 call, 5 raise 146, 6 fold, 7 call, 8 raise 292, 0 call, 1 fold, 2 call, 3 fold, 4 call, 5 call",
        "Td4h 3d2d Tc7d JcKc 6d8d 6s8c 5c9s JhKd 7sKs",
        "7h3sJs4cQh",
        ((142, (7,)), (570, (7,)), (68, (8,)), (15, (8,))),
        ((8, 142),),
    ),
    "end_raise_exception_4": PublicHand(
        (2, 5),
        (140, 150, 100, 80),
        f"{_FIVES}{_CHECKED} / 1 check, 2 check, 3 check, 0 raise 10, 1 raise 60, 2 raise 95, 3 call, 0 raise 135, 1 all_in",
        _FOUR,
        "QdAcTsJsTd",
        ((320, (1, 2, 3, 0)), (60, (1, 2, 0)), (80, (1, 0))),
    ),
    "fold_flop_5": PublicHand(
        (10, 20),
        (100,) * 5,
        "3 fold, 4 fold, 0 fold, 1 call, 2 check / 1 raise 20, 2 fold",
        pots=((40, (1,)),),
        returned=((1, 20),),
    ),
    "fold_preflop_9": PublicHand(
        (2, 5),
        (500,) * 9,
        "3 raise 15, 4 fold, 5 fold, 6 fold, 7 fold, 8 fold, 0 fold, 1 fold, 2 fold",
        pots=((12, (3,)),),
        returned=((3, 10),),
    ),
    "fold_river_6": PublicHand(
        (2, 5),
        _SIX,
        f"{_OPENED} / 1 check, 0 check / 1 raise 90, 0 raise 183, 1 raise 366, 0 raise 475, 1 fold",
        pots=((794, (0,)),),
        returned=((0, 109),),
    ),
    "fold_turn_6": PublicHand(
        (2, 5),
        _SIX,
        f"{_OPENED} / 1 raise 90, 0 raise 183, 1 raise 366, 0 raise 475, 1 fold",
        pots=((794, (0,)),),
        returned=((0, 109),),
    ),
    "gradual_fold_6": PublicHand(
        (2, 5),
        _SIX,
        "3 fold, 4 fold, 5 fold, 0 call, 1 call, 2 check / 1 raise 6, 2 fold, 0 call / 1 raise 9, 0 call / 1 raise 43, 0 fold",
        pots=((45, (1,)),),
        returned=((1, 43),),
    ),
    "min_raise_4": PublicHand(
        # 100 over 100 is the last raise: 300 is a full one over 200.
        (2, 5),
        (500,) * 4,
        "3 raise 50, 0 raise 100, 1 raise 200, 2 raise 300, 3 fold, 0 fold, 1 fold",
        pots=((550, (2,)),),
        returned=((2, 100),),
    ),
    "raise_few_all_in_4": PublicHand(
        (2, 5),
        (104, 50, 100, 80),
        f"{_FIVES}{_CHECKED} / 1 check, 2 check, 3 check, 0 raise 43, 1 raise 45, 2 raise 95, 3 call, 0 all_in",
        _FOUR,
        "QdAcTsJsTd",
        ((200, (1, 2, 3, 0)), (90, (2, 3, 0)), (40, (2, 0))),
    ),
    "side_split_pots_3": PublicHand(
        (1, 2),
        (100, 200, 300),
        "0 call, 1 call, 2 check / 1 check, 2 check, 0 check / 1 check, 2 check, 0 check / 1 raise 198, 2 raise 298, 0 call",
        "QdKs Kd3c 2hKc",
        "9d7h8hJsKh",
        ((300, (0,)), (200, (1, 2))),
        ((2, 100),),
    ),
    "side_split_pots_8": PublicHand(
        (2, 5),
        (684, 30, 449, 16, 1, 104, 7, 59),
        "3 raise 15, 4 fold, 5 raise 63, 6 call, 7 call, 0 raise 307, 1 call, 2 call, 3 call, 5 call / 2 fold",
        "Jh6d 2d4d 9cTc KcAc 3c8s 7c2s Td3d 8h3h",
        "2c9s6h4h5s",
        ((49, (6, 7)), (54, (7,)), (70, (7,)), (116, (7,)), (135, (0,)), (406, (0,))),
    ),
}

#: Hands that are refused at their last action.
BAD: Final[dict[str, PublicHand]] = {
    "end_raise_all_in_4": PublicHand(
        (2, 5),
        (104, 150, 100, 80),
        f"{_FIVES}{_CHECKED}{_CHECKED[: -len(', 0 check')]}, 0 raise 10, 1 raise 60, 2 raise 95, 3 call, 0 all_in, 1 raise 145",
        refused="nobody_to_raise",
    ),
    "end_raise_exception_bad_4": PublicHand(
        (2, 5),
        (140, 150, 100, 80),
        f"{_FIVES}{_CHECKED} / 1 check, 2 check, 3 check, 0 raise 10, 1 raise 60, 2 raise 95, 3 call, 0 raise 135, 1 raise 140",
        refused="nobody_to_raise",
    ),
    "invalid_call": PublicHand(
        (2, 5), _SIX, "3 call, 4 call, 5 call, 0 call, 1 call, 2 call", refused="nothing_to_call"
    ),
    "invalid_check": PublicHand((2, 5), _SIX, "3 call, 4 call, 5 call, 0 call, 1 check", refused="no_check"),
    "raise_less_bb": PublicHand(
        (5, 10),
        _SIX,
        f"{_LIMPED_SIX} / 1 raise 20, 2 call, 3 call, 4 call, 5 call, 0 raise 25",
        refused="below_minimum",
    ),
    "raise_too_few_6": PublicHand(
        (2, 5), _SIX, f"{_OPENED} / 1 raise 90, 0 raise 183, 1 raise 250", refused="below_minimum"
    ),
    "raise_too_much": PublicHand(
        (2, 5),
        _SIX,
        f"{_LIMPED_SIX} / 1 raise 20, 2 call, 3 call, 4 call, 5 call, 0 raise 500",
        refused="above_stack",
    ),
    "reraise_less_bb": PublicHand(
        (2, 5),
        (104, 70, 100, 80),
        f"{_FIVES}{_CHECKED} / 1 check, 2 check, 3 check, 0 raise 43, 1 raise 45",
        refused="below_minimum",
    ),
    "out_of_turn": PublicHand((2, 5), _SIX, "4 call", refused="not_to_act"),
}
