"""Recognizers-Text: dimensions, currencies, percentages, then bare numbers; in English, and in Chinese too where a text has Chinese."""

import re

REQUIRES = ("recognizers-text-suite==1.0.2a2", "emoji<2")
UNITS = {
    "Gigabyte": "GB", "Gigabit": "Gb", "Megabyte": "MB", "Terabyte": "TB", "Terabit": "Tb", "Kilobyte": "KB", "Second": "s", "Millisecond": "ms",
    "Minute": "min", "Hour": "h", "Day": "day", "Dollar": "USD", "United States dollar": "USD", "Chinese yuan": "CNY",
}  # fmt: skip
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def load():
    from recognizers_number import recognize_number, recognize_percentage
    from recognizers_number_with_unit import recognize_currency, recognize_dimension

    kinds = (recognize_dimension, recognize_currency, recognize_percentage, recognize_number)

    def read(text):
        cultures = ("en-us", "zh-cn") if CHINESE.search(text) else ("en-us",)
        return [(kind.__name__, one) for kind in kinds for culture in cultures for one in kind(text, culture)]

    return read


def told(text, found):
    """Without what lies in something found before it: a percentage is also a number."""
    taken, claims = [], []
    for kind, one in found:
        if any(one.start <= end and start <= one.end for start, end in taken) or not one.resolution or one.resolution.get("value") is None:
            continue
        written = text[one.start : one.end + 1]
        number = re.sub(r"[^\d.eE+-]", "", str(one.resolution["value"]))
        try:
            value = float(number)
        except ValueError:
            continue
        taken.append((one.start, one.end))
        unit = "percent" if kind == "recognize_percentage" else UNITS.get(one.resolution.get("unit"), one.resolution.get("unit") or "count")
        follows = text[one.end + 1 : one.end + 3].lstrip()
        claims.append({"line": text.count("\n", 0, one.start) + 1, "text": written, "start": one.start, "form": "value", "value": value,
                       "unit": "x" if unit == "count" and follows.startswith(("x", "×", "倍")) else unit})  # fmt: skip
    return claims
