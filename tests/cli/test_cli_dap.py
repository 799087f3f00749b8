"""The debug adapter: test_cli_dap.py WARPSTEP SOURCE_ROOT [--update | unittest options]

tests/data/dap_exchange.txt is a recorded exchange, written anew by --update: requests are sent
again, and what comes back must be the same.
"""
import base64
import json
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from dap_client import Client, Failure
from long_loop import LAUNCH, write_long_loop

PROGRAM = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
EXCHANGE = ROOT / "tests/data/dap_exchange.txt"
IF_ELSE = "if_else/launch-bytecode.yaml"
SIDE_A, SIDE_B, TOGETHER = 10, 13, 16  # lines of if_else's kernel.wsasm


VARIABLES = '''struct Pair { int x; float y; };
__device__ __forceinline__ int twice(int v)
{
    int t = v * 2;
    return t;
}
__global__ void k(int *out, int n)
{
    __shared__ int tile[4][8];
    int id = threadIdx.x;
    Pair p = {id, id * 0.5f};
    Pair *q = &p;
    int a[4];
    tile[id / 8][id % 8] = id;
    for (int i = 0; i < 4; i++)
        a[i] = id * i;
    __syncthreads();
    q->x = twice(q->x);
    out[id] = a[1] + q->x + n;
}
'''
VARIABLES_LAUNCH = '''version: 1
program: k.cu
buffers: {out: {type: s32, count: 32}}
kernel: k
grid: 1
block: 32
params: [{ref: out}, {s32: 32}]
'''


def lines_of(client):
    """(line, lanes of the path) of each frame."""
    return [(frame["line"], frame["name"].split()[1]) for frame in client.frames()]


class Session(unittest.TestCase):
    def client(self, *options, **keywords):
        client = Client(PROGRAM, *options, **keywords)
        self.addCleanup(client.close)
        return client

    def test_ends_by_itself(self):
        client = self.client()
        client.ask("initialize")
        client.ask("launch", program=IF_ELSE)
        client.event("initialized")
        client.ask("configurationDone")
        self.assertEqual(client.event("exited")["body"], {"exitCode": 0})
        client.event("terminated")
        client.ask("disconnect")
        self.assertEqual(client.close(), 0)

    def test_lines_forward_and_back(self):
        client = self.client()
        client.start(IF_ELSE, stopOnEntry=True)
        self.assertEqual(client.stopped["reason"], "entry")
        visited = []
        while client.move("next")["reason"] == "step" and client.frames():
            visited.append((client.stopped["description"], lines_of(client)))
        self.assertGreater(len(visited), 6)
        self.assertIn([(SIDE_B, "-" * 24 + "#" * 8), (SIDE_A, "#" * 24 + "-" * 8)],
                      [paths for _, paths in visited])
        for expected in reversed(visited):
            client.move("stepBack")
            self.assertEqual((client.stopped["description"], lines_of(client)), expected)

    def test_instructions(self):
        client = self.client()
        client.start(IF_ELSE, stopOnEntry=True)
        at = []
        for _ in range(4):
            client.move("next", granularity="instruction")
            at.append(client.frames()[0]["instructionPointerReference"])
        self.assertEqual(at, ["0x10", "0x20", "0x30", "0x40"])
        client.move("stepBack", granularity="instruction")
        self.assertEqual(client.frames()[0]["instructionPointerReference"], "0x30")

    def test_step_out_of_a_side(self):
        client = self.client()
        client.start(IF_ELSE, breakpoints=("kernel.wsasm", [SIDE_B]))
        client.move("stepOut")
        self.assertEqual([lanes for _, lanes in lines_of(client)], ["#" * 32])

    def test_breakpoints(self):
        client = self.client()
        found = client.start("vecadd", sms=1, breakpoints=("kernel.cu", [
            {"line": 1}, {"line": 1000}, {"line": 1, "condition": "R0 >"}, {"line": 1, "hitCondition": "x"}]))
        self.assertEqual([b["verified"] for b in found], [True, False, False, False])
        self.assertEqual(client.stopped["reason"], "breakpoint")
        self.assertEqual(client.stopped["hitBreakpointIds"], [found[0]["id"]])
        line = client.frames()[0]["line"]
        self.assertEqual(found[0]["line"], line)
        first = client.stopped
        client.move("continue")
        self.assertNotEqual(client.stopped, first)
        client.move("reverseContinue")
        self.assertEqual(client.stopped["description"], first["description"])

    def test_condition_on_one_lane(self):
        client = self.client()
        client.start("vecadd", sms=1, breakpoints=("kernel.cu", [
            {"line": 1, "condition": "block.x == 3 && thread.x == 70"}]))
        names = {t["id"]: t["name"] for t in client.ask("threads")["threads"]}
        self.assertIn("block (3,0,0) warp 2,", names[client.stopped["threadId"]])

    def test_hit_condition_and_log_point(self):
        client = self.client()
        client.start("vecadd", sms=1, breakpoints=("kernel.cu", [{"line": 1, "hitCondition": "3"}]))
        third = client.stopped["description"]
        client = self.client()
        client.start("vecadd", sms=1, breakpoints=("kernel.cu", [{"line": 1}]))
        client.move("continue")
        self.assertEqual(client.move("continue")["description"].split(":")[0], third.split(":")[0])
        client = self.client()
        client.start("vecadd", sms=1, breakpoints=("kernel.cu", [
            {"line": 1, "condition": "block == 2", "logMessage": "warp {warp} of {nothing}"}]))
        self.assertEqual(client.stopped["reason"], "terminated")
        texts = [event["body"]["output"] for event in client.seen if event["event"] == "output"]
        self.assertEqual(sorted(texts[:8]), [f"warp {i} of {{nothing}}\n" for i in range(8)])
        self.assertEqual(texts[-1], "passed  c\n")

    def test_function_and_instruction_breakpoints(self):
        client = self.client()
        client.start(IF_ELSE, stopOnEntry=True)
        found = client.ask("setFunctionBreakpoints", breakpoints=[{"name": "if_else"}, {"name": "nothing"}])
        self.assertEqual([b["verified"] for b in found["breakpoints"]], [True, False])
        client.ask("setFunctionBreakpoints", breakpoints=[])
        found = client.ask("setInstructionBreakpoints", breakpoints=[
            {"instructionReference": "0x40", "offset": 16}, {"instructionReference": "0x4000"},
            {"instructionReference": "here"}])
        self.assertEqual([b["verified"] for b in found["breakpoints"]], [True, False, False])
        self.assertEqual(client.move("continue")["reason"], "instruction breakpoint")
        self.assertEqual(client.frames()[0]["instructionPointerReference"], "0x50")
        self.assertEqual(client.move("continue")["reason"], "terminated")

    def test_scopes(self):
        client = self.client()
        client.start(IF_ELSE, breakpoints=("kernel.wsasm", [SIDE_B]))
        scopes = client.ask("scopes", frameId=client.frames()[0]["id"])["scopes"]
        self.assertEqual([s["name"] for s in scopes],
                         ["Registers", "Masks", "Scoreboard", "Scheduler", "Memory"])
        self.assertEqual([s.get("presentationHint") for s in scopes], ["registers"] + [None] * 4)
        registers = client.variables(scopes[0]["variablesReference"])
        self.assertEqual(len(registers), scopes[0]["namedVariables"])
        self.assertEqual(registers["P0"]["value"], "-" * 24 + "#" * 8)
        lanes = registers["R0"]["variablesReference"]
        self.assertEqual(registers["R0"]["indexedVariables"], 32)
        self.assertEqual([v["value"] for v in client.variables(lanes).values()],
                         [f"{i} (0x{i:x})" for i in range(32)])
        page = client.variables(lanes, filter="indexed", start=30, count=5, format={"hex": True})
        self.assertEqual({n: v["value"] for n, v in page.items()}, {"[30]": "0x1e", "[31]": "0x1f"})
        self.assertEqual({v["type"] for n, v in client.variables(lanes).items()},
                         {"active", "waiting on another path"})
        self.assertEqual(client.variables(lanes, filter="named"), {})
        self.assertEqual(client.variables(scopes[0]["variablesReference"], filter="indexed"), {})
        masks = client.variables(client.scope("Masks"))
        self.assertEqual(masks["lanes"]["value"], "d" * 24 + "#" * 8)
        self.assertEqual(masks["waiting"]["type"], "0xffffff, 24 lanes")
        scheduler = client.variables(client.scope("Scheduler"))
        self.assertTrue(scheduler["this warp"]["value"].startswith("selected: "))
        self.assertIn("issues in this cycle", scheduler["why"]["value"])
        client.move("next")
        with self.assertRaises(Failure):
            client.variables(lanes)

    def test_scoreboard(self):
        client = self.client()
        client.start("vecadd", sms=1, launch={"grid": 1}, stopOnEntry=True)
        for _ in range(40):
            found = client.variables(client.scope("Scoreboard"))
            if any(v.get("type") == "memory access in flight" for v in found.values()):
                break
            client.move("next", granularity="instruction")
        loads = [name for name in found if name.startswith("LDG")]
        self.assertTrue(loads, found)
        self.assertIn("waits for an answer whose cycle is not known", [v["value"] for v in found.values()])

    def test_memory(self):
        client = self.client()
        client.start("vecadd", sms=1, stopOnEntry=True)
        memory = client.variables(client.scope("Memory"))
        a = memory["a"]
        read = client.ask("readMemory", memoryReference=a["memoryReference"], offset=4, count=8)
        elements = client.variables(a["variablesReference"], start=1, count=2)
        values = struct.unpack("<2f", base64.b64decode(read["data"]))
        self.assertEqual([float(v["value"]) for v in elements.values()], list(values))
        self.assertEqual(list(elements), ["[1]", "[2]"])
        self.assertEqual(int(read["address"], 16), int(a["memoryReference"], 16) + 4)
        outside = client.ask("readMemory", memoryReference="0x0", count=16)
        self.assertEqual((outside["data"], outside["unreadableBytes"]), ("", 16))
        end = client.ask("readMemory", memoryReference=a["memoryReference"], offset=39996, count=16)
        self.assertEqual(end["unreadableBytes"], 12)

    def test_shared_memory_and_watching_it(self):
        client = self.client()
        client.start("reduction", sms=1, launch={"grid": 2}, stopOnEntry=True)
        shared = client.variables(client.scope("Memory"))["shared"]
        self.assertEqual(shared["memoryReference"], "shared:0")
        info = client.ask("dataBreakpointInfo", variablesReference=shared["variablesReference"], name="[3]")
        self.assertEqual(info["accessTypes"], ["write"])
        self.assertTrue(client.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
                        ["breakpoints"][0]["verified"])
        before = client.ask("readMemory", memoryReference="shared:0", offset=12, count=4)["data"]
        self.assertEqual(client.move("continue")["reason"], "data breakpoint")
        self.assertRegex(client.stopped["text"], r"^shared\[12:4\] was [^,]+, is [^,]+$")
        after = client.ask("readMemory", memoryReference="shared:0", offset=12, count=4)["data"]
        self.assertNotEqual(before, after)
        with self.assertRaises(Failure):
            client.ask("readMemory", memoryReference="shared:77", count=4)

    def test_watching_a_register(self):
        client = self.client()
        client.start(IF_ELSE, stopOnEntry=True)
        registers = client.variables(client.scope("Registers"))
        info = client.ask("dataBreakpointInfo", variablesReference=registers["R4"]["variablesReference"],
                          name="[31]")
        client.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
        client.move("continue")
        self.assertEqual((client.stopped["reason"], client.stopped["text"]), ("data breakpoint", "R4 was 0 (0x0), is 2 (0x2)"))
        self.assertEqual(client.ask("evaluate", expression="R4[31]", context="watch")["result"], "2 (0x2)")
        none = client.ask("dataBreakpointInfo", variablesReference=client.scope("Masks"), name="active")
        self.assertIsNone(none["dataId"])

    def test_evaluate(self):
        client = self.client()
        client.start(IF_ELSE, breakpoints=("kernel.wsasm", [SIDE_B]))
        frame = client.frames()[0]["id"]
        for expression, expected in (("R0", "24, 25, 26, 27, …"), ("R0[7]", "7 (0x7)"), ("P0", "-" * 24 + "#" * 8), ("lane > 27", "4 lanes"),
                                     ("R0 >= 24 && R0 < 26", "2 lanes"), ("thread.x", "24"), ("out[3]", "0"), ("lane == 27", "1 lane"), ("(R0 & 7) * 2", "0, 2, 4, 6, …"), ("threadIdx.x == lane", "8 lanes"),
                                     ("out", "{0 <32 times>"), ("&out[2] - out", "2"),
                                     ("R0.s32", "24, 25, 26, 27, …")):
            found = client.ask("evaluate", expression=expression, frameId=frame, context="repl")["result"]
            self.assertIn(expected, found)
        for expression in ("", "R99", "nothing", "out[99]", "R0 >", "((((", "x[", "R0.f65", "R0[32]", "1 < 2 < 3", "shared[0]"):
            with self.assertRaises(Failure, msg=expression):
                client.ask("evaluate", expression=expression, frameId=frame)

    def test_conditions_and_log_points_take_expressions(self):
        client = self.client()
        client.start(IF_ELSE, stopOnEntry=True)
        source = client.frames()[0]["source"]
        points = client.ask("setBreakpoints", source=source, breakpoints=[
            {"line": SIDE_B, "condition": "threadIdx.x + 1 == 26 || out[laneId] > 100", "logMessage": "R0 {R0 * 2} of {laneId}, {nothing}"},
            {"line": SIDE_B, "condition": "sum > 3"}])["breakpoints"]
        self.assertEqual([point["verified"] for point in points], [True, False])
        self.assertIn("unknown name 'sum'", points[1]["message"])
        info = client.ask("dataBreakpointInfo", name="R4 * 2", frameId=client.frames()[0]["id"])
        client.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"], "condition": "laneId == 31"}])
        client.move("continue")
        self.assertEqual(client.stopped["reason"], "data breakpoint")
        self.assertEqual(client.stopped["text"], "R4 * 2 if laneId == 31 was 0, is 4")
        texts = [event["body"]["output"] for event in client.seen if event["event"] == "output"]
        self.assertIn("R0 50 of 25, {nothing}\n", texts)

    def source_session(self, line, **keywords):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name)
        (path / "k.cu").write_text(VARIABLES)
        (path / "k.yaml").write_text(VARIABLES_LAUNCH)
        client = self.client()
        client.start(str(path / "k.yaml"), debug=True, breakpoints=("k.cu", [line]), **keywords)
        return client

    def test_locals(self):
        client = self.source_session(18)
        frame = client.frames()[0]["id"]
        scopes = client.ask("scopes", frameId=frame)["scopes"]
        self.assertEqual((scopes[0]["name"], scopes[0]["presentationHint"]), ("Locals", "locals"))
        found = client.variables(scopes[0]["variablesReference"])
        self.assertEqual({name: found[name]["value"] for name in ("id", "n", "out", "a")},
                         {"id": "0, 1, 2, 3, …", "n": "32", "out": "0x10000000 <out[0]>",
                          "a": "{0 <4 times>}, {0, 1, 2, 3}, {0, 2, 4, 6}, {0, 3, 6, 9}, …"})
        self.assertEqual((found["p"]["type"], found["q"]["type"], found["id"]["type"]), ("Pair", "Pair *", "int"))
        lanes = client.variables(found["id"]["variablesReference"], filter="indexed", start=9, count=2)
        self.assertEqual({name: lane["value"] for name, lane in lanes.items()}, {"[9]": "9", "[10]": "10"})
        members = client.variables(found["p"]["variablesReference"])
        self.assertEqual({name: member["value"] for name, member in members.items()},
                         {"x": "0, 1, 2, 3, …", "y": "0, 0.5, 1, 1.5, …"})
        self.assertEqual(members["y"]["evaluateName"], "p.y")
        target = client.variables(found["q"]["variablesReference"], filter="named")["*q"]
        self.assertEqual(list(client.variables(target["variablesReference"])), ["x", "y"])
        elements = client.variables(found["a"]["variablesReference"], start=1, count=2)
        self.assertEqual({name: element["value"] for name, element in elements.items()},
                         {"[1]": "0, 1, 2, 3, …", "[2]": "0, 2, 4, 6, …"})
        tile = client.variables(found["tile"]["variablesReference"])
        self.assertEqual(client.variables(tile["[1]"]["variablesReference"])["[2]"]["value"], "10")

    def test_frames_of_inlined_calls(self):
        client = self.source_session(5)
        frames = client.frames()
        self.assertEqual([(frame["name"].split()[0], frame["line"]) for frame in frames], [("twice", 5), ("k", 18)])
        self.assertEqual(set(client.variables(client.scope("Locals", 0))), {"v", "t"})
        self.assertIn("tile", client.variables(client.scope("Locals", 1)))
        self.assertNotIn("t", client.variables(client.scope("Locals", 1)))

    def test_evaluating_and_setting_variables(self):
        client = self.source_session(18)
        frame = client.frames()[0]["id"]

        def evaluate(text):
            return client.ask("evaluate", expression=text, frameId=frame, context="hover")

        self.assertEqual(evaluate("p.y * 2")["result"], "0, 1, 2, 3, …")
        self.assertEqual(evaluate("q->x == 9")["result"], "-" * 9 + "#" + "-" * 22 + " in 1 lane")
        self.assertEqual(list(client.variables(evaluate("p")["variablesReference"])), ["x", "y"])
        with self.assertRaises(Failure) as failure:
            evaluate("t")
        self.assertIn("'t' is not in scope at k.cu:18; its scope is lines 4-5 of twice()", str(failure.exception))
        scope = client.scope("Locals")
        self.assertEqual(client.ask("setVariable", variablesReference=scope, name="n", value="7")["value"], "7")
        members = client.variables(scope)["p"]["variablesReference"]
        self.assertEqual(client.ask("setVariable", variablesReference=members, name="y", value="1.5 + 1")["value"], "2.5")
        lanes = client.variables(scope)["id"]["variablesReference"]
        self.assertEqual(client.ask("setVariable", variablesReference=lanes, name="[3]", value="n * 10")["value"], "70")
        self.assertEqual(client.ask("setExpression", frameId=frame, expression="a[1]", value="8")["value"], "8")
        self.assertEqual(evaluate("id")["result"], "0, 1, 2, 70, …")
        with self.assertRaises(Failure):
            client.ask("setVariable", variablesReference=scope, name="p", value="1")
        self.assertTrue(any("The run forks at cycle" in event["body"]["output"]
                            for event in client.seen + client.events if event["event"] == "output"))
        client.ask("setBreakpoints", source={"name": "k.cu", "path": "k.cu"}, breakpoints=[
            {"line": 19, "condition": "p.x == 14", "logMessage": "{id}: {p.x} of {n}"}, {"line": 20, "condition": "t > 1"}])
        client.move("continue")
        texts = [event["body"]["output"] for event in client.seen if event["event"] == "output"]
        self.assertIn("7: 14 of 7\n", texts)

    def test_watching_variables(self):
        client = self.source_session(15)
        scope = client.scope("Locals")
        elements = client.variables(scope)["a"]["variablesReference"]
        info = client.ask("dataBreakpointInfo", variablesReference=elements, name="[2]")
        self.assertEqual(info["description"], "a[2] of lane 0")
        lanes = client.variables(elements)["[2]"]["variablesReference"]
        info = client.ask("dataBreakpointInfo", variablesReference=lanes, name="[5]")
        self.assertEqual(info["description"], "a[2] of lane 5")
        client.ask("setBreakpoints", source={"name": "k.cu", "path": "k.cu"}, breakpoints=[])
        client.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
        client.move("continue")
        self.assertEqual((client.stopped["reason"], client.stopped["text"]), ("data breakpoint", "a[2] was 0, is 10"))

    def test_console(self):
        client = self.client()
        client.start(IF_ELSE, breakpoints=("kernel.wsasm", [SIDE_B]))
        here = client.stopped["description"]

        def do(line):
            return client.ask("evaluate", expression=line, context="repl", frameId=client.frames()[0]["id"])["result"]

        self.assertIn("issues in this cycle", do("why"))
        self.assertEqual(client.events, [])
        self.assertIn("cycle 3 ", do("goto 3"))
        self.assertEqual(client.wait()["reason"], "goto")
        self.assertEqual(client.frames()[0]["instructionPointerReference"], "0x30")
        self.assertIn(f"kernel.wsasm:{SIDE_B}", do("continue"))
        self.assertEqual(client.wait()["description"], here)
        self.assertEqual(do("R0"), "24, 25, 26, 27, …")
        with self.assertRaisesRegex(Failure, "unknown command"):
            do("nonsense")
        with self.assertRaises(Failure):
            client.ask("evaluate", expression="why", context="hover")
        found = client.ask("completions", text="info war", column=9)["targets"]
        self.assertEqual(found, [{"label": "warps", "start": 5, "length": 3}])
        do("goto end")
        client.wait()
        self.assertEqual(client.frames(), [])
        self.assertIn("no warp", client.ask("threads")["threads"][0]["name"])
        client.ask("evaluate", expression="goto 3", context="repl")
        self.assertEqual(client.wait()["description"], "Cycle 3")
        do("quit")
        self.assertEqual(client.wait()["reason"], "terminated")

    def test_disassemble(self):
        client = self.client()
        client.start(IF_ELSE, stopOnEntry=True)
        found = client.ask("disassemble", memoryReference="0x10", instructionOffset=-2, instructionCount=4)
        self.assertEqual([i["address"] for i in found["instructions"]], ["0xfffffffffffffff0", "0x0", "0x10", "0x20"])
        self.assertEqual(found["instructions"][0]["presentationHint"], "invalid")
        text = subprocess.run([PROGRAM, "disasm", IF_ELSE, "--device", "textbook"], stdout=subprocess.PIPE, text=True, check=True).stdout
        for instruction in found["instructions"][1:]:
            self.assertIn(instruction["instruction"], text)

    def test_goto(self):
        client = self.client()
        client.start(IF_ELSE, breakpoints=("kernel.wsasm", [SIDE_B]))
        here = client.stopped["description"]
        source = client.frames()[0]["source"]
        targets = client.ask("gotoTargets", source=source, line=TOGETHER)["targets"]
        self.assertEqual(len(targets), 1)
        client.move("goto", targetId=targets[0]["id"])
        self.assertEqual(client.stopped["reason"], "goto")
        self.assertEqual(client.frames()[0]["line"], TOGETHER)
        target = client.ask("gotoTargets", source=source, line=SIDE_B)["targets"]
        self.assertEqual([t["label"].split(", ")[1] for t in target], ["the last time"])
        client.move("goto", targetId=target[0]["id"])
        self.assertEqual(client.stopped["description"], here)

    def test_deadlock(self):
        client = self.client()
        client.start("barrier_divergence/one_side.yaml")
        self.assertEqual(client.stopped["reason"], "exception")
        info = client.ask("exceptionInfo")
        self.assertEqual((info["exceptionId"], info["description"]), ("deadlock", client.stopped["text"]))
        self.assertTrue(client.frames())
        back = client.move("stepBack")
        self.assertEqual(back["reason"], "step")
        with self.assertRaises(Failure):
            client.ask("exceptionInfo")
        self.assertEqual(client.move("continue")["reason"], "exception")
        client.move("continue")
        self.assertEqual(client.stopped["reason"], "terminated")

    def test_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "k.wsasm").write_text(
                ".kernel k\n.param u64 out\n    S2R R0, SR_TID.X ;\n    MOV R2, 0x10 ;\n    MOV R3, RZ ;\n"
                "    STG.E [R2], R0 ;\n    EXIT ;\n")
            pathlib.Path(folder, "k.yaml").write_text(LAUNCH)
            expected = subprocess.run([PROGRAM, "run", folder + "/k.yaml"], stderr=subprocess.PIPE, text=True,
                                      stdout=subprocess.DEVNULL)
            self.assertEqual(expected.returncode, 4, expected.stderr)
            client = self.client(cwd=folder)
            client.start("k.wsasm")
            self.assertEqual(client.stopped["reason"], "exception")
            self.assertIn(client.stopped["text"], expected.stderr)
            frame = client.frames()[0]
            self.assertEqual((frame["line"], frame["source"]["path"]), (6, os.path.realpath(folder) + "/k.wsasm"))
            client.ask("setExceptionBreakpoints", filters=[])
            client.move("stepBack")
            client.ask("continue", threadId=1)
            self.assertEqual(client.event("exited")["body"], {"exitCode": 4})

    def test_source_of_a_built_in_workload(self):
        client = self.client()
        client.start("vecadd", sms=1, stopOnEntry=True)
        sources = client.ask("loadedSources")["sources"]
        self.assertTrue(all(source["sourceReference"] > 0 for source in sources))
        kernel = next(source for source in sources if source["name"] == "kernel.cu")
        text = client.ask("source", sourceReference=kernel["sourceReference"])["content"]
        self.assertEqual(text, (ROOT / "workloads/vecadd/kernel.cu").read_text())
        lines = client.ask("breakpointLocations", source=kernel, line=1, endLine=1000)["breakpoints"]
        self.assertTrue(lines)

    def test_lines_from_zero(self):
        client = self.client()
        client.ask("initialize", linesStartAt1=False, columnsStartAt1=False)
        client.ask("launch", program=IF_ELSE)
        found = client.ask("setBreakpoints", source={"name": "kernel.wsasm"}, breakpoints=[{"line": SIDE_B - 1}])
        self.assertEqual((found["breakpoints"][0]["line"], found["breakpoints"][0]["column"]), (SIDE_B - 1, 0))
        client.ask("configurationDone")
        client.wait()
        self.assertEqual(client.frames()[0]["line"], SIDE_B - 1)

    def test_pause_and_breakpoints_while_it_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            write_long_loop(folder)
            client = self.client(cwd=folder)
            client.start("k.yaml", stopOnEntry=True)
            client.ask("continue", threadId=1)
            self.assertEqual(len(client.ask("threads")["threads"]), 1)
            for command in ("stackTrace", "next", "continue"):
                with self.assertRaisesRegex(Failure, "is moving"):
                    client.ask(command, threadId=1)
            time.sleep(0.2)
            client.ask("pause", threadId=1)
            self.assertEqual(client.wait()["reason"], "pause")
            self.assertIn(client.frames()[0]["line"], (6, 7, 8))
            client.ask("continue", threadId=1)
            client.ask("setBreakpoints", source={"path": folder + "/k.wsasm"}, breakpoints=[{"line": 6}])
            self.assertEqual(client.wait()["reason"], "breakpoint")
            client.ask("setBreakpoints", source={"path": folder + "/k.wsasm"}, breakpoints=[])
            client.ask("continue", threadId=1)
            client.ask("terminate")
            self.assertEqual(client.wait()["reason"], "terminated")
            client.ask("disconnect")

    def test_pause_ends_a_command_of_the_console(self):
        with tempfile.TemporaryDirectory() as folder:
            write_long_loop(folder)
            client = self.client(cwd=folder)
            client.start("k.yaml", stopOnEntry=True)
            cycle = 0
            for command in ("goto end", "continue", "step 1000000000"):
                with self.subTest(command=command):
                    moved = client.send("evaluate", expression=command, context="repl")
                    other = client.send("threads")  # does not end it, and is answered behind it
                    time.sleep(0.2)
                    paused = client.send("pause", threadId=1)
                    result = client.response(moved)["body"]["result"]
                    self.assertRegex(result, r"^Interrupted at cycle \d+")
                    before, cycle = cycle, int(re.search(r"\d+", result).group(0))
                    self.assertGreater(cycle, before)
                    self.assertTrue(client.response(other)["success"])
                    self.assertTrue(client.response(paused)["success"])
                    self.assertEqual(client.wait()["description"], f"Cycle {cycle}")
                    self.assertIn(client.frames()[0]["line"], (6, 7, 8))

    def test_threads_of_two_launches(self):
        client = self.client()
        client.start("global_sum", stopOnEntry=True)
        first = [thread["id"] for thread in client.ask("threads")["threads"]]
        self.assertEqual((first[:8], len(first)), (list(range(1, 9)), 256))  # the most that are listed
        client.ask("evaluate", expression="goto end", context="repl")
        end = int(client.wait()["description"].split()[1])
        none = client.ask("threads")["threads"][0]["id"]
        client.ask("evaluate", expression=f"goto {end - 700}", context="repl")
        client.wait()
        second = [thread["id"] for thread in client.ask("threads")["threads"]]
        self.assertEqual(second, list(range(none - len(second), none)))
        self.assertGreater(second[0], max(first))
        with self.assertRaises(Failure):
            client.frames(thread=1)

    def test_program_without_a_launch_file(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "saxpy.cu")
            source.write_text("__global__ void fill(int n, float *y) {\n    int i = threadIdx.x;\n"
                              "    if (i < n)\n        y[i] = i;\n}\n")
            client = self.client(cwd=folder)
            client.ask("initialize")
            with self.assertRaisesRegex(Failure, f"warpstep init {source}"):
                client.ask("launch", program="saxpy.cu")
            subprocess.run([PROGRAM, "init", str(source)], check=True, stdout=subprocess.DEVNULL)
            client.ask("launch", program="saxpy.cu")
            found = client.ask("setBreakpoints", source={"path": str(source)}, breakpoints=[{"line": 4}])["breakpoints"][0]
            self.assertEqual((found["verified"], found["line"], found["source"]["path"]), (True, 4, os.path.realpath(source)))
            client.ask("configurationDone")
            self.assertEqual(client.wait()["reason"], "breakpoint")

    def test_launch_arguments(self):
        client = self.client()
        client.start("vecadd", stopOnEntry=True, device="a100", policy="lrr", sms=2,
                     set=["sub_cores=2"], launch={"block": 64})
        scheduler = client.variables(client.scope("Scheduler"))
        self.assertEqual(scheduler["policy"]["value"], "lrr")
        threads = [t["name"] for t in client.ask("threads")["threads"]]
        self.assertTrue(any(", sm 1 " in name for name in threads))
        for wrong in ({"device": "no"}, {"policy": "no"}, {"sms": 0}, {"set": ["x"]}, {"set": 7}, {"launch": {"n": [1]}},
                      {"program": "/nowhere"}, {"program": 5}, {"stopOnEntry": "yes"}):
            client = self.client()
            client.ask("initialize")
            with self.assertRaises(Failure, msg=str(wrong)):
                client.ask("launch", **{"program": "vecadd", **wrong})
            client.ask("launch", program=IF_ELSE)

    def test_confined(self):
        with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile(suffix=".wsasm") as outside:
            outside.write((ROOT / "workloads/if_else/kernel.wsasm").read_bytes())
            outside.flush()
            launch = (ROOT / "workloads" / IF_ELSE).read_text().replace("kernel.wsasm", outside.name)
            path = pathlib.Path(folder, "launch.yaml")
            path.write_text(launch)
            for options, arguments, works in (((), {}, True), ((), {"confine": True}, False),
                                              (("--confine",), {"confine": False}, False)):
                client = self.client(*options)
                client.ask("initialize")
                if works:
                    client.ask("launch", program=str(path), **arguments)
                else:
                    with self.assertRaises(Failure):
                        client.ask("launch", program=str(path), **arguments)


class Malformed(unittest.TestCase):
    def setUp(self):
        self.client = Client(PROGRAM)
        self.addCleanup(self.client.close)

    def refused(self, request_seq=0):
        message = self.client.read()
        self.assertEqual((message["type"], message["success"], message["request_seq"]),
                         ("response", False, request_seq))
        self.assertTrue(message["message"])
        return message["message"]

    def test_messages(self):
        for body in (b"", b"{", b"[]", b"7", b"null", b"\xff\xfe", b'{"a": "\xff"}', b"[" * 100000, b'{"a":' * 1000,
                     b"{}", b'{"seq": "1", "type": "request", "command": "next"}'):
            self.client.post(body)
            self.refused()
        for message in ({"seq": 5}, {"seq": 5, "type": 5, "command": "next"}, {"seq": 5, "type": "event", "command": "next"},
                        {"seq": 5, "type": "request", "command": ["next"]},
                        {"seq": 5, "type": "request", "command": "next", "arguments": 7},
                        {"seq": 5, "type": "request", "command": "nothing"}):
            self.client.post(message)
            self.refused(5)
        self.client.ask("initialize")

    def test_headers(self):
        for header in (b"Hello\r\n\r\n", b"Content-Length: x\r\n\r\n", b"Content-Length: -5\r\n\r\n", b"\0\0\r\n\r\n",
                       b"Content-Length: 99999999999999999999\r\n\r\n", b"x" * 100000 + b"\r\n\r\n"):
            self.client.write(header)
            self.assertIn("Content-Length", self.refused())
        self.client.write(b"Content-Length: 20000000\r\n\r\n" + b"x" * 20000000)
        self.assertIn("16 MiB", self.refused())
        self.client.write(b'rest of something{}Content-Length: 2\nOther: 1\n\n{}')
        self.refused()
        self.client.ask("initialize")
        self.client.write(b"Content-Length: 100\r\n\r\n{")  # and nothing more comes
        self.assertEqual(self.client.close(), 0)

    def test_order(self):
        for command in ("launch", "threads", "next", "setBreakpoints", "evaluate", "configurationDone"):
            with self.assertRaisesRegex(Failure, "initialize"):
                self.client.ask(command)
        self.client.ask("initialize")
        with self.assertRaisesRegex(Failure, "only once"):
            self.client.ask("initialize")
        for command in ("threads", "next", "setBreakpoints", "readMemory", "terminate"):
            with self.assertRaisesRegex(Failure, "nothing has been launched"):
                self.client.ask(command)
        with self.assertRaises(Failure):
            self.client.ask("attach")
        self.client.ask("launch", program=IF_ELSE)
        with self.assertRaisesRegex(Failure, "only once"):
            self.client.ask("launch", program=IF_ELSE)
        with self.assertRaisesRegex(Failure, "configurationDone"):
            self.client.ask("next", threadId=1)
        self.client.ask("threads")
        self.client.ask("configurationDone")
        self.client.event("terminated")
        with self.assertRaisesRegex(Failure, "has ended"):
            self.client.ask("next", threadId=1)
        self.client.ask("disconnect")

    def test_arguments(self):
        self.client.start(IF_ELSE, stopOnEntry=True)
        for command, arguments in (
                ("next", {}), ("next", {"threadId": "1"}), ("next", {"threadId": -1}), ("stackTrace", {"threadId": 10**12}),
                ("scopes", {"frameId": 12345}), ("scopes", {}), ("variables", {"variablesReference": 0}),
                ("variables", {"variablesReference": 1.5}), ("readMemory", {"memoryReference": "x", "count": 4}),
                ("readMemory", {"memoryReference": "0x0", "count": 10**10}), ("readMemory", {"memoryReference": "shared:", "count": 1}),
                ("disassemble", {"memoryReference": "0x0", "instructionCount": 10**9}), ("disassemble", {}),
                ("setBreakpoints", {"source": "kernel.cu"}), ("setBreakpoints", {"source": {}, "breakpoints": 3}),
                ("setFunctionBreakpoints", {}), ("setExceptionBreakpoints", {"filters": {}}),
                ("goto", {"threadId": 1, "targetId": 1}), ("gotoTargets", {"source": {}}), ("evaluate", {}),
                ("evaluate", {"expression": 5}), ("source", {"sourceReference": 99}), ("exceptionInfo", {}),
                ("dataBreakpointInfo", {})):
            with self.assertRaises(Failure, msg=f"{command} {arguments}"):
                self.client.ask(command, **arguments)
        for items in ([3], [None], [[]], [{}], [{"line": "x"}], [{"line": -4}], [{"line": 1, "condition": 7}]):
            found = self.client.ask("setBreakpoints", source={"name": "kernel.wsasm"}, breakpoints=items)
            self.assertEqual([b["verified"] for b in found["breakpoints"]], [False], items)
        for items in ([{"dataId": "x"}], [{"dataId": "0:0:0:R99"}], [{"dataId": "0:0:99:R0"}], [{}]):
            found = self.client.ask("setDataBreakpoints", breakpoints=items)
            self.assertEqual([b["verified"] for b in found["breakpoints"]], [False], items)
        self.assertEqual(self.client.move("next")["reason"], "step")

    def test_random_bytes(self):
        source = random.Random(1)
        for _ in range(200):
            self.client.post(bytes(source.randrange(256) for _ in range(source.randrange(200))))
            self.refused()
        self.client.ask("initialize")


def record():
    """The messages of an exchange, as --log writes them."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder, "log")
        with Client(PROGRAM, "--log", str(log)) as client:
            client.start(IF_ELSE, breakpoints=("kernel.wsasm", [SIDE_B]))
            client.ask("threads")
            registers = client.variables(client.scope("Registers"))
            client.variables(registers["R0"]["variablesReference"], filter="indexed", start=0, count=32)
            for scope in ("Masks", "Scoreboard", "Scheduler", "Memory"):
                client.variables(client.scope(scope))
            client.ask("disassemble", memoryReference="0x0", instructionOffset=0, instructionCount=12)
            client.ask("readMemory", memoryReference="0x10000000", count=16)
            client.move("next")
            client.move("stepBack", granularity="instruction")
            client.move("reverseContinue")
            client.move("continue")
            client.move("stepOut")
            client.move("continue")
            client.ask("disconnect")
        return log.read_text()


class Exchange(unittest.TestCase):
    maxDiff = None

    def test_recorded(self):
        expected, got = EXCHANGE.read_text().splitlines(), []
        with Client(PROGRAM) as client:
            for line in expected:
                if line.startswith("-> "):
                    client.post(line[3:].encode())
                else:
                    got.append(client.read())
        self.assertEqual(got, [json.loads(line[3:]) for line in expected if line.startswith("<- ")])


if __name__ == "__main__":
    if "--update" in sys.argv:
        EXCHANGE.write_text(record())
    else:
        unittest.main()
