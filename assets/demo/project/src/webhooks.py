"""Events of the card provider; each may come several times."""


def seen_before(event_id: str) -> bool:
    raise NotImplementedError
