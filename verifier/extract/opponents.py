"""What a comparing number is held against: the words after than, over, vs, 比, 相较于 and their like."""

from __future__ import annotations

import re
from typing import NamedTuple

from verifier.extract.cast import POSSESSIVE
from verifier.extract.passage import Frame, Passage

AGAINST = re.compile(
    r"(?:\bv\.?s\.?(?=\s)|\bversus\b|\bover\b(?! the (?:last|past|next))|\bagainst\b|\bthan\b|\b(?:when )?compared (?:to|with)\b|\brelative to\b|\bin comparison (?:to|with)\b"
    r"|\bon top of\b|(?:相较|相比|相对|对比|较之|比起)(?:之下)?于?|较(?![为大高低多少好小长短强弱快慢早晚差之])|优于|快于|慢于|好于|高于|低于|领先(?:于)?|超越|超过?|胜过|多于|少于|强于"
    r"|(?<![占速价同环缩对相])比(?![例如特较重对率起赛分价拟值方喻想])|(?<=[x×倍%] )of(?=\s(?:(?-i:[A-Z])|[a-z]+-[a-z]))|\boutperform(?:s|ed|ing)?\b(?: or (?:match|equal)(?:es|s|ed|ing)?\b)?|\bbeat(?:s|ing)?\b|\bahead of\b)\s*",
    re.I,
)
ARTICLE = re.compile(
    r"(?:\s|\*|`|“|\"|the |an? |its |our |their |that of |those of |(?:previous|prior|earlier) (?=results|versions|releases)|(?:the )?(?:best|fastest|slowest|average|mean) of |(?:loading an?|using|running) )+",
    re.I,
)
OTHER = re.compile(
    r"(?P<en>[A-Za-z](?:[\w+=/-]|\.(?=\w))*(?:\([\w=]+\))?(?:(?: (?:and|&) |, | / )(?=[A-Z])[A-Z](?:[\w+=-]|\.(?=\w))*|[ -](?!(?:for|on|at|by|in|with|while|when|to|from|is|are|was|were|and|or|as|of|across|under|which"
    r"|because|due|but|that|this|it|we|our|per|using|would|can|after|before|during|without|if|has|have|had|did|does|do|drops?|delivers?|achiev\w+|reduc\w+|improv\w+|rais\w+|cuts?|gets?)\b)(?!\d[\d.]*\s?[x×%])[A-Za-z0-9](?:[\w+=/-]|\.(?=\w))*){0,6})"
    r"(?P<tail>\s?(?:方案|基线|实现|版本|模式|架构|策略|框架|引擎|后端|系统|方法|流程|上一代))?"
    r"|(?P<zh>[\u4e00-\u9fff][\u4e00-\u9fffA-Za-z0-9 ._-]{0,18}?(?=[快慢高低多少好强长短小大](?!模型)|提升|提高|降低|减少|节省|增加|缩短|下降|提速|加速|分别|平均|可|能|的|也|均|都|仅|约|近|[，。；、,;:：)）（(~]|\s?\d(?!\d*[BbKk]\b)|$))"
)
FIGURE = re.compile(r"[~≈]?\d[\d.,]*\s?[^\s\d]{0,10}\s(?:for|with|under|using)\s(?:the |an? )?")
DIRECT = re.compile(
    r"\s*\**\s*(?:(?:of|that of|the)\s+)*(?P<en>(?:[A-Z][\w.+-]*|[a-z]+[A-Z][\w.+-]*)(?: [A-Z0-9][\w.+-]*)*)(?:['’]s)?\s+(?:performance|Performance|throughput|speed|bandwidth|memory|latency|quality|accuracy|level|result|peak|baseline|cost|price)"
)
THAT_OF = re.compile(r"\s*\**\s(?:the|that)\s(?:[\w-]+\s){0,3}?of\s(?:the |an? )?(?P<en>(?:[A-Z]|[a-z]+[A-Z])[\w.+-]*(?: [A-Z0-9][\w.+-]*)*)")
OWN = re.compile(
    r"(?:是|为|达到?|相当于|约为|仅为|只有|只需)\s*(?P<zh>[A-Za-z\u4e00-\u9fff][\w\u4e00-\u9fff .+-]{0,20}?)\s*的?\s*(?:约|近|~)?\s*$|(?:达|达到)\s*(?P<en>[A-Za-z][\w.+-]*)\s+(?:的\s*)?[~约]?$"
)
WITH = re.compile(r"(?:与|和|跟|同)\s*(?P<name>[A-Za-z\u4e00-\u9fff][\w\u4e00-\u9fff .+=/-]{0,24}?)\s*(?:相比|相较|对比|比较|比)")
RESULTS = re.compile(
    r"(?:results?|version|generation|releases?|numbers?|performance|runs?)\s(?:on|of|from|with|for|in)\s(?:the |an? )?([A-Za-z][\w+-]*(?: [A-Z0-9][\w+-]*)*)"
)


DEFINED = re.compile(
    r"(?P<en>[A-Z][\w.+-]*(?: (?:[A-Z\d(][\w.+×)-]*))*) (?:is|are|was|were|serves?) (?:used |taken |chosen )?as (?:the |our |a )?(?:baseline|reference)"
    r"|以\s?(?P<zh>[^，。；,;\s]{2,20}?)\s?(?:为|作为|做)(?:对照)?(?:基线|基准|参照)|(?:\bbaseline (?:is|was)|基线(?:为|是))\s?(?:the )?(?P<said>[A-Z][\w.+-]*(?: [A-Z\d][\w.+-]*)*)"
)
MOVED_FROM = re.compile(
    r"(?:\bfrom (?:the |an? )?|从\s?)(?P<en>[A-Za-z][\w.+-]*(?: [A-Z][\w.+-]*)?)\s?(?:\bto\b|到|切换到|换成|迁移到|升级到|改为)\s?(?:the |an? )?(?=[A-Za-z])"
)
LEFT = re.compile(r"(?P<en>[A-Za-z][\w.+-]*(?: [A-Z\d][\w.+-]*)*|[\u4e00-\u9fff]{2,8})\s*(?:的)?$")
TAIL = re.compile(
    r"(?:\s(?:performance(?: comparison)?|comparison|results?|benchmarks?|scores?|throughput|latency))+$|\s20\d\d(?:\s?[QH]\d)?$|(?<=[A-Za-z])\s\d+(?:\.\d+)?\s(?:tok|req)\w*/s$",
    re.I,
)
QUANTIFIED = re.compile(
    r"(?:most|many|some|all|any|other|others|expected|usual|ideal|that|this|these|those|it|them|each|one|for|what|half|twice|today)\b|想象|预期|以往|以前|上[月周年]",
    re.I,
)
PLACES = re.compile(r"\b(?:over|against|of|on top of)\b", re.I)
GLOSS = re.compile(r"\s?[(（](?=[A-Z])[\w.+-]{2,12}[)）]")
UNLIKE = re.compile(r"\s[+·|]\s|\s-\s|\s→\s|[①-⑳]")
DIGIT = re.compile(r"\d")


class Opponent(NamedTuple):
    """A baseline's name and the stretch from the word of comparison to the name's end."""

    name: str
    start: int
    end: int


def held_against(passage: Passage, frame: Frame, start: int, end: int, shares: bool = False) -> Opponent | None:
    """Behind the number in its clause, before it there, then in the rest of its sentence; an aside in brackets counts where it begins so: `（相对 A100）`.

    A number that only `shares`, a percentage of something or a plain amount, is compared by what leans on it, not by its sentence.
    """
    text = passage.text
    if direct := DIRECT.match(text, end, min(len(text), end + 64)) or THAT_OF.match(text, end, min(len(text), end + 80)):
        return Opponent(direct["en"].rstrip("."), direct.start("en"), direct.end("en"))
    if own := OWN.search(text, frame.clause, start):
        return Opponent((own["zh"] or own["en"]).strip(), own.start(), own.end())
    stretches = ((end, frame.clause_end), (frame.clause, start), (frame.clause_end, frame.sentence_end), (frame.sentence, frame.clause))
    for number, (left, right) in enumerate(stretches[:1] if shares else stretches):
        right = min(right, left + 240)
        beside = (Opponent(m["name"].strip(), m.start(), m.end()) for m in WITH.finditer(text, left, right))
        found = [o for o in (*beside, *opponents(text, left, right)) if passage.opener(o.start) == frame.opener or text[o.start - 1] in "（("]
        if left >= end:
            found = [o for o in found if not UNLIKE.search(text, end, o.start) and not (shares and DIGIT.search(text, end, o.start))]
        else:
            found = [o for o in found if number == 1 or not UNLIKE.search(text, o.end, start)]
        if found:
            return found[0] if left >= end else found[-1]
    return None


def beside(text: str, end: int, right: int) -> Opponent | None:
    """What a plain amount is compared with right behind it: `31 ms vs 58 ms for Orion`, `3 bit，相比 int4`."""
    place = end + 1 if text[end : end + 1] in "，," else end
    found = next(iter(opponents(text, place, min(right, place + 60))), None)
    if found is None or PLACES.match(text, found.start) or DIGIT.search(text, end, found.start):
        return None
    return found if place == end or found.start == place + (text[place : place + 1] == " ") else None


def opponents(text: str, left: int, right: int) -> list[Opponent]:
    """Everything that a stretch compares with."""
    found = []
    for against in AGAINST.finditer(text, left, right):
        place = against.end()
        if article := ARTICLE.match(text, place):
            place = article.end()
        if figure := FIGURE.match(text, place):
            place = figure.end()
        other = RESULTS.match(text, place) or OTHER.match(text, place)
        if other is None or text[place : place + 1].isdigit():
            continue
        name = POSSESSIVE.sub("", (other[1] if other.re is RESULTS else other[0]).strip(" .,-/*"))
        name = TAIL.sub("", name)
        if len(name) >= 2 and not QUANTIFIED.match(name):
            gloss = GLOSS.match(text, other.end())
            found.append(Opponent(name, against.start(), gloss.end() if gloss else other.end()))
    return found


def contestant(text: str, subject: str | None) -> str | None:
    """The other side of a title or sentence that names two: `vLLM vs TGI` tells of either what the other is; `from BF16 to FP8` what was left."""
    for found in reversed(opponents(text, 0, len(text))):
        if PLACES.match(text, found.start):
            continue  # `over NVLink` says where
        if not subject or not one_name(subject, found.name):
            return found.name
        if rival := LEFT.search(text, max(0, found.start - 40), found.start):
            return TAIL.sub("", rival["en"].strip())
    left = [m["en"] for m in MOVED_FROM.finditer(text)]
    return left[-1] if left and not (subject and one_name(subject, left[-1])) else None


def defined(text: str) -> str | None:
    """What a text declares to be its baseline."""
    found = DEFINED.search(text)
    return (found["en"] or found["zh"] or found["said"]).strip() if found else None


def one_name(one: str, other: str) -> bool:
    """Whether one name is the other, or its beginning."""
    a, b = (re.sub(r"[\W_]+", "", n.lower()) for n in (one, other))
    return bool(a and b) and (a.startswith(b) or b.startswith(a))
