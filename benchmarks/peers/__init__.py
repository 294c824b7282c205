"""FAMILY: programs that read quantities from text. A member runs in its own environment, so nothing is imported before `load`.

REQUIRES: what pip installs for it; LANGUAGE-blind. `load()` gives `read(text)`, which is timed; `told(text, found)` says what was found
as claims (line from 1, text, form, value or from/to or low/high, unit as `docs/schema` spells it), which is not.
"""
