"""The rules that find departures from the plan, by family: deal order, extra cards, exposed cards, burns, flop, early cards, same card.

Each rule is named by its id in the catalogue of irregularities (PROCEDURES part B). A rule runs only when an input does not
fulfil the step that is due.
"""
