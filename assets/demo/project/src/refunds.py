"""Refunds, and the second approval that large ones need."""


def needs_second_approval(amount_minor: int, limit: int) -> bool:
    return amount_minor > limit * 100
