"""Whole programs that are handed in: test_grade_programs.py WARPSTEP LACKING

What they must do, what students are told, and what programs try that they must not: all attacks are
cases of one program, each a test of the assignment. LACKING runs a command as on a kernel without a
part (tests/support/lacking.c).
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from grade_fixture import HAS_CLANG, SECRET, GradeCase

GradeCase.program = os.path.abspath(sys.argv.pop(1))
LACKING = os.path.abspath(sys.argv.pop(1))


def is_protected():
    """Elsewhere nothing that is handed in is run."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "k.cu").write_text("__global__ void k() {}\n")
        return subprocess.run([GradeCase.program, "check", "k.cu", "--confine=strict"], cwd=folder,
                              capture_output=True).returncode == 0


# A sanitizer reads /proc and takes more addresses than a confined program has.
RUNS = HAS_CLANG and "asan" not in GradeCase.program and is_protected()

ASSIGNMENT = """\
version: 1
title: Doubling
program: main.cu
reference: reference
starter: starter
include: [public]
seed: 7
fixed_inputs: true
limits: {cycles: 500000, seconds: 5, memory: 256M, compile_seconds: 30}
tests:
  open:
    run:
      arguments: ["{n}"]
      input: "{factor} 0.5\\n"
      files: [public/names.txt]
      output: {rel: 1.0e-5}
      launches: {twice: 2}
      set: {sms: 2}
    with: {n: 300, factor: 2}
    compare:
      - {kernel: twice, launch: 2, parameter: 1, type: f32, rel: 1.0e-6}
      - {kernel: twice, launch: 1, parameter: 1, type: f32, before: true}
  secret:
    run: {arguments: ["{n}"], input: "3 0.25", files: [public/names.txt], output: reference, set: {sms: 2}}
    draw: {n: [1000, 2000]}
    hidden: true
  refused:
    run: {arguments: ["-1"], exit_code: 3, output: {text: "too few\\n"}, set: {sms: 1}}
checks:
  - {name: right, test: open, points: 3, help: Is every number doubled twice?}
  - {name: right_hidden, test: secret, points: 2}
  - {name: refuses, test: refused}
  - name: few
    test: open
    gates:
      kernels.twice.launches == 2 and launches == 2: 1
      kernels.twice.cycles == cycles: 1
      kernels.twice.launch_2.cycles <= 1.1 * reference: 1
      kernels.twice.launch_2.buffers == 1 and kernels.twice.launch_2.buffer_bytes == 1200: 1
  - {name: loads, test: open, source: {use: [LDG, STG], avoid: [BAR]}}
  - {name: guess, test: open, answer: blocks, figure: kernels.twice.launch_1.blocks.launched}
"""
MAIN = """\
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "block.h"

__global__ void twice(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}

static bool is(char **arguments, const char *mode)
{
    return arguments[2] && std::strcmp(arguments[2], mode) == 0;
}

int main(int, char **arguments)
{
    int n = std::atoi(arguments[1]);
    if (n < 0) {
        std::puts("too few  ");
        return 3;
    }
    float factor, offset, *x, sum = 0;
    char name[100] = "";
    std::scanf("%f %f", &factor, &offset);
    if (FILE *names = std::fopen("names.txt", "r"))
        std::fscanf(names, "%99s", name);
    float *host = new float[n];
    for (int i = 0; i < n; i++)
        host[i] = factor * i + offset;
    if (cudaMalloc(&x, n * sizeof(float)) != cudaSuccess)
        return 1;
    cudaMemcpy(x, host, n * sizeof(float), cudaMemcpyHostToDevice);
    twice<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, n);
    twice<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, n);
    cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(x);
    for (int i = 0; i < n; i++)
        sum += host[i] / n;
    std::printf("%s: mean %.6f of %d\\n", name, sum, n);
}
"""
ANSWERS = "blocks: 3\n"


def without(text, *keys):
    """The assignment without lines that begin with one of these."""
    return "".join(line for line in text.splitlines(True) if not line.startswith(keys))


SMALL = without(ASSIGNMENT, "starter:")
REFUSES = """\
version: 1
program: main.cu
include: [public]
tests:
  refused: {run: {arguments: ["-1"], exit_code: 3, output: {text: too few}}}
checks:
  - {name: refuses, test: refused}
"""


class ProgramCase(GradeCase):
    def setUp(self):
        super().setUp()
        self.put("lab/assignment.yaml", ASSIGNMENT)
        self.put("lab/public/block.h", "#define BLOCK 128\n")
        self.put("lab/public/names.txt", "numbers\nmore\n")
        self.put("lab/public/main.cu", MAIN)
        self.put("lab/reference/main.cu", f"// {SECRET}\n" + MAIN)
        self.put("lab/reference/answers.yaml", ANSWERS)
        self.put("lab/starter/main.cu", MAIN.replace("    twice<<<", "    // twice<<<"))
        self.put("lab/starter/answers.yaml", "blocks:\n")

    def hand_in(self, source=MAIN, answers=ANSWERS, student="ann"):
        self.put(f"in/{student}/main.cu", source)
        self.put(f"in/{student}/answers.yaml", answers)


@unittest.skipUnless(RUNS, "programs are not run here")
class Verdicts(ProgramCase):
    def test_right(self):
        self.hand_in()
        grade = self.grade(code=0)
        self.assertEqual({check["outcome"] for check in grade["checks"]}, {"passed"})
        self.assertEqual(grade["score"], 12)
        self.assertRegex(grade["compiler"], r"^clang \d+")

    def test_wrong(self):
        """Each mode of one program is a test, and a hidden one besides."""
        source = MAIN.replace("__global__ void twice", KERNELS + "__global__ void twice")
        for old, new in CHANGES:
            self.assertIn(old, source)
            source = source.replace(old, new)
        head = ASSIGNMENT[:ASSIGNMENT.index("tests:")]
        tests = "".join(
            f"  {mode}{'_hidden' if hidden else ''}:\n    run: {{arguments: ['300', {mode}], input: '2 0.5', "
            "files: [public/names.txt], output: {rel: 1.0e-5}, launches: {twice: 2}, set: {sms: 2}}\n"
            "    compare:\n"
            "      - {kernel: twice, launch: 2, parameter: 1, type: f32, rel: 1.0e-6}\n"
            "      - {kernel: twice, launch: 1, parameter: 1, type: f32, before: true}\n"
            f"    hidden: {'true' if hidden else 'false'}\n" for mode in MODES for hidden in ((False, True) if mode in HIDDEN else (False,)))
        checks = "".join(f"  - {{name: {mode}{end}, test: {mode}{end}, help: Read again.}}\n"
                         for mode in MODES for end in (("", "_hidden") if mode in HIDDEN else ("",)))
        self.put("lab/assignment.yaml", f"{head}tests:\n{tests}checks:\n{checks}")
        self.hand_in(source)
        found = {row["name"]: row for row in self.grade(code=1)["checks"]}
        for mode, (words, *texts) in MODES.items():
            with self.subTest(mode):
                self.assertEqual(found[mode]["outcome"], "failed")
                self.assertEqual(found[mode]["cause"]["help"], "Read again.")
                for text in texts:
                    self.assertIn(text, json.dumps(found[mode]))
                if mode not in HIDDEN:
                    continue
                hidden = found[mode + "_hidden"]
                self.assertEqual(hidden["cause"]["rationale"], words)
                self.assertEqual([hidden["log"], hidden["cause"]["actual"], hidden["cause"]["expected"]],
                                 [[], None, None])

    def test_does_not_compile(self):
        for old, new, message in (
                ("float *x, int n)", "float *x, int n, missing m)",
                 "main.cu:6:40: error: unknown type name 'missing'"),
                ("__global__ void twice", "void twice();\n__global__ void twice",
                 "undefined reference to `twice()'")):
            self.put("lab/assignment.yaml", REFUSES)
            self.hand_in(MAIN.replace(old, new).replace("return 3;", "return twice(), 3;" if "void" in new else ""))
            check = self.grade("--check", "refuses", code=1)["checks"][0]
            self.assertEqual(check["cause"]["rationale"], "main.cu does not compile")
            self.assertIn(message, "\n".join(check["log"]))

    def test_without_protection_nothing_runs(self):
        self.put("lab/assignment.yaml", REFUSES)
        self.hand_in()
        for part in ("landlock", "seccomp", "listener"):
            done = subprocess.run([LACKING, part, self.program, "grade", self.lab, self.submission],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 70, done.stdout)
            self.assertIn("is compiled and run only with full protection, and here it is partial", done.stderr)

    def test_assignment_is_checked(self):
        for old, new, message in (
                ("{n}", "{m}", "'{m}': the test has no value 'm'"),
                ("factor: 2}", "factor: 2, other: 1}", "neither 'arguments' nor 'input' of the test has '{other}'"),
                ("launches: {twice: 2}", "launches: {twice: 0}", "launches"),
                ("exit_code: 3", "exit_code: 256", "exit_code"),
                ("public/names.txt", "../in/ann/main.cu", "is outside of the assignment's folder"),
                ("output: reference", "output: references", "output: 'reference' is expected"),
                ("set: {sms: 2}", "set: {smss: 2}", "smss"),
                ("parameter: 1, type: f32,", "parameter: 1, type: f31,", "f31"),
                ("    run: {arguments: [\"-1\"]", "    launch: public/names.txt\n    run: {arguments: [\"-1\"]",
                 "either 'launch', a launch file, or 'run'"),
                ("kernels.twice.cycles", "kernels.twic.cycles", "did you mean 'twice'?")):
            self.put("lab/assignment.yaml", SMALL.replace(old, new, 1))
            done = self.warpstep("assignment", "check", self.lab, code=3)
            self.assertIn(message, done.stderr)
            self.assertIn("assignment.yaml:", done.stderr)


KERNELS = """
__global__ void beyond(float *x, int n) { x[n + 90000 + threadIdx.x] = 1; }
__global__ void race(float *x) { x[0] = threadIdx.x; }
__global__ void nothing(float *x) { }
static int times(char **arguments) { return is(arguments, "once") ? 1 : 2; }
"""
CHANGES = (
    ("static bool is(", "static bool unused("),
    (KERNELS, "static bool is(char **arguments, const char *mode)\n"
              "{\n    return arguments[2] && std::strcmp(arguments[2], mode) == 0;\n}\n" + KERNELS),
    ("    cudaFree(x);\n", """
    if (is(arguments, "beyond"))
        beyond<<<1, 32>>>(x, n);
    if (is(arguments, "race"))
        race<<<1, 64>>>(x);
    if (is(arguments, "other_code"))
        return std::fputs("no more\\n", stderr), 4;
    if (is(arguments, "null"))
        *(volatile int *)8 = 1;
    if (is(arguments, "line"))
        std::puts("and more");
"""),
    ("    cudaMemcpy(x, host, n * sizeof(float), cudaMemcpyHostToDevice);", """
    if (is(arguments, "host_before") || is(arguments, "once"))
        for (int i = 0; i < n; i++)
            host[i] *= 2;
    cudaMemcpy(x, host, n * sizeof(float), cudaMemcpyHostToDevice);"""),
    ("std::printf(\"%s: mean", "std::printf(is(arguments, \"words\") ? \"%s: average %.6f of %d\\n\" : \"%s: mean"),
    ("x, n);\n    twice<<<(n", "x, is(arguments, \"host_before\") ? 0 : n);\n"
     "    if (is(arguments, \"once\"))\n        ;\n    else twice<<<(n"),
)
HIDDEN = ("words", "null", "beyond", "host_before")
# mode -> what is told of a hidden test, and what besides of another
MODES = {
    "words": ("the output of the program is wrong", "line 1 of what the program prints is wrong",
              "numbers: mean 1198.0", "numbers: average 1198.0"),
    "line": ("the output of the program is wrong", "line 1 of what", "and more"),
    "other_code": ("the program ended with the wrong exit code", "the program ended with code 4",
                   "code 0", "it said: no more"),
    "null": ("the program was ended by a signal", "the program was ended by signal 11 (Segmentation fault)"),
    "beyond": ("the kernel made an invalid access or executed an invalid instruction, such as an access out of bounds",
               "out of bounds: address", "thread (0,0,0), at main.cu:"),
    "race": ("a race: two unordered accesses to one location", "at main.cu:"),
    "once": ("a kernel is not launched as often as it should", "the kernel twice is launched 1 time",
             "at least 2"),
    "host_before": ("the results are wrong", "twice launch 1, parameter 1 before it: 300 of 300 elements are wrong"),
}


ATTACK = r"""
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <vector>
extern char **environ;

__global__ void work(int *x) { x[threadIdx.x] = 7; }

static std::string capture() { return std::getenv("WARPSTEP_CAPTURE"); }

static void put(const std::string &name, const std::string &text)
{
    int file = open((capture() + "/" + name).c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (file >= 0 && write(file, text.data(), text.size()) >= 0)
        close(file);
}

static std::string forged(const std::string &more, const std::string &init = "zero")
{
    return "version: 1\ndevice: h100\nprogram: data/x.ptx\n" + more +
           "buffers:\n  b: {type: u8, count: 128, address: 0x200000000000, init: " + init + "}\n"
           "launches:\n  - kernel: work\n    grid: [1, 1, 1]\n    block: [32, 1, 1]\n"
           "    params:\n      - {ref: b}\n";
}

static int honest()
{
    int *x, host[32] = {0};
    cudaMalloc(&x, sizeof host);
    work<<<1, 32>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    return host[31];
}

#define TRY(works) do { if (works) { std::puts("leaked: " #works); return 9; } } while (0)

static bool can_read(const char *path)
{
    char text[64];
    int file = open(path, O_RDONLY);
    return file >= 0 && read(file, text, sizeof text) > 0;
}

static int spy(const char *lab)
{
    std::string reference = std::string(lab) + "/reference/main.cu";
    TRY(can_read(reference.c_str()));
    TRY(can_read("/etc/passwd"));
    TRY(can_read("/proc/self/environ"));
    TRY(can_read(("/proc/" + std::to_string(getppid()) + "/cmdline").c_str()));
    TRY(opendir_works("/tmp"));
    for (char **name = environ; *name; name++)
        TRY(std::strstr(*name, "SPY") || std::strncmp(*name, "HOME", 4) == 0);
    for (int file = 3; file < 256; file++) {
        struct stat status;
        const char *memory = std::getenv("WARPSTEP_MEMORY_FILE");
        TRY(fstat(file, &status) == 0 && file != std::atoi(memory));
    }
    return 0;
}

static int spread(const char *lab)
{
    std::string evil = std::string(lab) + "/evil", here = capture() + "/";
    TRY(open(evil.c_str(), O_WRONLY | O_CREAT, 0600) >= 0);
    TRY(open("evil", O_WRONLY | O_CREAT, 0600) >= 0);
    TRY(open("/tmp/evil", O_WRONLY | O_CREAT, 0600) >= 0);
    TRY(symlink("/etc/passwd", (here + "data/s.bin").c_str()) == 0);
    TRY(link("/etc/passwd", (here + "data/h.bin").c_str()) == 0);
    TRY(mkfifo((here + "f").c_str(), 0600) == 0);
    TRY(mkdir((here + "deep").c_str(), 0700) == 0);
    put("data/a", "x");
    TRY(unlink((here + "data/a").c_str()) == 0);
    TRY(rename((here + "data/a").c_str(), (here + "data/b").c_str()) == 0);
    TRY(truncate((here + "data/a").c_str(), 1 << 30) == 0);
    TRY(socket(AF_INET, SOCK_STREAM, 0) >= 0);
    TRY(socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
    TRY(fork() >= 0);
    TRY(execl("/bin/sh", "sh", "-c", "echo leaked", nullptr) == 0);
    TRY(kill(getppid(), SIGKILL) == 0);
    TRY(kill(-1, 0) == 0);
    TRY(memfd_create("m", 0) >= 0);
    TRY(mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
    TRY(open((here + "data").c_str(), O_RDWR | O_TMPFILE, 0600) >= 0);
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    TRY(setrlimit(RLIMIT_CPU, &all) == 0);
    return 0;
}

static void forge(const std::string &how)
{
    honest(); /* its first call looks whether the folder is empty */
    if (how == "device")
        put("0000-work.yaml", forged("set: {sms: 1000}\n"));
    if (how == "state")
        put("0000-work.yaml", forged("initial: [{warp: 0}]\n"));
    if (how == "outside")
        put("0000-work.yaml", forged("", "{file: ../../../../../../etc/passwd}"));
    if (how == "other_kernel")
        put("0000-work.yaml", forged("").replace(0, 0, "").replace(forged("").find("kernel: work"), 12, "kernel: none"));
    if (how == "garbage")
        put("0000-work.yaml", "\x01\xff: [[[[[[[[[[[[[[[[");
    if (how == "empty")
        put("0000-work.yaml", "");
    if (how == "ptx")
        put("data/x.ptx", ".version 7.5\n.target sm_80\n.address_size 64\n.visible .entry _Z4workPi() { ret; }\n"),
            put("0000-work.yaml", forged(""));
}

int main(int, char **arguments)
{
    std::string what = arguments[1];
    if (what == "spy" && spy(arguments[2]))
        return 9;
    if (what == "spread" && spread(arguments[2]))
        return 9;
    if (what == "settings") {
        setenv("WARPSTEP_DEVICE", "a100", 1);
        setenv("WARPSTEP_SET", "sms=1", 1);
        setenv("WARPSTEP_MODE", "cycle", 1);
    }
    if (what == "no_capture")
        unsetenv("WARPSTEP_CAPTURE");
    if (what == "prints") {
        std::puts("done 7");
        return 0;
    }
    if (what == "loop")
        for (volatile int i = 0;; i++)
            ;
    if (what == "flood")
        for (;;)
            std::puts("0123456789012345678901234567890123456789");
    if (what == "threads") {
        std::vector<std::thread> all;
        for (int i = 0; i < 2000; i++)
            all.emplace_back([] { sleep(60); });
        sleep(60);
    }
    if (what == "sparse") {
        int file = open((capture() + "/data/huge").c_str(), O_WRONLY | O_CREAT, 0600);
        for (long at = 1; at < 1l << 45; at <<= 1)
            if (pwrite(file, "x", 1, at) != 1)
                break;
        sleep(60);
    }
    if (what == "heap")
        for (;;)
            std::fputs(std::strcpy(new char[1 << 24], ""), stdout);
    if (what == "abort")
        std::abort();
    if (what.rfind("forge_", 0) == 0)
        forge(what.substr(6));
    std::printf("done %d\n", honest());
}
""".replace("    TRY(opendir_works(\"/tmp\"));\n", "    TRY(open(\"/tmp\", O_RDONLY | O_DIRECTORY) >= 0);\n")

# case -> what is told, or None where the program cannot do it and does its work
CASES = {
    "spy": None, "spread": None, "settings": None, "nothing": None,
    "prints": "the kernel work is launched 0 times",
    "no_capture": "the kernel work is launched 0 times",
    "loop": "the program took more than 1 seconds of processor time",
    "flood": "the program printed more than 1048576 bytes",
    "threads": "the program",  # has too many, or no memory for them
    "sparse": "the program",
    "heap": "the program was ended by signal 6 (Aborted)",
    "abort": "the program was ended by signal 6 (Aborted)",
    "forge_device": "launch 1 of the program cannot be run again",
    "forge_state": "launch 1 of the program cannot be run again",
    "forge_outside": "launch 1 of the program cannot be run again",
    "forge_other_kernel": "launch 1 of the program cannot be run again",
    "forge_garbage": "launch 1 of the program cannot be run again",
    "forge_empty": "launch 1 of the program cannot be run again",
    # A launch that it has not made counts as one, with the kernel that it has handed in.
    "forge_ptx": None,
}


@unittest.skipUnless(RUNS, "programs are not run here")
class Attacks(ProgramCase):
    def setUp(self):
        super().setUp()
        tests = "".join(
            f"  {case}:\n    run: {{arguments: [{case}, '{self.lab}'], output: {{text: done 7}}, "
            "launches: {work: 1}, set: {sms: 2}}\n"
            f"    limits: {{seconds: 1, memory: 96M}}\n" for case in CASES)
        checks = "".join(f"  - {{name: {case}, test: {case}, gates: {{kernels.work.launch_1.cycles > 0: 1}}}}\n"
                         if case in ("settings", "forge_ptx") else f"  - {{name: {case}, test: {case}}}\n"
                         for case in CASES)
        self.put("lab/assignment.yaml", "version: 1\ntitle: Attacks\nprogram: main.cu\n"
                 f"fixed_inputs: true\nlimits: {{compile_seconds: 30}}\ntests:\n{tests}checks:\n{checks}"
                 "leaderboard:\n"
                 "  - {name: settings, test: settings, figure: kernels.work.launch_1.cycles}\n"
                 "  - {name: nothing, test: nothing, figure: kernels.work.launch_1.cycles}\n"
                 "  - {name: forged, test: forge_ptx, figure: kernels.work.launch_1.cycles}\n")
        self.put("lab/reference/secret.txt", SECRET)

    def test_all(self):
        self.hand_in(ATTACK)
        before = set(os.listdir("/tmp"))
        done = self.warpstep("grade", self.lab, self.submission, "-f", "json", code=1,
                             env={**os.environ, "SPY": SECRET})
        self.assertNotIn(SECRET, done.stdout + done.stderr)
        grade = json.loads(done.stdout)
        self.assertIsNone(grade["error"])
        for check in grade["checks"]:
            wanted = CASES[check["name"]]
            with self.subTest(check["name"]):
                self.assertEqual(check["outcome"], "passed" if wanted is None else "failed", check)
                self.assertIn(wanted or "", json.dumps(check))
                self.assertNotIn("leaked", json.dumps(check))
        cycles = {row["name"]: row["value"] for row in grade["leaderboard"]}
        self.assertEqual(cycles["settings"], cycles["nothing"])
        self.assertEqual(cycles["forged"], cycles["nothing"])
        self.assertFalse((self.lab / "evil").exists())
        self.assertFalse([name for name in set(os.listdir("/tmp")) - before if name == "evil"])

    def test_sources_that_read(self):
        for source in (f'#include "{self.lab}/reference/secret.txt"\n',
                       '#define NAME </etc/passwd>\n#include NAME\n',
                       f'asm(".incbin \\"{self.lab}/reference/secret.txt\\"");\n'):
            self.hand_in(source + "int main() {}\n")
            grade = self.grade("--check", "nothing", code=1)
            self.assertEqual(grade["checks"][0]["cause"]["rationale"], "main.cu does not compile")
            self.assertNotIn("root:", json.dumps(grade))


if __name__ == "__main__":
    unittest.main(verbosity=1)
