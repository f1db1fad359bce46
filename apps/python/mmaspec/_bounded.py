"""Runs the command line with a memory limit, as a child process of `mmaspec.mcp`.

Arguments: the limit of address space of each process in bytes, the parent's process number, then the
command line's own arguments. The process ends with its parent.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> int:
    memory, parent = (int(x) for x in sys.argv[1:3])
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL))
    if os.getppid() != parent:
        return 125  # not an exit status of the command line
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.argv[1:] = sys.argv[3:]
    from .__main__ import main as command_line

    return command_line()


if __name__ == "__main__":
    sys.exit(main())
