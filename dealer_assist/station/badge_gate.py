"""Pages that only the floor may open: the gate asks for badge and PIN first, and opens them then. A floor badge opens its own page."""

from __future__ import annotations

from dealer_assist.domain.floor import FloorModeFact
from dealer_assist.station.pages.floor import FloorPage
from dealer_assist.station.pages.host import Pages
from dealer_assist.station.pages.page import Page
from dealer_assist.station.viewmodel import ViewState


class BadgeGate:
    """Watches over ``pages``. At a table without a staff file every page is open to all."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._fact = FloorModeFact()
        #: the page that opens when somebody has signed in
        self.wanted = ""
        self._came_by_badge = False
        pages.gate = self.may_open
        pages.changed.connect(self._on_changed)
        pages.badge_wanted.connect(self._ask)

    def may_open(self, kind: type[Page]) -> bool:
        """Whether a page opens now; otherwise the floor's page asks for the badge."""
        if not kind.behind_badge or self._fact.name or not self._fact.configured:
            return True
        self._ask(kind.name)
        return False

    def _ask(self, page: str) -> None:
        """The floor's page asks for the badge; this one comes after it."""
        self._pages.open_page(FloorPage.name)
        self.wanted = page

    def follow(self, state: ViewState) -> None:
        """Somebody signed in or out, or showed a badge."""
        before, fact = self._fact, state.floor
        self._fact = fact
        if fact == before:
            return
        page = self._pages.open
        if fact.name and not before.name and self.wanted:
            self._pages.open_page(self.wanted)
        elif fact.badge and not before.badge and not fact.name and not isinstance(page, FloorPage):
            self._pages.open_page(FloorPage.name)
            self._came_by_badge = True
        elif before.name and not fact.name and page is not None and page.behind_badge:
            page.close_page()
        elif before.badge and not fact.badge and not fact.name and self._came_by_badge and page is not None:
            page.close_page()  # nobody typed a PIN: the felt comes back

    def _on_changed(self) -> None:
        if not isinstance(self._pages.open, FloorPage):
            self.wanted, self._came_by_badge = "", False
