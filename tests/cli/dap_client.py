"""A client of `warpstep dap` for tests: sends requests, keeps events."""
import json
import os
import subprocess

from patience import HANGS


class Failure(Exception):
    """A response without success."""


class Client:
    def __init__(self, program, *options, cwd="/", env=None):
        self.process = subprocess.Popen([program, "dap", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, cwd=cwd, env=env)
        self.sequence = 0
        self.events = []  # not looked at yet
        self.seen = []
        self.stopped = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """The exit code, once the adapter has seen that nothing more comes."""
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is self.process.stdout:
                self.process.wait(timeout=HANGS)
            stream.close()
        return self.process.returncode

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def post(self, message):
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def read(self):
        """The next message."""
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError(self.process.stderr.read().decode())
            if line == b"\r\n":
                break
            name, value = line.split(b":")
            if name == b"Content-Length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def send(self, command, **arguments):
        self.sequence += 1
        self.post({"seq": self.sequence, "type": "request", "command": command, "arguments": arguments})
        return self.sequence

    def response(self, to):
        while True:
            message = self.read()
            if message["type"] == "event":
                self.events.append(message)
            elif message["request_seq"] == to:
                return message

    def ask(self, command, **arguments):
        """The body of the response."""
        message = self.response(self.send(command, **arguments))
        if not message["success"]:
            raise Failure(message["message"])
        assert message["command"] == command, message
        return message["body"]

    def event(self, *names):
        """The next event of one of these names."""
        while True:
            for i, message in enumerate(self.events):
                if message["event"] in names:
                    self.seen += self.events[: i + 1]
                    del self.events[: i + 1]
                    return message
            message = self.read()
            assert message["type"] == "event", message
            self.events.append(message)

    # ---- a session ----

    def start(self, program, breakpoints=(), **arguments):
        """Launches it and waits until it stands still, at its beginning or at a breakpoint."""
        self.ask("initialize", clientID="test", adapterID="warpstep")
        self.ask("launch", program=program, **arguments)
        self.event("initialized")
        found = None
        if breakpoints:
            path, lines = breakpoints
            found = self.ask("setBreakpoints", source={"name": os.path.basename(path), "path": path},
                             breakpoints=[line if isinstance(line, dict) else {"line": line} for line in lines])
        self.ask("configurationDone")
        self.wait()
        return found and found["breakpoints"]

    def wait(self):
        """The body of the next event that ends a motion."""
        message = self.event("stopped", "terminated")
        self.stopped = message.get("body", {"reason": "terminated"})
        return self.stopped

    def move(self, command, **arguments):
        self.ask(command, threadId=self.stopped.get("threadId", 1), **arguments)
        return self.wait()

    def frames(self, thread=None):
        return self.ask("stackTrace", threadId=thread or self.stopped["threadId"])["stackFrames"]

    def scope(self, name, frame=0):
        scopes = self.ask("scopes", frameId=self.frames()[frame]["id"])["scopes"]
        return next(scope["variablesReference"] for scope in scopes if scope["name"] == name)

    def variables(self, reference, **arguments):
        return {v["name"]: v for v in self.ask("variables", variablesReference=reference, **arguments)["variables"]}
