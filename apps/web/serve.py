"""Serves a folder to this machine alone, until it is stopped: serve.py FOLDER PORT (0: any that is free)."""

import functools
import http.server
import signal
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def main() -> int:
    folder, port = sys.argv[1], int(sys.argv[2])
    # The user stops the server by ending it.
    for end in (signal.SIGINT, signal.SIGTERM):
        signal.signal(end, lambda *_: sys.exit(0))
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Handler, directory=folder))
    except OSError as error:
        print(f"web: port {port}: {error.strerror}", file=sys.stderr)
        return 2
    print(f"http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(main())
