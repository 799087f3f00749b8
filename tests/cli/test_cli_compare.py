"""Tests of a run beside a profile of Nsight Compute: test_cli_compare.py WARPSTEP [unittest options]

The profiles in tests/data/ncu and workloads/matmul were measured on an H200.
"""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
SOURCES = pathlib.Path(__file__).resolve().parents[2]
DATA = SOURCES / "tests" / "data" / "ncu"
BRANCH = str(SOURCES / "workloads" / "if_else" / "branch_10.yaml")
MATMUL = str(SOURCES / "workloads" / "matmul" / "launch.yaml")
RAW, SOURCE = str(DATA / "branch.raw.csv"), str(DATA / "branch.source.csv")
DETAILS = str(SOURCES / "workloads" / "matmul" / "h200_profile.csv")
SASS = str(DATA / "matmul.sass.csv")

PROGRAM_TEXT = """
#include <cstdio>
__global__ void twice(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }
template <int N> __global__ void add(float *x) { x[threadIdx.x] += N; }
int main(int count, char **arguments)
{
    float *x;
    cudaMalloc(&x, 4096);
    twice<<<1, 32>>>(x);
    add<3><<<1, 64>>>(x);
    twice<<<count, 32>>>(x);
    add<4><<<1, 64>>>(x);
    cudaDeviceSynchronize();
    std::puts("done");
    return 0;
}
"""
HEAD = '"ID","Kernel Name","Block Size","Grid Size","CC","smsp__inst_executed.sum"\n"","","","","","inst"\n'


def row(number, kernel, block, grid, count):
    return f'"{number}","{kernel}","({block}, 1, 1)","({grid}, 1, 1)","9.0","{count}"\n'


def run(*arguments, folder="/"):
    return subprocess.run([PROGRAM, "compare", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, cwd=folder, timeout=HANGS)


def compared(*arguments, folder="/", code=0):
    done = run("--format", "json", *arguments, folder=folder)
    if done.returncode != code:
        raise AssertionError(f"exit code {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def metrics(launch):
    return {metric["metric"]: metric for metric in launch["metrics"]}


class MeasuredOnAnH200(unittest.TestCase):
    def test_every_metric_is_mapped_or_has_a_reason(self):
        with open(RAW, encoding="utf-8") as file:
            header, units, values = list(csv.reader(file))
        (launch,) = compared(BRANCH, "--ncu", RAW)["launches"]
        self.assertEqual([m["metric"] for m in launch["metrics"]],
                         [name for name, value in zip(header[11:], values[11:]) if value])
        self.assertEqual(sum(launch["counts"].values()), len(launch["metrics"]))
        self.assertEqual(launch["counts"]["unknown_name"], 0)
        self.assertGreater(launch["counts"]["mapped"], 200)
        for metric in launch["metrics"]:
            self.assertTrue(metric["figure"] if metric["status"] == "mapped" else metric["why"], metric)

    def test_measured_values_are_those_of_the_file(self):
        with open(RAW, encoding="utf-8") as file:
            header, _, values = list(csv.reader(file))
        table = dict(zip(header, values))
        (launch,) = compared(BRANCH, "--ncu", RAW)["launches"]
        found = metrics(launch)
        count = found["smsp__inst_executed.sum"]
        self.assertEqual(count["measured"], float(table["smsp__inst_executed.sum"]))
        self.assertAlmostEqual(count["ratio"], count["simulated"] / count["measured"])
        self.assertAlmostEqual(count["difference"], count["simulated"] - count["measured"])
        self.assertAlmostEqual(found["gpu__time_duration.sum"]["measured"],
                               1e-6 * float(table["gpu__time_duration.sum"]))
        self.assertEqual(found["gpu__time_duration.sum"]["unit"], "second")

    def test_simulated_values_are_those_of_the_run(self):
        done = subprocess.run([PROGRAM, "run", BRANCH, "--format", "json"], stdout=subprocess.PIPE, check=True,
                              timeout=HANGS)
        report = json.loads(done.stdout)
        (launch,) = compared(BRANCH, "--ncu", RAW)["launches"]
        found = metrics(launch)
        for metric, value in [
                ("smsp__inst_executed.sum", report["warp_instructions"]),
                ("thread_inst_executed", report["thread_instructions"]),
                ("sm__cycles_active.max", report["cycles"]),
                ("gpc__cycles_elapsed.max", report["elapsed_cycles"]),
                ("sm__inst_executed.avg.per_cycle_active", report["ipc"]),
                ("sm__warps_active.avg.pct_of_peak_sustained_active", 100 * report["occupancy"]["achieved"]),
                ("sm__maximum_warps_per_active_cycle_pct", 100 * report["occupancy"]["theoretical"]),
                ("smsp__average_warps_issue_stalled_wait_per_issue_active.ratio",
                 report["stalls"]["wait"] / report["warp_instructions"]),
                ("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", report["memory"]["global_store_requests"]),
                ("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", report["memory"]["global_store_sectors"]),
                ("dram__bytes_read.sum", report["memory"]["dram_read_bytes"])]:
            self.assertAlmostEqual(found[metric]["simulated"], value, places=6, msg=metric)

    def test_what_the_two_agree_in(self):
        """Counts that do not depend on the compiler: a wrong unit or form of a metric would be another number."""
        (launch,) = compared(BRANCH, "--ncu", RAW, "--ncu", SOURCE)["launches"]
        found = metrics(launch)
        for metric in ("launch__grid_size", "launch__block_size", "launch__thread_count",
                       "sm__maximum_warps_per_active_cycle_pct", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                       "smsp__inst_executed_op_branch.sum", "launch__shared_mem_per_block_driver",
                       "lts__t_sectors_srcunit_tex_op_write.sum"):
            self.assertAlmostEqual(found[metric]["ratio"], 1, delta=0.02, msg=metric)
        opcodes = {row["opcode"]: row for row in launch["opcodes"]}
        for opcode in ("FADD", "FMUL", "BRA", "EXIT"):
            self.assertEqual(opcodes[opcode]["simulated"], opcodes[opcode]["measured"], opcode)

    def test_lines(self):
        (launch,) = compared(BRANCH, "--ncu", RAW, "--ncu", SOURCE)["launches"]
        lines = {(line["file"], line["line"]): line for line in launch["lines"]}
        self.assertAlmostEqual(sum(line["simulated"]["share"] for line in launch["lines"] if line["simulated"]), 1)
        self.assertAlmostEqual(sum(line["measured"]["share"] for line in launch["lines"] if line["measured"]), 1)
        with open(SOURCE, encoding="utf-8") as file:
            rows = [cells for cells in csv.reader(file) if cells[0].isdigit()]
        self.assertGreater(len(rows), 5)
        self.assertEqual({("kernel.cu", int(cells[0])) for cells in rows},
                         {place for place, line in lines.items() if line["measured"]})
        both = [line for line in launch["lines"] if line["measured"] and line["simulated"]]
        self.assertGreater(len(both), 4)
        columns = {column["column"]: column["status"] for column in launch["source_columns"]}
        self.assertEqual(columns["# Samples"], "mapped")
        self.assertEqual(columns["Access Size"], "no counterpart")

    def test_details_page(self):
        (launch,) = compared(MATMUL, "--ncu", DETAILS, "--ncu", SASS, "--sms", "132")["launches"]
        self.assertEqual(launch["counts"]["unknown_name"], 0)
        self.assertEqual(launch["counts"]["advice"], 2)
        self.assertEqual(launch["notes"], [])
        found = metrics(launch)
        self.assertEqual(found["smsp__inst_executed.sum"]["label"], "Executed Instructions")
        self.assertEqual(found["smsp__inst_executed.sum"]["measured"], 29568)
        self.assertEqual(found["dram__bytes.sum.per_second"]["measured"], 9.61e9)
        self.assertEqual(launch["lines"], [])
        self.assertGreater(len(launch["opcodes"]), 5)

    def test_text(self):
        done = run(MATMUL, "--ncu", DETAILS)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("other numbers of SMs: simulated 2, measured 132", done.stdout)
        self.assertRegex(done.stdout, r"\n  warp instructions \* +29,440 +29,568 +-128 +0\.996\n")
        self.assertIn("Definitions differ", done.stdout)
        self.assertIn("(--all lists them)", done.stdout)
        self.assertNotIn("launch__cluster_size", done.stdout)
        done = run(MATMUL, "--ncu", DETAILS, "--all", "-o", "/dev/stdout")
        self.assertIn("  launch__cluster_size: not modelled: thread block clusters\n", done.stdout)
        lines = run(BRANCH, "--ncu", SOURCE, "--lines", "2").stdout
        self.assertEqual(lines.count("  kernel.cu:"), 2)
        self.assertIn("more (--lines)", lines)

    def test_csv(self):
        done = run(MATMUL, "--ncu", DETAILS, "--format", "csv")
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertEqual(len(rows), len(compared(MATMUL, "--ncu", DETAILS)["launches"][0]["metrics"]))
        (found,) = [row for row in rows if row["metric"] == "smsp__inst_executed.sum"]
        self.assertEqual((found["status"], found["simulated"], found["measured"]), ("mapped", "29440", "29568"))
        (other,) = [row for row in rows if row["metric"] == "launch__cluster_size"]
        self.assertEqual((other["status"], other["simulated"], other["note"]),
                         ("not modelled", "", "thread block clusters"))

    def test_threads_do_not_matter(self):
        one, two = (run(MATMUL, "--ncu", DETAILS, "--ncu", SASS, "--format", "json", "--threads", n).stdout for n in "12")
        self.assertEqual(one, two)
        self.assertNotEqual(one, "")


@unittest.skipIf(b"__asan_init" in pathlib.Path(PROGRAM).read_bytes(), "programs do not link with the sanitizers")
class WholePrograms(unittest.TestCase):
    PROFILE = (row(0, "twice(float *)", 32, 1, 6) + row(1, "void add<(int)3>(float *)", 64, 1, 8) +
               row(2, "other(int)", 32, 1, 1) + row(3, "twice(float *)", 32, 2, 12))

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        for name, text in (("app.cu", PROGRAM_TEXT), ("raw.csv", HEAD + self.PROFILE)):
            pathlib.Path(self.folder, name).write_text(text, encoding="utf-8")

    def pairs(self, *arguments):
        report = compared("app.cu", "--ncu", "raw.csv", *arguments, folder=self.folder)
        return report, [(launch["kernel"], launch["id"], launch["metrics"][0]["measured"]) for launch in report["launches"]]

    def test_launches_match(self):
        report, pairs = self.pairs("--", "x")
        self.assertEqual(pairs, [("twice", "0", 6), ("add<3>", "1", 8), ("twice", "3", 12)])
        self.assertEqual(report["only_simulated"], ["add<4>"])
        self.assertEqual(report["only_measured"], [{"id": "2", "kernel": "other(int)"}])
        self.assertEqual([launch["notes"] for launch in report["launches"]], [[], [], []])

    def test_unmatched_launches_in_words(self):
        with open(os.path.join(self.folder, "raw.csv"), "a", encoding="utf-8") as file:
            file.writelines(row(n, "other(int)", 32, 1, 1) for n in range(4, 20))
        text = run("app.cu", "--ncu", "raw.csv", folder=self.folder).stdout
        self.assertIn("\nLaunched by the target, but not in the profile: add<4>\n", text)
        self.assertEqual(text.count("In the profile, but not compared: "), 10)
        self.assertTrue(text.endswith("  ... 7 more\n"), text[-200:])

    def test_programs_are_not_confined(self):
        """It would run on this machine with all rights: it does not begin, or it would print."""
        done = run("app.cu", "--ncu", "raw.csv", "--confine", folder=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--confine: a whole program runs on this machine, outside of the sandbox", done.stderr)
        self.assertEqual(done.stderr.count("done"), 0)

    def test_a_policy_in_c_is_for_the_launches(self):
        pathlib.Path(self.folder, "mine.c").write_text(
            "#include <warpstep/policy.h>\nint pick(const ws_view *view) { return ws_youngest(view, view->eligible); }\n")
        self.assertEqual(self.pairs("--policy", "./mine.c", "--", "x")[1], self.pairs("--", "x")[1])

    def test_one_launch(self):
        self.assertEqual(self.pairs("--kernel", "twice,2", "--", "x")[1], [("twice", "3", 12)])
        self.assertEqual(self.pairs("--launch-id", "1")[1], [("add<3>", "1", 8)])
        done = run("app.cu", "--ncu", "raw.csv", "--launch-id", "2", folder=self.folder)
        self.assertEqual(done.returncode, 3)
        self.assertIn("launch 2 of the profile is of 'other(int)', which the target does not launch", done.stderr)


class Mistakes(unittest.TestCase):
    def fails(self, code, message, *arguments):
        done = run(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(message, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertEqual(done.stdout, "")

    def test_files(self):
        text = pathlib.Path(RAW).read_text(encoding="utf-8")
        lines = text.split("\n")
        with tempfile.TemporaryDirectory() as folder:
            for content, message in [
                    ("", ":1: error: no page of Nsight Compute begins in this file"),
                    ("a,b\n1,2\n", ":1: error: no page of Nsight Compute begins in this file"),
                    (text[:-40], ":3: error: the file is cut off"),
                    (text[: text.rindex(',"')] + "\n", ":3: error: 669 cells, where the header has 670"),
                    (lines[0] + "\n", ":1: error: the file is cut off: a row of units is expected"),
                    (lines[0] + "\n" + lines[2] + "\n", ":2: error: a row of units is expected here"),
                    (text.replace(",", ";"), ":1: error: the separator is not a comma"),
                    (text.encode("utf-16"), ":1: error: this is no text in UTF-8"),
                    (HEAD + row(0, "branch", 128, 1, "1.234,5"),
                     ":3: error: smsp__inst_executed.sum: '1.234,5' is no number")]:
                path = os.path.join(folder, "profile.csv")
                pathlib.Path(path).write_bytes(content if isinstance(content, bytes) else content.encode())
                self.fails(3, path + message, BRANCH, "--ncu", path)
        self.fails(3, "/nowhere.csv: error: cannot open: No such file", BRANCH, "--ncu", "/nowhere.csv")
        self.fails(3, "/: error: ", BRANCH, "--ncu", "/")

    def test_options(self):
        self.fails(2, "--ncu FILE: ", BRANCH)
        self.fails(2, "--launch-id: the profile has no launch 9; it has: 0 branch(float *)",
                   BRANCH, "--ncu", RAW, "--launch-id", "9")
        self.fails(2, "--format", BRANCH, "--ncu", RAW, "--format", "xml")
        self.fails(3, "the profile has no launch of 'tile_16'; it has: 0 branch(float *); --launch-id",
                   MATMUL, "--ncu", RAW)

    def test_another_kernel_by_its_id(self):
        (launch,) = compared(MATMUL, "--ncu", RAW, "--launch-id", "0")["launches"]
        self.assertIn("other kernels: simulated tile_16, measured branch(float *)", launch["notes"])

    def test_another_gpu(self):
        (launch,) = compared(BRANCH, "--ncu", RAW, "--device", "a100")["launches"]
        self.assertIn("compute capability 8.0, measured one of 9.0", launch["notes"][0])


if __name__ == "__main__":
    unittest.main()
