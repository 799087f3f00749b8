"""Damaged messages for the debug adapter: fuzz_dap.py WARPSTEP SOURCE_ROOT [SEED [ROUNDS]]

Sessions like the recorded exchange, with messages changed at random: each must get an answer, and
the adapter must end well. Then the bytes of whole sessions are damaged, headers included.
"""
import copy
import json
import os
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
from dap_client import Client
from patience import HANGS

PROGRAM, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 0
ROUNDS = int(sys.argv[4]) if len(sys.argv) > 4 else 20
MOVES = {"continue", "next", "stepIn", "stepOut", "stepBack", "reverseContinue", "goto", "configurationDone"}
ODD = [None, True, 0, -1, 1, 2, 3, 7, 31, 32, 2**31, 2**53, 2**63 - 1, -2**63, 1.5, 1e300, "", "x", "0x10", "0x10000000", "R4",
       "shared:0", "kernel.wsasm", "R0 > 3", "R0[5]", "é\u202e\0", "{R4} {", ">= 2", "% 0", "0:0:5:R4", "A" * 3000, [], {},
       [{}], [1, None], {"path": "kernel.wsasm"}, {"sourceReference": 1}, [{"line": 13, "condition": "lane > 3"}],
       [{"line": 13, "hitCondition": "% 2", "logMessage": "{R0}"}], [{"instructionReference": "0x40"}],
       [{"dataId": "0:0:31:R4"}], [{"dataId": "0:0:0:out[3]"}], [{"name": "if_else"}], "repl", "goto 10", "step 3", "why", "back", "break 13", "info warps", "quit", "indexed", "instruction"]
KEYS = ["threadId", "frameId", "variablesReference", "start", "count", "filter", "format", "levels", "startFrame", "line",
        "source", "breakpoints", "memoryReference", "offset", "instructionOffset", "instructionCount", "expression",
        "context", "granularity", "targetId", "name", "filters", "sourceReference", "endLine"]


def commands():
    text = (ROOT / "inspect/dap/requests.def").read_text()
    return [line.split("(")[1].split(",")[0] for line in text.splitlines() if line.startswith("REQUEST(")]


def recorded():
    lines = (ROOT / "tests/data/dap_exchange.txt").read_text().splitlines()
    return [json.loads(line[3:]) for line in lines if line.startswith("-> ")]


def damage(source, message):
    message = copy.deepcopy(message)
    arguments = message.setdefault("arguments", {})
    for _ in range(source.randrange(1, 4)):
        kind = source.randrange(6)
        if kind == 0:
            message["command"] = source.choice(commands())
        elif kind == 1 and arguments:
            arguments[source.choice(list(arguments))] = source.choice(ODD)
        elif kind == 2:
            arguments[source.choice(KEYS)] = source.choice(ODD)
        elif kind == 3 and arguments:
            del arguments[source.choice(list(arguments))]
        elif kind == 4:
            message[source.choice(["seq", "type", "command", "arguments"])] = source.choice(ODD)
            if not isinstance(message["arguments"], dict):
                break
        else:
            arguments[source.choice(KEYS)] = source.randrange(-5, 200)
    return message


def expand(source):
    """The recorded requests, further ones among them, some damaged."""
    for message in recorded():
        if message["command"] not in ("initialize", "launch", "disconnect"):
            for _ in range(source.randrange(4)):
                yield damage(source, {"seq": 1, "type": "request", "command": source.choice(commands()),
                                      "arguments": {"threadId": 1, "frameId": 1, "variablesReference": source.randrange(60)}})
        if message["command"] != "disconnect":
            yield message if source.random() < 0.7 else damage(source, message)
            if message["command"] in ("initialize", "launch", "configurationDone"):
                yield message  # if it was damaged


def answered(client, message):
    client.post(message)
    while True:
        reply = client.read()
        if reply["type"] == "response":
            break
        client.events.append(reply)
    if reply["success"] and message.get("command") in MOVES and reply["command"] in MOVES:
        client.wait()
    return not (reply["success"] and reply["command"] == "disconnect")


def session(source):
    client = Client(PROGRAM)
    for message in expand(source):
        if not answered(client, message):
            break
    errors = None
    client.process.stdin.close()
    errors = client.process.stderr.read().decode(errors="replace")
    return client.process.wait(timeout=HANGS), errors


def damaged_bytes(source):
    data = bytearray()
    for message in recorded():
        body = json.dumps(message).encode()
        data += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    for _ in range(source.randrange(1, 12)):
        at = source.randrange(len(data))
        if source.random() < 0.5:
            data[at] = source.randrange(256)
        else:
            data[at : at + source.randrange(20)] = bytes(source.randrange(256) for _ in range(source.randrange(20)))
    done = subprocess.run([PROGRAM, "dap"], input=bytes(data), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=HANGS)
    return done.returncode, done.stderr.decode(errors="replace")


def main():
    for seed in range(SEED, SEED + ROUNDS):
        for kind in (session, damaged_bytes):
            code, errors = kind(random.Random(seed))
            if code != 0 or errors:
                print(f"seed {seed}, {kind.__name__}: exit code {code}\n{errors}")
                return 1
    print(f"{ROUNDS} sessions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
