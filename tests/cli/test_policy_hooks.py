"""What scheduling policies in C see and decide, and their parameters: test_policy_hooks.py WARPSTEP SOURCE_ROOT"""
import csv
import json
import unittest

from clangs import HAS_CLANG
from policy_case import ROOT, PolicyCase, warpstep

SAME = (("ccws", "policies/ccws.c"), ("two-level", "policies/two_level.c"))
LAUNCHES = (["policies", "--sms", 1], ["policies", "--sms", 1, "--share", "fair", "--set", "memory.l1.replacement=least_recent"],
            ["policies/stages.yaml", "--sms", 1, "--share", "fair"], ["matmul", "--sms", 2],
            ["latency_hiding", "--sms", 1, "--set", "switch_cost=3"], ["reduction", "--sms", 1])
GREEDY = "int pick(const ws_view *view) { return ws_has(view->eligible, view->last) ? view->last : ws_oldest(view, view->eligible); }\n"
# what is in pick() before its result; it traps where the simulator shows what is not so
VIEWS = """
static uint64_t previous, known_since[WS_SUB_CORES][WS_WARPS];
static unsigned seen_loads, seen_address, seen_barrier, seen_pending;

#define CHECK(condition) do { if (!(condition)) __builtin_trap(); } while (0)

void warp_begin(int sub_core, int warp) { known_since[sub_core][warp] = ws_warp_of(0, warp)->since + 1; }
void warp_end(int sub_core, int warp)
{
    known_since[sub_core][warp] = 0;
    if (seen_loads == 0 || seen_address == 0 || seen_pending == 0)
        __builtin_trap();
}

int pick(const ws_view *view)
{
    const ws_memory *memory = ws_memory_of(view);
    uint64_t all = 0;

    CHECK((view->eligible & ~view->resident) == 0 && (view->waiting & view->eligible) == 0);
    CHECK((view->loads & ~view->memory) == 0 && (view->loads & ~view->eligible) == 0);
    CHECK(memory->l1_hits <= memory->l1_lookups && memory->sectors <= memory->most_sectors);
    CHECK(memory->lines <= memory->most_lines);
    for (int warp = 0; warp < view->warps; warp++) {
        const ws_warp *here = ws_warp_of(view, warp);
        const ws_access *access = ws_access_of(view, warp);
        bool resident = ws_has(view->resident, warp), eligible = ws_has(view->eligible, warp);

        if (!resident) {
            CHECK(here->lanes == 0 && here->block_warps == 0 && access->lanes == 0);
            continue;
        }
        all |= ws_bit(warp);
        CHECK(known_since[view->sub_core][warp] == here->since + 1 && here->since <= view->cycle);
        CHECK((here->lanes != 0 || !eligible) && here->slot == ws_slot(view->sub_core, warp));
        CHECK(here->block < 100000 && here->arrived <= here->block_warps && here->in_block < 32);
        CHECK(ws_has(view->loads, warp) == (eligible && (here->next == WS_NEXT_GLOBAL_LOAD ||
              here->next == WS_NEXT_LOCAL_LOAD || here->next == WS_NEXT_TEXTURE)));
        if (eligible && here->next == WS_NEXT_GLOBAL_LOAD) {
            CHECK(access->lanes == (uint32_t)ws_count(here->lanes) && access->low <= access->high);
            CHECK(access->lines >= 1 && access->lines <= 32 && access->high - access->low < 1u << 24);
            seen_address++;
        }
        if (ws_has(view->barrier, warp)) {
            CHECK(here->arrived >= 1);
            seen_barrier++;
        }
        seen_pending += here->pending != 0;
    }
    CHECK(all == view->resident);
    seen_loads += view->loads != 0;
    CHECK(ws_oldest(view, view->eligible) >= 0 && ws_has(view->eligible, ws_youngest(view, view->eligible)));
    CHECK(ws_oldest(view, 0) == -1 && ws_oldest_block(view, 0) == 0);
    CHECK(ws_last_issue(view, ws_longest_wait(view, view->eligible)) <= ws_last_issue(view, ws_most_recent(view, view->eligible)));
    return ws_longest_wait(view, view->eligible);
}
"""
REFUSED = (  # settings, message
    (["--set", "policy.activ=4"], "--set policy.activ=4: error: the policy mine.c has no parameter 'activ'; did you mean 'active'?"),
    (["--set", "policy.zzzzzz=4"], "has no parameter 'zzzzzz'; it has active, share, quick"),
    (["--set", "policy.active=300"], "policy.active: '300' is not an integer from 0 to 255"),
    (["--set", "policy.active=-1"], "policy.active: '-1' is not an integer from 0 to 255"),
    (["--set", "policy.active=x"], "policy.active: 'x' is not an integer from 0 to 255"),
    (["--set", "policy.share=much"], "policy.share: 'much' is not a number"),
    (["--set", "policy.quick=2"], "policy.quick: '2' is not true or false"),
    (["--policy", "lrr", "--set", "policy.active=4"], "policy.active is a parameter of a policy in C, but the policy is lrr"),
)
PARAMETERS = """WS_PARAMETER(uint8_t, active, 2);
WS_PARAMETER(float, share, 0.5f);
WS_PARAMETER(bool, quick, false);
uint64_t admit(const ws_view *view)
{
    uint64_t kept = 0, rest = view->eligible;

    if (quick || share > 0.75f)
        return rest;
    for (int i = 0; i < active && rest != 0; i++) {
        uint64_t next = ws_bit(ws_oldest(view, rest));
        kept |= next;
        rest &= ~next;
    }
    return kept;
}
int pick(const ws_view *view) { return ws_youngest(view, view->eligible); }
"""


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Hooks(PolicyCase):
    def run_with(self, text, *arguments):
        self.write_policy(text)
        return warpstep("run", *arguments, cwd=self.path)

    def figures(self, *arguments, policy="mine.c"):
        done = warpstep("run", *arguments, "--policy", policy, "--format", "json", cwd=self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_examples_with_the_rules_of_built_in_policies(self):
        for name, file in SAME:
            for launch in LAUNCHES:
                runs = [warpstep("run", *launch, "--policy", policy, "--format", "json").stdout for policy in (name, file)]
                self.assertEqual(runs[0], runs[1], (name, launch))
        for settings in (["victim_tags=3", "throttle=40"], ["base_score=7", "decay=0"], ["decay=9", "victim_tags=64", "throttle=200"]):
            built_in, file = ([x for value in settings for x in ("--set", prefix + value)] for prefix in ("policies.ccws.", "policy."))
            runs = [warpstep("run", *LAUNCHES[1], "--policy", policy, *given, "--format", "json").stdout
                    for policy, given in (("ccws", built_in), ("policies/ccws.c", file))]
            self.assertEqual(json.loads(runs[0])["cycles"], json.loads(runs[1])["cycles"], settings)
        for settings in (["active_warps=3"], ["active_warps=2", "longest_wait=50"]):
            built_in, file = ([x for value in settings for x in ("--set", prefix + value)] for prefix in ("policies.two_level.", "policy."))
            runs = [warpstep("run", *LAUNCHES[2], "--policy", policy, *given, "--format", "json").stdout
                    for policy, given in (("two-level", built_in), ("policies/two_level.c", file))]
            self.assertEqual(json.loads(runs[0])["cycles"], json.loads(runs[1])["cycles"], settings)

    def test_examples_are_the_same_with_threads_and_when_stepped(self):
        for file in sorted((ROOT / "workloads/policies").glob("*.c")):
            policy = f"policies/{file.name}"
            runs = {warpstep("run", "matmul", "--sms", 4, "--policy", policy, "--threads", threads, "--format", "json").stdout
                    for threads in (1, 4)}
            self.assertEqual(len(runs), 1, policy)
            self.assertEqual(json.loads(runs.pop())["status"], "ok")
            told = warpstep("step", "policies", "--sms", 1, "--policy", policy, "--batch", *sum((["-e", command] for command in (
                "goto 6000", "info warps", "goto 1000", "goto 9000", "goto 6000", "info warps")), []))
            self.assertEqual(told.returncode, 0, told.stderr)
            there = told.stdout.split("cycle 6000 ")
            self.assertEqual(len(there), 3, told.stdout)
            self.assertEqual(there[1].split("cycle 1000 ")[0].rstrip(), there[2].rstrip(), policy)

    def test_examples_do_what_they_are_for(self):
        lines = LAUNCHES[1]
        gto = self.figures(*lines, policy="gto")["cycles"]
        for policy, most in (("policies/ccws.c", 0.85), ("policies/daws.c", 0.95), ("policies/bypass.c", 0.9), ("policies/cawa.c", 1)):
            self.assertLess(self.figures(*lines, policy=policy)["cycles"], most * gto, policy)

    def test_views(self):
        for target in ("matmul", "reduction", "policies", "stride"):
            done = self.run_with(VIEWS, target, "--sms", 1, "--policy", "mine.c")
            self.assertEqual(done.returncode, 0, (target, done.stderr))
        done = self.run_with(VIEWS.replace("seen_barrier++;", "__builtin_trap();"), "reduction", "--sms", 1, "--policy", "mine.c")
        self.assertEqual(done.returncode, 4, "no warp was seen at a barrier")

    def test_what_is_shown_is_read_only_and_bounded(self):
        for text, message in (("((ws_warp *)ws_warp_of(view, 1))->pc = 1;", "writes to what it may only read"),
                              ("volatile uint32_t x = ws_warp_of(view, 64)->pc;", "accesses 0x11"),
                              ("volatile uint32_t x = ws_access_of(view, -1)->lines;", "accesses 0x11"),
                              ("volatile uint64_t x = ((volatile ws_memory *)ws_memory_of(view))[1].l1_hits;", "accesses 0x13"),
                              ("((volatile struct ws_question *)WS_AT_QUESTION)->oldest = 1;", "writes to what it may only read")):
            done = self.run_with("int pick(const ws_view *view)\n{ " + text + " return ws_first(view->eligible); }",
                                 "vecadd", "--sms", 1, "--policy", "mine.c")
            self.assertEqual(done.returncode, 4, (text, done.stderr))
            self.assertIn("mine.c:3: pick() " + message, done.stderr)

    def test_l1_events(self):
        lines = LAUNCHES[1]
        count = """static unsigned hits, misses, evictions;
void l1_load(const ws_view *view, const ws_l1_load *load) { hits += load->hit; misses += !load->hit; }
void l1_evict(const ws_view *view, const ws_l1_eviction *eviction)
{
    if (eviction->sub_core != view->sub_core || eviction->warp >= view->warps || eviction->by_warp >= view->warps)
        __builtin_trap();
    if (++evictions > misses)
        __builtin_trap();
}
"""
        done = self.run_with(count + GREEDY, *lines, "--policy", "mine.c", "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["cycles"], self.figures(*lines, policy="gto")["cycles"])
        done = self.run_with(count.replace("++evictions > misses", "++evictions == 1000") + GREEDY, *lines, "--policy", "mine.c")
        self.assertEqual(done.returncode, 4)
        self.assertIn("mine.c:9: l1_evict() stops at a trap", done.stderr)

    def test_replacement(self):
        lines = LAUNCHES[1]
        least_recent = "int l1_victim(const ws_view *view, const ws_l1_set *set) { return (int)set->ways - 1; }\n"
        gto = self.figures(*lines, policy="gto")
        (self.path / "mine.c").write_text("#include <warpstep/policy.h>\n" + least_recent + GREEDY)
        self.assertEqual(self.figures(*lines)["cycles"], gto["cycles"])
        # whatever the device replaces by, such a policy has sets
        self.assertEqual(self.figures(*lines[:5])["cycles"], gto["cycles"])
        (self.path / "mine.c").write_text("#include <warpstep/policy.h>\n" + least_recent.replace("(int)set->ways - 1", "0") + GREEDY)
        self.assertLess(self.figures(*lines)["cycles"], 0.97 * gto["cycles"])  # most recent out: what thrashes likes it
        for text in ("return (int)set->ways;", "return -1;"):
            done = self.run_with(least_recent.replace("return (int)set->ways - 1;", text) + GREEDY, *lines, "--policy", "mine.c")
            self.assertEqual(done.returncode, 4)
            self.assertIn("l1_victim() returns", done.stderr)
            self.assertIn("which is no way of the set", done.stderr)

    def test_bypass(self):
        bypass = "bool l1_bypass(const ws_view *view, const ws_l1_load *load) { return %s; }\n"
        (self.path / "mine.c").write_text("#include <warpstep/policy.h>\n" + bypass % "false" + GREEDY)
        same = self.figures("matmul", "--sms", 1)
        self.assertEqual(same["cycles"], self.figures("matmul", "--sms", 1, policy="gto")["cycles"])
        (self.path / "mine.c").write_text("#include <warpstep/policy.h>\n" + bypass % "true" +
                                          "void l1_load(const ws_view *view, const ws_l1_load *load) { if (load->hit) __builtin_trap(); }\n" + GREEDY)
        self.figures("policies", "--sms", 1)  # nothing is ever there, and results are right all the same

    def test_blocks(self):
        text = """WS_PARAMETER(uint32_t, most, 2);
bool take_block(const ws_blocks *blocks) { return blocks->here < most; }
uint64_t admit(const ws_view *view)
{
    uint64_t rest = view->resident;
    unsigned blocks = 0;
    for (; rest != 0; blocks++)
        rest &= ~ws_oldest_block(view, rest);
    if (blocks > most)
        __builtin_trap();
    return view->eligible;
}
"""
        (self.path / "mine.c").write_text("#include <warpstep/policy.h>\n" + text + GREEDY)
        launch = ("latency_hiding", "--launch", "grid=48", "--sms", 2)
        cycles = [self.figures(*launch, "--set", f"policy.most={most}", "--threads", threads)["cycles"]
                  for most in (1, 2, 32) for threads in (1, 2)]
        self.assertEqual(cycles[0::2], cycles[1::2])
        self.assertGreater(cycles[0], cycles[2])
        self.assertGreater(cycles[2], cycles[4])
        self.assertEqual(cycles[4], self.figures(*launch, policy="gto")["cycles"])
        never = self.run_with("bool take_block(const ws_blocks *blocks) { return false; }\n" + GREEDY, *launch, "--policy", "mine.c")
        self.assertEqual(never.returncode, 0, never.stderr)

    def test_parameters(self):
        (self.path / "mine.c").write_text("#include <warpstep/policy.h>\n" + PARAMETERS)
        launch = ("policies/stages.yaml", "--sms", 1)
        default, two, four = (self.figures(*launch, *given)["cycles"] for given in (
            [], ["--set", "policy.active=0x2"], ["--set", "policy.active=3", "--set", "policy.active=4"]))
        self.assertEqual(default, two)
        self.assertNotEqual(default, four)
        free = {self.figures(*launch, "--set", given)["cycles"] for given in ("policy.share=0.8", "policy.quick=true", "policy.active=255")}
        self.assertEqual(len(free), 1)
        swept = warpstep("sweep", "policies/stages.yaml", "--set", "sms=1", "--set", "policy=./mine.c", "-P", "policy.active=2,4",
                         "--out", "s", cwd=self.path)
        self.assertEqual(swept.returncode, 0, swept.stderr)
        with open(self.path / "s/runs.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(row["policy.active"], int(row["cycles"])) for row in rows], [("2", default), ("4", four)])
        stepped = warpstep("step", *launch, "--policy", "mine.c", "--set", "policy.active=4", "--batch", "-e", "continue", cwd=self.path)
        self.assertIn(f"cycle {four} ", stepped.stdout)
        (self.path / "l.yaml").write_text((ROOT / "workloads/policies/stages.yaml").read_text().replace(
            "program: ", f"program: {ROOT}/workloads/policies/") + "set: {policy: mine.c, policy.active: 4}\n")
        recorded = warpstep("run", "l.yaml", "--sms", 1, "--format", "json", "--record", "r.wsrec", cwd=self.path)
        self.assertEqual(json.loads(recorded.stdout)["cycles"], four, recorded.stderr)
        again = warpstep("run", "r.wsrec", "--format", "json", cwd=self.path)
        self.assertEqual(json.loads(again.stdout)["cycles"], four)

    def test_parameters_that_are_refused(self):
        (self.path / "mine.c").write_text("#include <warpstep/policy.h>\n" + PARAMETERS)
        for given, message in REFUSED:
            done = warpstep("run", "vecadd", "--policy", "mine.c", *given, cwd=self.path)
            self.assertEqual((done.returncode, done.stdout), (3, ""), given)
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
