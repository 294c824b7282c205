"""One pass of `re` for bare numbers: the least that a reader of numbers must do. It knows no units."""

import re

REQUIRES = ()
NUMBER = re.compile(r"[-+−~≈<>≥≤]?\d[\d,]*(?:\.\d+)?")


def load():
    return lambda text: list(NUMBER.finditer(text))


def told(text, found):
    return [
        {
            "line": text.count("\n", 0, m.start()) + 1,
            "text": m[0],
            "form": "value",
            "value": float(m[0].lstrip("-+−~≈<>≥≤").replace(",", "")),
            "unit": None,
        }
        for m in found
    ]
