"""What a page of `warpstep report` holds, read as the browser does: Page(path)."""
import base64
import json
import pathlib
import re
import struct

KINDS = ["issue", "issue", "issue", "stall", "paths", "diverge", "reconverge", "convergence", "barrier_arrive",
         "barrier_release", "request", "response", "warp_exit", "warp_end", "stop", "back"]
NUMBERS = {"diverge": 2, "reconverge": 1, "convergence": 2, "barrier_arrive": 1, "barrier_release": 1, "request": 3,
           "response": 2, "warp_exit": 0, "warp_end": 0, "stop": 2}


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def difference(self):
        value = self.number()
        return -(value + 1 >> 1) if value & 1 else value >> 1


class Page:
    def __init__(self, path):
        self.html = pathlib.Path(path).read_text(encoding="utf-8")
        self.run = json.loads(self.element("run"))
        self.data = json.loads(self.element("data"))
        self.stalls = [stall["name"] for stall in self.data["stalls"]]
        self.warps = list(self.read(Bytes(base64.b64decode(self.element("timeline").strip(), validate=True))))

    def element(self, name):
        return re.search(rf'<script type="[\w/]+" id="{name}">(.*?)</script>', self.html, re.S).group(1)

    def read(self, data):
        if not data.data:
            return
        count = data.number()
        self.masks = struct.unpack_from(f"<{count}Q", data.data, data.at)
        data.at += 8 * count
        for _ in range(data.number()):
            names = ["launch", "sm", "warp", "sub_core", "block", "warp_in_block", "begin", "launched", "entry", "length"]
            warp = {name: data.number() for name in names}
            end = data.at + warp["length"]
            warp["records"] = list(self.records(data, end, warp))
            assert data.at == end
            yield warp
        assert data.at == len(data.data)

    def records(self, data, end, warp):
        """(cycle, event, instruction, values), masks as numbers."""
        cycle = max(warp["begin"], self.data["timeline"]["first"])
        lanes = [warp["entry"]] * 3
        following = stalled = 0
        reasons, rhythm = [0, 0], [0, 0]
        while data.at < end:
            head = data.byte()
            kind, since = KINDS[head & 15], head >> 4
            since = since if since < 15 else 15 + data.number()
            cycle += since
            instruction, values = following - 1, []
            if kind == "issue":
                instruction = following + (data.difference() if head & 15 else 0)
                if head & 15 == 2:
                    lanes = [data.number() for _ in range(3)]
                else:
                    lanes = [lanes[0], lanes[0], lanes[2]]
                following = instruction + 1
                values = [self.masks[lane] for lane in lanes]
            elif kind == "stall":
                reason = data.byte()
                instruction = stalled = following + (data.difference() if reason & 128 else 0)
                reasons = [reasons[1], reason & 127]
                values = [self.stalls[reason & 127]]
            elif kind == "back":
                steps = data.number() * rhythm if since == 0 else [0]
                rhythm = rhythm if since == 0 else [rhythm[1], since]
                for step in steps:
                    cycle += step
                    reasons = reasons[::-1]
                    yield cycle, "stall", stalled, [self.stalls[reasons[1]]]
                continue
            elif kind == "paths":
                for _ in range(data.number()):
                    mask, pc, text = (data.number() for _ in range(3))
                    values.append((self.masks[mask], pc, self.data["texts"][text]))
            else:
                if kind in ("request", "response"):
                    instruction = following + data.difference()
                values = [data.number() for _ in range(NUMBERS[kind])]
            yield cycle, kind, instruction, values

    def events(self, kinds):
        """(cycle, sm, warp slot, event, instruction, values) of all warps that the page shows, in order."""
        end = self.data["timeline"]["end"]
        found = [(cycle, warp["sm"], warp["warp"], kind, instruction, values) for warp in self.warps
                 for cycle, kind, instruction, values in warp["records"] if kind in kinds and cycle < end]
        return sorted(found, key=lambda event: event[:3])
