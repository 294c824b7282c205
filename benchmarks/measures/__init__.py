"""FAMILY: a member has TITLE, ABOUT (how it is measured) and `measure(quick)`, which yields Figures."""
