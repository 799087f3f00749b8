"""Scheduling policies in C: test_policy_files.py WARPSTEP SOURCE_ROOT"""
import json
import shutil
import unittest

from clangs import HAS_CLANG
from policy_case import ROOT, PolicyCase, warpstep

POLICIES = ROOT / "tests/data/policies"
FAULTS = (  # what is in pick(), besides a result; exit code, message
    ("return 70;", 4, "mine.c: pick() returns 70, which is no eligible warp, in cycle "),
    ("return view->cycle > 400 ? -1 : ws_first(view->eligible);", 4, "pick() returns -1, which is no eligible warp"),
    ("static volatile int on = 1; while (on) ;", 6, "mine.c:3: pick() takes more than 10000 instructions"),
    ("static volatile int n[4]; n[view->cycle] = 1;", 4, "mine.c:3: pick() accesses 0x"),
    ("((volatile ws_view *)view)->cycle = 1;", 4, "mine.c:3: pick() writes to what it may only read"),
    ("*(volatile int *)0 = 1;", 4, "mine.c:3: pick() accesses 0x0, where it has no memory"),
    ("*(volatile int *)((char *)view + 2);", 4, "mine.c:3: pick() makes a misaligned access to 0x"),
)
REFUSED = (  # a whole file; message
    ("int pick(const ws_view *view) { return view->eligble; }", "mine.c:2:46: error: no member named 'eligble'"),
    ("int pick(ws_view *view) { return 0; }", "mine.c: error: a policy must define int pick(const ws_view *view)"),
    ("int pick(const ws_view *view) { return 0;", "mine.c: error: the file ends inside a function"),
    ("int pick(const ws_view *view) { __syncthreads(); return 0; }", "mine.c:2:33: error: a policy runs in one thread"),
    ("__shared__ int n[4]; int pick(const ws_view *view) { return n[view->last & 3]; }",
     "error: a policy runs in one thread"),
    ("int pick(const ws_view *view) { return printf(\"x\"); }", "it has no barriers, shared memory, textures, matrices or printf"),
    ("char n[2000000]; int pick(const ws_view *view) { return n[view->cycle]; }",
     "mine.c: error: the variables of a policy may have 1048576 bytes together"),
)


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class PolicyFiles(PolicyCase):
    def run_with(self, text, *arguments):
        self.write_policy(text)
        return warpstep("run", "vecadd", "--sms", 1, "--policy", "./mine.c", *arguments, cwd=self.path)

    def test_same_as_those_that_are_built_in(self):
        launches = (["policies", "--sms", 1], ["policies/stages.yaml", "--sms", 1],
                    ["policies/stages_long.yaml", "--sms", 1], ["policies/priority.yaml"],
                    ["latency_hiding/launch-bytecode.yaml", "--launch", "warps=32"],
                    ["latency_hiding", "--set", "switch_cost=3", "--threads", 2])
        files = sorted(POLICIES.glob("*.c"))
        self.assertEqual(len(files), 7)
        for file in files:
            for launch in launches:
                runs = [warpstep("run", *launch, "--policy", policy, "--format", "json")
                        for policy in (file.stem, file)]
                self.assertEqual([run.returncode for run in runs], [0, 0], runs[1].stderr)
                self.assertEqual(runs[0].stdout, runs[1].stdout, (file.stem, launch))

    def test_steps_back_to_the_same_state(self):
        file = POLICIES / "textbook-priority.c"
        told = [warpstep("step", "policies", "--sms", 1, "--policy", policy, "--batch", *sum((
            ["-e", command] for command in ("goto 4000", "info warps", "goto 1000", "goto 6000", "goto 4000",
                                            "info warps")), [])) for policy in (file, file.stem)]
        self.assertEqual(told[0].returncode, 0, told[0].stderr)
        self.assertEqual(told[0].stdout, told[1].stdout)

    def test_failures_of_a_call(self):
        for text, code, message in FAULTS:
            done = self.run_with("int pick(const ws_view *view)\n{ " + text +
                                 ("" if "return" in text else " return ws_first(view->eligible);") + " }")
            self.assertEqual(done.returncode, code, (text, done.stderr))
            self.assertIn(message, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for name in ("warp_begin", "warp_end"):
            done = self.run_with("void " + name + "(int s, int w) { *(volatile int *)8 = w; }\n"
                                 "int pick(const ws_view *view) { return ws_first(view->eligible); }")
            self.assertEqual(done.returncode, 4)
            self.assertIn(f"mine.c:2: {name}() accesses 0x8", done.stderr)

    def test_holding_all_back_for_ever(self):
        text = "uint64_t admit(const ws_view *view) { return 0; }\nint pick(const ws_view *view) { return 0; }"
        done = self.run_with(text, "--max-cycles", 5000)
        self.assertEqual(done.returncode, 6)

    def test_files_that_are_refused(self):
        for text, message in REFUSED:
            done = self.run_with(text)
            self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
            self.assertIn(message, done.stderr)
        done = warpstep("run", "vecadd", "--policy", "./absent.c", cwd=self.path)
        self.assertEqual(done.returncode, 3)
        self.assertIn("./absent.c: error: cannot open", done.stderr)

    def test_runs_in_one_lane(self):
        done = self.run_with("""int pick(const ws_view *view)
{
    unsigned here = __ballot_sync(1, view->cycle + 1 != 0);
    return here == 1 && __reduce_add_sync(1, 1) == 1 ? ws_oldest(view, view->eligible) : 64;
}""")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_state_is_of_each_sm_and_launch(self):
        text = """static int calls, warps = 5;
void warp_begin(int sub_core, int warp) { warps++; }
void warp_end(int sub_core, int warp) { warps--; }
int pick(const ws_view *view)
{
    if (++calls % 3 == 0 && warps > 6)
        return ws_youngest(view, view->eligible);
    return ws_longest_wait(view, view->eligible);
}"""
        (self.path / "mine.c").write_text("#include <warpstep/policy.h>\n" + text)
        runs = {warpstep("run", "latency_hiding", "--launch", "grid=32", "--sms", 4, "--policy", "./mine.c",
                         "--threads", threads, "--format", "json", cwd=self.path).stdout for threads in (1, 2, 4)}
        self.assertEqual(len(runs), 1)
        self.assertEqual(json.loads(runs.pop())["status"], "ok")

    def test_a_launch_file_and_a_recording_have_it(self):
        shutil.copytree(ROOT / "workloads/policies", self.path / "w")
        shutil.copy(POLICIES / "gto.c", self.path / "w/mine.c")
        launch = self.path / "w/launch.yaml"
        launch.write_text(launch.read_text() + "set: {policy: mine.c}\n")
        told = warpstep("run", launch, "--sms", 1, "--confine", "--format", "json",
                        "--record", self.path / "r.wsrec")
        self.assertEqual(told.returncode, 0, told.stderr)
        (self.path / "w/mine.c").unlink()
        again = warpstep("run", self.path / "r.wsrec", "--format", "json")
        self.assertEqual(json.loads(again.stdout)["cycles"], json.loads(told.stdout)["cycles"])
        (self.path / "mine.c").write_text("")
        launch.write_text(launch.read_text().replace("mine.c", "../mine.c"))
        outside = warpstep("run", launch, "--confine")
        self.assertEqual(outside.returncode, 3)
        self.assertIn("outside the target's folder", outside.stderr)

    def test_assignments_take_a_policy_or_a_program(self):
        lab = ROOT / "workloads/labs/policy"
        shutil.copytree(lab, self.path / "lab")
        file = self.path / "lab/assignment.yaml"
        text = file.read_text()
        (self.path / "lab/starter/policy.c").write_text("#include <warpstep/policy.h>\nint pick(const ws_view *view)\n"
                                                        "{\n    return ws_first(view->eligible & 2);\n}\n")
        done = warpstep("grade", self.path / "lab", self.path / "lab/starter", "--check", "runs_knee")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("which is no eligible warp, in cycle", done.stdout)
        for old, new, message in (
                ("policy: gto}", "policy: none}", "policy: 'none' is not one of lrr, gto"),
                ("policy: gto}", "program: public/walk.wsasm}", "the submission is a policy: the program is that of the"),
                ("program: policy.c", "program: policy.cu", "'policy' is for assignments whose program is a policy")):
            file.write_text(text.replace(old, new, 1))
            done = warpstep("grade", self.path / "lab", self.path / "lab/starter")
            self.assertEqual(done.returncode, 3)
            self.assertIn(message, done.stderr)

    def test_a_sweep_knows_its_content(self):
        for name in ("lrr.c", "gto.c"):
            shutil.copy(POLICIES / name, self.path)
        sweep = ("sweep", "vecadd", "--set", "sms=1", "-P", "policy=lrr,./lrr.c,./gto.c", "--out", "s")
        first = warpstep(*sweep, cwd=self.path)
        self.assertIn("3 of them now", first.stdout)
        self.assertIn("3 before", warpstep(*sweep, cwd=self.path).stdout)
        shutil.copy(self.path / "lrr.c", self.path / "gto.c")
        self.assertIn("one of other files", warpstep(*sweep, cwd=self.path).stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
