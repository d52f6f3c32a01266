DIGITS = {"JPY": 0, "KRW": 0, "EUR": 2, "USD": 2, "KWD": 3}
