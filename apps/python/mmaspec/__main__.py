"""The command line: `mmaspec ...` and `python -m mmaspec ...`.

It has the commands of the C++ program and `mmaspec mcp` (docs/mcp.md).
"""

from __future__ import annotations

import os
import signal
import sys

from . import _core


def main() -> int:
    """Runs the command in the process's arguments and returns its exit status."""
    if sys.argv[1:2] == ["mcp"]:
        try:
            from .mcp import main as serve
        except ImportError as error:
            print(f"mmaspec mcp: {error}", file=sys.stderr)
            return 2
        return serve(sys.argv[2:])
    # The command line installs its own handlers; Python's would not run before it returns.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    return _core.run_command_line([b"mmaspec", *(os.fsencode(a) for a in sys.argv[1:])])


if __name__ == "__main__":
    sys.exit(main())
