"""The only place that rounds: half to even."""

from decimal import ROUND_HALF_EVEN, Decimal


def to_minor(amount: Decimal, digits: int) -> int:
    return int(amount.scaleb(digits).to_integral_value(ROUND_HALF_EVEN))
