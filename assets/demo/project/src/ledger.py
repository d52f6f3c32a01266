"""The ledger: rows are added, never changed."""


def book(merchant: str, amount_minor: int, corrects: int | None = None) -> int:
    raise NotImplementedError
