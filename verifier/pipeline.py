"""The order of the stages, nothing else: read, extract, fetch, evaluate, record."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from verifier.errors import LedgerError, RuleError, UsageError
from verifier.extract import extract, set_aside
from verifier.family import members
from verifier.lexicon import rules_dir
from verifier.models import Claim, Counts, Document, Finding, Look, Recorded, Run, to_json
from verifier.read import read
from verifier.settings import Settings, load

if TYPE_CHECKING:
    from verifier.rules import Rule

DAY = re.compile(r"20\d\d-\d\d-\d\d")
LONGEST = 240  # bytes of a name, so that the system takes it with an ending
PASSED = ("pass", "not_applicable")
Step = Callable[[int, int], None]  # told how many citations are done, of how many


@dataclass(frozen=True)
class Outcome:
    """A run with what it was judged from: the document, its claims, rule files that were left out, and every finding, also those that pass."""

    run: Run
    document: Document
    claims: tuple[Claim, ...]
    rule_errors: tuple[RuleError, ...] = ()
    judged: tuple[Finding, ...] = ()


def source(path: str, root: Path, stdin: bytes | None = None) -> tuple[bytes, str]:
    """(bytes, path relative to the root) of a file, or of standard input for `-`."""
    if path == "-":
        return stdin or b"", "-"
    file = Path(path)
    if file.is_dir():
        raise UsageError(f"{path}: is a folder; name the files in it")
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file; check the name") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}); check its permissions") from None
    return data, named(file, root)


def named(file: Path, root: Path) -> str:
    """A document's name: its path relative to the root. Raises UsageError for one that could not be kept."""
    full = file.resolve()
    name = full.relative_to(root).as_posix() if full.is_relative_to(root) else full.name
    try:
        longest = max(len(part.encode()) for part in name.split("/"))
    except UnicodeEncodeError:
        raise UsageError(f"{file}: its name is not UTF-8; rename it") from None
    if longest > LONGEST:
        raise UsageError(f"{file}: its name is longer than {LONGEST} bytes, so that its claims could not be kept beside it; shorten it")
    return name


def day(document: Document, given: date | None, otherwise: date | None = None) -> date:
    """The day a document is judged as of: the one given, its own date, else `otherwise`, by default today."""
    if given:
        return given
    for text in (document.structure.date or "", Path(document.path).name):
        if found := re.search(r"(20\d\d)-(\d\d)-(\d\d)", text):
            try:
                return date(*map(int, found.groups()))
            except ValueError:
                continue
    return otherwise or datetime.now(UTC).date()


def due(settings: Settings, judged: date, moment: datetime) -> str:
    """When a new record is looked at again: counted from today where its document is older, lest it be born overdue."""
    today = moment.astimezone(ZoneInfo(settings.timezone)).date()
    return (max(judged, today) + timedelta(days=settings.recheck_days)).isoformat()


def rule_dirs(settings: Settings) -> list[Path]:
    """The packs that ship, then the group's own, which extend or replace them."""
    own = settings.root / "rules"
    shipped = rules_dir()
    return [shipped, *([own] if settings.found and own.is_dir() and own.resolve() != shipped.resolve() else [])]


def rules(settings: Settings) -> tuple[list[Rule], list[RuleError]]:
    """The rules that could be read, and what is wrong with the others. Raises UsageError for a policy that names none of them."""
    from verifier.rules import load as load_rules

    loaded, errors = load_rules(rule_dirs(settings))
    if not errors:
        _decided(settings, {rule.id for rule in loaded} | set(members("verifier.rules")))
    return loaded, errors


def _decided(settings: Settings, words: set[str]) -> None:
    """Refuse a policy that names rules which do not exist: it would be obeyed in silence."""
    for policy in (settings.policy, *(settings.policy_for(pattern) for pattern, _ in settings.paths)):
        for word in (*policy.block_rules, *policy.pass_rules, *policy.require):
            if word not in words:
                raise UsageError(f"{settings.root / 'verify.toml'}: {word!r} is no rule and no kind; `verify rules list` shows them")


def look_up(cited: Sequence[str], settings: Settings, budget: float, step: Step) -> list[Look]:
    """Fetch evidence; arXiv is asked in turn with all who share the ledger's database."""
    from verifier.ledger.turn import Turn
    from verifier.sources import EvidenceStore, fetch

    turn = Turn(settings.root, settings.ledger_url, "arxiv")
    try:
        return fetch(cited, EvidenceStore(settings.root), settings=settings, budget=budget, now=lambda: datetime.now(UTC), lock=turn, step=step)
    finally:
        turn.close()


def run(path: str, *, settings: Settings | None = None, draft: bool = False, offline: bool = True, budget: float = 20.0,
        as_of: date | None = None, actor: str = "verify", now: datetime | None = None, stdin: bytes | None = None,
        step: Step = lambda done, of: None) -> Outcome:  # fmt: skip
    """Verify one file. Records in the ledger unless `draft` or the folder has no verify.toml.

    Equal inputs and `as_of` give equal findings. Raises UsageError for a file that cannot be read.
    """
    from verifier.evaluate import evaluate
    from verifier.sources import EvidenceStore, citations

    settings = settings or load(Path.cwd())
    moment = now or datetime.now(UTC)
    data, name = source(path, settings.root, stdin)
    document = read(data, name)
    claims = extract(document)
    judged = day(document, as_of)
    store = EvidenceStore(settings.root)
    cited = citations(document, claims)
    if not offline and not draft and settings.found:
        look_up(cited, settings, budget, step)
    loaded, errors = rules(settings)
    evidence = store.as_of(cited, judged)
    record = settings.found and not draft and name != "-"
    known = earlier(settings, claims, name, judged, record) if settings.found else []
    findings = evaluate(loaded, document, claims, evidence, judged, known)
    digest = hashlib.sha256(data).hexdigest()
    recorded: list[Recorded] = []
    if record:
        recorded, findings = _record(settings, document, digest, claims, findings, evidence, actor, moment, judged)
    result = Run(
        run=digest[:12], document=name, as_of=judged.isoformat(), recorded=record,
        counts=Counts(claims=len(claims), verdicts=_verdicts(findings)), set_aside=set_aside(document),
        findings=tuple(f for f in findings if f.verdict not in PASSED),
        discrepancies=tuple(recorded), warnings=document.warnings,
    )  # fmt: skip
    return Outcome(result, document, tuple(claims), tuple(errors), tuple(findings))


def judge(rules: Sequence[Rule], data: bytes, name: str, root: Path, given: date | None = None, otherwise: date | None = None
          ) -> tuple[list[Claim], list[Finding]]:  # fmt: skip
    """A document on stored evidence alone: nothing is fetched, recorded, or held against earlier documents."""
    from verifier.evaluate import evaluate
    from verifier.sources import EvidenceStore, citations

    document = read(data, name)
    claims = extract(document)
    judged = day(document, given, otherwise)
    return claims, evaluate(rules, document, claims, EvidenceStore(root).as_of(citations(document, claims), judged), judged)


def earlier(settings: Settings, claims: Sequence[Claim], document: str, judged: date, record: bool) -> list[Claim]:
    """Stored claims of other documents about the same things, known on the day of judgement. A draft makes no ledger and waits for none."""
    from verifier.ledger.glance import look, look_or_open

    try:
        ledger = (look_or_open if record else look)(settings.root, settings.ledger_url, settings.series)
        if ledger is None:
            return []
        with ledger:
            found = ledger.candidates(claims, document)
    except LedgerError:
        if record:
            raise
        return []
    return [claim for claim in found if (named := DAY.search(claim.document)) is None or named[0] <= judged.isoformat()]


def _record(
    settings: Settings,
    document: Document,
    digest: str,
    claims: list[Claim],
    findings: list[Finding],
    evidence: Mapping[str, Sequence[Look]],
    actor: str,
    moment: datetime,
    judged: date,
) -> tuple[list[Recorded], list[Finding]]:
    """What the ledger took, and the findings with the numbers that they have there and the false alarms marked."""
    from verifier.ledger import Ledger

    recheck = due(settings, judged, moment)
    with Ledger.open(settings.root, settings.ledger_url, settings.series) as ledger:
        recorded = ledger.record_run(
            findings, document.path, run=digest[:12], actor=actor, now=moment, recheck_by=recheck,
            declared=document.structure.discrepancies, carried=document.structure.carried, claims=claims, topic=document.structure.topic,
            text=document.text, about=_about(document, claims, findings, evidence, judged),
        )  # fmt: skip
        ledger.remember_claims(document.path, digest, claims, run=digest[:12])
        numbers, false = ledger.holding(dict.fromkeys(f.cause for f in findings)), ledger.dismissed()
    mirror = settings.root / "claims" / "extracted" / f"{document.path}.jsonl"
    mirror.parent.mkdir(parents=True, exist_ok=True)
    mirror.write_text("".join(to_json(claim) + "\n" for claim in claims), encoding="utf-8")
    return recorded, [_known(finding, numbers.get(finding.cause), finding.fingerprint in false) for finding in findings]


def _known(finding: Finding, number: str | None, false: bool) -> Finding:
    told = {"discrepancy": number} if number and finding.verdict not in PASSED else {}
    if false and not finding.suppressed:
        told["suppressed"] = f"dismissed as a false alarm{f': {number}' if number else ''}"
    return finding.model_copy(update=told) if told else finding


def _about(document: Document, claims: list[Claim], findings: list[Finding], evidence: Mapping[str, Sequence[Look]], judged: date) -> dict[str, Any]:
    """What the ledger keeps of a run: who wrote what and when, what was judged, and which sources have never answered."""
    said = document.structure
    told = {"author": said.author, "topic": said.topic, "written": said.written, "as_of": judged.isoformat()}
    silent = sorted(c for c, looks in evidence.items() if not any(look.outcome != "failed" for look in looks))
    suppressed = sum(1 for f in findings if f.suppressed)
    return {**told, "claim_count": len(claims), "verdicts": _verdicts(findings), "suppressed": suppressed, "cited": len(evidence), "silent": silent}


def _verdicts(findings: list[Finding]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for finding in findings:
        kind = counts.setdefault(finding.kind, {})
        kind[finding.verdict] = kind.get(finding.verdict, 0) + 1
    return {kind: dict(sorted(counts[kind].items())) for kind in sorted(counts)}
