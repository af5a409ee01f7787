"""What every test stands on: no display, no surprises from Qt, nothing left running."""

from __future__ import annotations

import os

# Before anything imports Qt. A test that wants a real window says so by its own environment.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Fonts and widgets look the same whatever desktop the tests are run from.
os.environ.setdefault("QT_STYLE_OVERRIDE", "Fusion")
os.environ.setdefault("QT_QPA_PLATFORMTHEME", "")
