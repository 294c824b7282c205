"""Run inside a peer's own environment: loads one peer and answers requests, one JSON object a line. Standard library only.

python _reader.py PEER.py    then on standard input {"time": [text, …], "times": n} or {"tell": text}
"""

import importlib.util
import json
import os
import resource
import sys
import time
import warnings


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a peer prints must not get among the answers
    warnings.simplefilter("ignore")
    sys.path.pop(0)  # this folder, where a file may be called as the library that it is about
    spec = importlib.util.spec_from_file_location("peer", sys.argv[1])
    peer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(peer)
    read = peer.load()
    for line in sys.stdin:
        asked = json.loads(line)
        if "tell" in asked:
            answer = {"claims": peer.told(asked["tell"], read(asked["tell"]))}
        else:
            started = time.process_time()
            for _ in range(asked["times"]):
                for text in asked["time"]:
                    read(text)
            answer = {"seconds": (time.process_time() - started) / asked["times"], "peak_mb": peak()}
        print(json.dumps(answer, ensure_ascii=False), file=answers, flush=True)


def peak():
    """The largest resident memory of this process in MB; where the system tells it, without what a parent had before it."""
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1e3
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


if __name__ == "__main__":
    main()
