"""The only home of httpx and tenacity: polite requests that end in an answer or in Unavailable with its reason."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Protocol

import httpx
import tenacity

from verifier.errors import LedgerError, Unavailable

ATTEMPTS = 3
CAP = 30.0  # longest wait that a server may ask for, in seconds
LARGEST = 20_000_000  # bytes of a response
HOPS = 3
ARXIV_SPACING = 3.0
POLL = 0.2  # seconds between two tries for a turn that another holds
LIMITED = "rate limit"


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str


class NotAsked(Unavailable):
    """Nothing was sent: no look was made."""


class _Again(Exception):
    """A fault that may pass."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


@dataclass
class Clock:
    now: Callable[[], datetime]
    sleep: Callable[[float], None] = time.sleep
    tick: Callable[[], float] = time.monotonic


def origin(url: str | httpx.URL) -> tuple[str, str, int]:
    parsed = httpx.URL(url)
    return parsed.scheme, parsed.host, parsed.port or {"http": 80, "https": 443}.get(parsed.scheme, 0)


@dataclass
class Http:
    """Requests to the configured hosts only, within a budget of seconds."""

    allowed: frozenset[tuple[str, str, int]]
    budget: float
    clock: Clock
    secret: str | None = None
    secret_origin: tuple[str, str, int] | None = None
    transport: httpx.BaseTransport | None = None
    given_up: dict[tuple[str, str, int], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.deadline = self.clock.tick() + self.budget
        timeout = httpx.Timeout(15.0, connect=5.0)
        agent = {"User-Agent": "verifier/1"}
        self.client = httpx.Client(transport=self.transport, timeout=timeout, follow_redirects=False, headers=agent)

    def close(self) -> None:
        self.client.close()

    @property
    def left(self) -> float:
        return self.deadline - self.clock.tick()

    def get(
        self,
        url: str,
        headers: Mapping[str, str] | None = None,
        *,
        turn: Callable[[], object] | None = None,
        fault: Callable[[Answer], str | None] = lambda answer: None,
    ) -> Answer:
        """The answer, also 304, 400 and 404; raises Unavailable with the reason.

        `turn` gives a context manager within which one attempt is made; `fault` names a passing fault of an answer.
        """

        def attempt() -> Answer:
            if self.left <= 0:
                raise NotAsked("budget of seconds used up")
            with turn() if turn else _free():  # type: ignore[attr-defined]
                answer = self._follow(url, dict(headers or {}))
            reason, wait = self._passing(answer)
            reason = reason or fault(answer)
            if reason:
                raise _Again(reason, wait)
            return answer

        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(_Again),
            wait=_wait,
            stop=lambda state: state.attempt_number >= ATTEMPTS or state.upcoming_sleep > min(CAP, self.left),
            sleep=self.clock.sleep,
            reraise=True,
        )
        try:
            return retrying(attempt)
        except _Again as error:
            asked = f"; asked to wait {error.wait:.0f} s" if error.wait and error.wait > min(CAP, self.left) else ""
            if LIMITED in str(error):
                self.given_up[origin(url)] = f"{error}{asked}"  # asking on would only make it worse
            raise Unavailable(f"{error}{asked}") from None

    def _follow(self, url: str, headers: dict[str, str]) -> Answer:
        for _ in range(HOPS + 1):
            answer = self._once(url, headers)
            target = answer.headers.get("location")
            if answer.status not in (301, 302, 303, 307, 308) or not target:
                return answer
            url = str(httpx.URL(url).join(target))
            if origin(url) not in self.allowed:
                raise Unavailable(f"redirected to another host ({httpx.URL(url).host}), not followed")
        raise Unavailable(f"more than {HOPS} redirects")

    def _once(self, url: str, headers: dict[str, str]) -> Answer:
        place = origin(url)
        if place not in self.allowed:
            raise NotAsked(f"host {place[1]} is not configured")
        if place in self.given_up:
            raise NotAsked(f"host given up for this run: {self.given_up[place]}")
        if self.secret and place == self.secret_origin and place[0] == "https":
            headers = {**headers, "Authorization": f"Bearer {self.secret}"}
        try:
            limit = max(0.1, min(15.0, self.left))
            timeout = httpx.Timeout(limit, connect=min(5.0, limit))
            with self.client.stream("GET", url, headers=headers, timeout=timeout) as response:
                parts, size = [], 0
                for part in response.iter_bytes():
                    parts.append(part)
                    size += len(part)
                    if size > LARGEST:
                        raise Unavailable("response too large")
                    if self.left <= 0:
                        raise Unavailable("response too slow for the budget of seconds")
                return Answer(response.status_code, response.headers, b"".join(parts), str(response.url))
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            self.given_up[place] = f"cannot connect ({type(error).__name__})"
            raise Unavailable(self.given_up[place]) from None
        except httpx.HTTPError as error:
            raise _Again(f"connection failed ({type(error).__name__})") from None

    def _passing(self, answer: Answer) -> tuple[str | None, float | None]:
        code, wait = answer.status, self._asked(answer.headers)
        spent = answer.headers.get("x-ratelimit-remaining") == "0"
        if code in (406, 429) or (code == 403 and (wait is not None or b"rate limit" in answer.body[:2000].lower())):
            return f"HTTP {code}, {LIMITED}", wait
        if code >= 500:
            return f"HTTP {code}", wait
        if code == 403 and spent:
            return f"HTTP 403, {LIMITED}", wait
        return None, None

    def _asked(self, headers: Mapping[str, str]) -> float | None:
        """Seconds that the server asks to wait."""
        after = headers.get("retry-after")
        try:
            if after:
                if after.strip().isdigit():
                    return float(after)
                return max(0.0, (parsedate_to_datetime(after) - self.clock.now()).total_seconds())
            if headers.get("x-ratelimit-remaining") == "0" and (reset := headers.get("x-ratelimit-reset")):
                return max(0.0, float(reset) - self.clock.now().timestamp())
        except (ValueError, TypeError):
            pass
        return None


def _wait(state: tenacity.RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = error.wait if isinstance(error, _Again) else None
    return asked if asked is not None else min(CAP, 2.0**state.attempt_number)


@contextmanager
def _free() -> Iterator[None]:
    yield


class Lock(Protocol):
    """A turn that one process at a time holds."""

    def take(self, now: float) -> float | None:
        """Take the turn: when it was last given back, or None while another holds it."""

    def give(self, now: float) -> None:
        """Give the turn back."""


class FileLock:
    """A turn among the processes of one machine."""

    def __init__(self, path: Path) -> None:
        self.path, self.handle = path, -1

    def take(self, now: float) -> float | None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return None
        self.handle = handle
        try:
            return float(os.pread(handle, 64, 0) or b"0")
        except ValueError:
            return 0.0

    def give(self, now: float) -> None:
        os.ftruncate(self.handle, 0)
        os.pwrite(self.handle, f"{now:.3f}".encode(), 0)
        os.close(self.handle)


@contextmanager
def one_at_a_time(lock: Lock, clock: Clock, left: Callable[[], float]) -> Iterator[None]:
    """Hold the turn for one request, made no sooner than ARXIV_SPACING after the last one of any holder."""
    try:
        while (last := lock.take(clock.now().timestamp())) is None:
            if left() <= 0:
                raise NotAsked("budget of seconds used up while waiting for arXiv's turn")
            clock.sleep(POLL)
    except LedgerError as error:
        raise NotAsked(str(error)) from None
    asked = False
    try:
        wait = last + ARXIV_SPACING - clock.now().timestamp()
        if 0 < wait <= ARXIV_SPACING:  # a time in the future is a clock that was set back
            if wait > left():
                raise NotAsked("budget of seconds used up while waiting for arXiv's turn")
            clock.sleep(wait)
        asked = True
        yield
    finally:
        lock.give(clock.now().timestamp() if asked else last)
