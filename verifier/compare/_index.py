"""Candidates among stored claims by key, never by pairs: a million stored claims cost no more than a thousand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Generic, TypeVar

from verifier.compare._profile import profile
from verifier.models import Claim

Ref = TypeVar("Ref")


class Index(Generic[Ref]):
    """`Ref` is whatever finds a stored claim again. Of one key the `most` last distinct values are kept."""

    def __init__(self, most: int = 16) -> None:
        self._most = most
        self._buckets: defaultdict[str, dict[tuple[float | str, ...], Ref]] = defaultdict(dict)

    def add(self, claim: Claim, ref: Ref) -> None:
        self.put(profile(claim).keys(), claim.numbers, ref)

    def put(self, keys: Iterable[str], numbers: tuple[float | str, ...], ref: Ref) -> None:
        """Add by stored keys, without the claim."""
        for key in keys:
            bucket = self._buckets[key]
            bucket.pop(numbers, None)
            bucket[numbers] = ref
            if len(bucket) > self._most:
                del bucket[next(iter(bucket))]

    def candidates(self, claim: Claim) -> list[Ref]:
        """Refs of the stored claims that `compare` would decide against this one."""
        return self.among(profile(claim).keys())

    def among(self, keys: Iterable[str]) -> list[Ref]:
        """Candidates by keys that are known already."""
        found: dict[int, Ref] = {}
        for key in keys:
            for ref in self._buckets.get(key, {}).values():
                found[id(ref)] = ref
        return list(found.values())
