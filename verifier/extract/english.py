"""English number words: twelve, twenty-one, 4 thousand 3 hundred, two thirds, twice the speed, half of it."""

from __future__ import annotations

import re

ONES = {w: float(i) for i, w in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])}
TEENS = {
    w: float(i)
    for i, w in enumerate(["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"], 10)
}
TENS = {w: 10.0 * i for i, w in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)}
COUNTS = ONES | TEENS | TENS
SCALES = {"thousand": 1e3, "lakh": 1e5, "million": 1e6, "crore": 1e7, "billion": 1e9, "trillion": 1e12}
PARTS = {"half": 0.5, "third": 1 / 3, "quarter": 0.25, "fourth": 0.25, "fifth": 0.2, "sixth": 1 / 6, "eighth": 0.125, "tenth": 0.1, "hundredth": 1e-2,
         "thousandth": 1e-3, "millionth": 1e-6}  # fmt: skip
FACTORS = {"twice": 2.0, "doubl": 2.0, "thrice": 3.0, "tripl": 3.0, "quadrupl": 4.0}

_SMALL = rf"(?:(?:{'|'.join(TENS)})(?:[\s-](?:{'|'.join(ONES)}))?|{'|'.join(TEENS)}|{'|'.join(ONES)}|\d+(?:\.\d+)?)(?![A-Za-z0-9.]*[A-Za-z0-9])"
_BELOW_1000 = rf"(?:(?:{_SMALL}|an?)\shundred(?:\s(?:and\s)?{_SMALL})?|{_SMALL}(?:\sdozens?)?)"
_SCALE = rf"(?:{'|'.join(SCALES)})(?![A-Za-z])"
PHRASE = re.compile(
    rf"(?:{_BELOW_1000}|an?)\s{_SCALE}(?:,?\s(?:and\s)?{_BELOW_1000}(?:\s{_SCALE})?)*(?:\sand\sa\s(?:half|quarter))?|{_BELOW_1000}", re.I
)
TOKEN = re.compile(r"[a-z]+|\d+(?:\.\d+)?")
FRACTION = re.compile(rf"[\s-]({'|'.join(PARTS)}|halve)s?(?![A-Za-z])", re.I)
# the first letter comes first, so that most places of a text cost one look at one character
FIRST = re.compile(
    r"[oOtTfFsSeEnNzZdDhHqQaA](?<![A-Za-z0-9_][A-Za-z])(?i:(?<=o)ne|(?<=t)(?:wo|hree|en|hirteen|welve|wenty|hirty|wice|hrice|ripl(?:e[sd]?|ing))"
    r"|(?<=f)(?:our|ive|ifteen|ourteen|orty|ifty)|(?<=s)(?:ix|even)(?:teen|ty)?|(?<=e)(?:ight(?:een|y)?|leven)|(?<=n)ine(?:teen|ty)?|(?<=z)ero"
    r"|(?<=d)oubl(?:e[sd]?|ing)|(?<=h)al(?:f|ve[sd]?|ving)|(?<=q)uadruple[sd]?|(?<=a)\s(?:hundred|thousand|million|billion|dozen))(?![A-Za-z0-9_])"
)
HALF_OF = re.compile(r"\s{1,2}an?\s{1,2}(dozen|hour|minute|second|day)", re.I)
SPANS = {"dozen": "item", "hour": "h", "minute": "min", "second": "s", "day": "day"}
COMPARED = re.compile(r"\s(?:as|the|that|of|what|its|their|our|more)\b", re.I)
COMPOUND = re.compile(r"-|\s(?:precision|buffer\w*|quot\w+|check\w*|click\w*|word\w*|count\w*|digit\w*|data|a\b|an\b|dozen)", re.I)


def phrase(text: str, start: int) -> tuple[float, int] | None:
    """(value, end) of the number that begins at `start` in words, or in digits and words."""
    found = PHRASE.match(text, start)
    if found is None:
        return None
    end = found.end()
    value = _amount(TOKEN.findall(found[0].lower()))
    if part := FRACTION.match(text, end):
        return value * PARTS[part[1].lower().replace("halve", "half")], part.end()
    return value, end


def factor(text: str, start: int, end: int) -> tuple[float, int, str] | None:
    """(value, end, unit) of a comparing word: twice the speed, doubled, halves, half of it."""
    word = text[start:end].lower()
    if word == "half" and (more := HALF_OF.match(text, end)):
        unit = SPANS[more[1].lower()]
        return 6.0 if unit == "item" else 0.5, more.end(), unit
    if COMPOUND.match(text, end) or word in ("twice", "thrice", "half") and not COMPARED.match(text, end):
        return None
    if word.startswith("hal"):
        return 50.0, end, "percent"
    value = next((v for stem, v in FACTORS.items() if word.startswith(stem)), None)
    return (value, end, "x") if value else None


def _amount(tokens: list[str]) -> float:
    total = section = 0.0
    last = 1.0
    for token in tokens:
        if token[0].isdigit():
            section += float(token)
        elif token in COUNTS:
            section += COUNTS[token]
        elif token == "hundred":
            section = (section or 1.0) * 100
        elif token in ("dozen", "dozens"):
            section = (section or 1.0) * 12
        elif token in SCALES:
            total, section, last = total + (section or 1.0) * SCALES[token], 0.0, SCALES[token]
        elif token in ("half", "quarter"):
            total += PARTS[token] * last
    return total + section
