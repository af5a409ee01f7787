"""The rules that find departures from the plan, one family a module.

The deal: deal_order, extra_cards, exposed. The deck: deck, same_card, stub. Burns and board: burns, board, early, stands (what an alert
becomes after action), board_reports. Hands and pots: muck, showdown. What people say: reported, entry. Each rule is named by its
id in the catalogue of irregularities (PROCEDURES part B). A rule runs only when an input does not fulfil the step that is due.
"""
