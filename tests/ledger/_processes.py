"""Work in processes of its own that may be killed at any point where it writes."""

from __future__ import annotations

import os
import signal
import sys
import traceback

import sqlalchemy as sa

from verifier.ledger.mirror import Mirror


def forked(work):
    """Do `work` in a child; its exit code, negative where a signal ended it."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def killed_at(point, work):
    """Do `work` in a child that is killed at its n-th write point; its exit code, 0 once there are fewer points."""

    def doomed():
        left = [point]

        def here(*_, **__):
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        watched = {"os.rename", "os.mkdir", "os.remove"}

        def audit(event, args):
            if event in watched or (event == "open" and isinstance(args[1], str) and set(args[1]) & set("wax+")):
                here()

        sys.addaudithook(audit)
        for name in ("before_cursor_execute", "commit", "rollback"):
            sa.event.listen(sa.Engine, name, here)
        append, extend = Mirror.append, Mirror._extend

        def torn(self, path, new):
            """Only half of the first line reaches the file."""
            left[0] -= 1
            if left[0] == 0:
                with path.open("ab") as file:
                    file.write(new[0].body.encode()[: len(new[0].body) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            extend(self, path, new)

        Mirror._extend = torn
        Mirror.append = lambda self, lines: (here(), append(self, lines), here())[1]
        work()

    return forked(doomed)
