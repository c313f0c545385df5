"""Runs inside the sandbox: opens the engine in a module and answers questions until standard input ends.

Words: folders to import from, joined by ':'; the path of the module; what its `open_engine` gets. A message is the lengths of both parts as
32 bits, least byte first, a JSON text, bytes; the same as in engine-frames.ts.
"""
import importlib.util
import json
import os
import resource
import struct
import sys
import traceback

LIMIT = 64 * 1024 * 1024


class Refused(Exception):
    """An engine refuses a question: `kind` is `missing` or `invalid`, the message a sentence for the caller."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


def read(stream, size):
    data = stream.read(size)
    if len(data) < size:
        sys.exit(0)
    return data


def resident():
    """Bytes of memory that the process holds now (proc(5): statm)."""
    with open('/proc/self/statm') as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def main():
    folders, path, *args = sys.argv[1:]
    # What a library prints, also one in C, would corrupt the answers.
    out = os.fdopen(os.dup(1), 'wb')
    os.dup2(2, 1)
    sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))] + [folder for folder in folders.split(':') if folder]
    # The module finds Refused in this one, not in a second copy.
    sys.modules['engine_process'] = sys.modules['__main__']

    def send(header, data=b''):
        text = json.dumps(header).encode()
        if len(text) + len(data) > LIMIT:
            raise ValueError('a message of %d bytes is too large' % (len(text) + len(data)))
        out.write(struct.pack('<II', len(text), len(data)) + text)
        out.write(data)
        out.flush()

    spec = importlib.util.spec_from_file_location('engine', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    answer = module.open_engine(args)
    send({'ready': True})
    while True:
        sizes = struct.unpack('<II', read(sys.stdin.buffer, 8))
        given = json.loads(read(sys.stdin.buffer, sizes[0]))
        data = read(sys.stdin.buffer, sizes[1])
        try:
            result, made = answer(given, data, lambda event: send({'event': event}))
            send({'result': result, 'rss': resident()}, made)
        except Refused as error:
            send({'refused': {'kind': error.kind, 'message': str(error)}, 'error': str(error)})
        except Exception as error:
            traceback.print_exc()
            send({'refused': None, 'error': repr(error)})


if __name__ == '__main__':
    main()
