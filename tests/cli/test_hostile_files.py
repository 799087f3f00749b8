"""Programs and launch files that try to read or run what they must not: test_hostile_files.py WARPSTEP

Every case ends within 10 s and 1 GiB, with a message, the right exit code and nothing of the host in
what it prints. On a busy machine the processor's time counts, not that of the clock.
"""
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from clangs import HAS_CLANG
from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
SECRET = "s3cret_token"
KERNEL = "__global__ void k(int *x) { x[0] = 1; }\n"
LAUNCH = """\
version: 1
program: %s
buffers: {x: {type: s32, count: 64}}
launches: [{kernel: k, grid: 1, block: 1, params: [{ref: x}]}]
"""
WSASM = """\
.kernel k
.param u64 x
  LDC.64 R2, c[x] ;
.loc "%s" 1
  LDG R4, [R2] ;
  STG [R2], R4 ;
  EXIT ;
"""
PTX = """\
.version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 x)
{
	.reg .b32 %%r<2>;
	.reg .b64 %%rd<3>;
	.loc 1 1 0
	ld.param.u64 %%rd1, [x];
	cvta.to.global.u64 %%rd2, %%rd1;
	ld.global.u32 %%r1, [%%rd2];
	st.global.u32 [%%rd2], %%r1;
	ret;
}
	.file 1 "%s"
"""
SECONDS, KIBIBYTES = 10, 1 << 20
SANITIZED = "asan" in PROGRAM


class Case(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.top = pathlib.Path(self.scratch.name).resolve()
        self.folder = self.top / "work"
        self.folder.mkdir()
        self.host = self.top / "host.txt"
        self.host.write_text(f"{SECRET}\n" * 40)
        self.write("k.cu", KERNEL)

    def tearDown(self):
        self.scratch.cleanup()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return name

    def launch(self, program="k.cu", more="", name="launch.yaml"):
        return self.write(name, LAUNCH % json.dumps(program) + more)

    def expect(self, code, message, *arguments, leak=SECRET, **options):
        """Runs it under the limits; returns (stdout, stderr)."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder,
                                     stdin=subprocess.DEVNULL, stdout=out, stderr=err, **options)
            _, status, usage = os.wait4(child.pid, 0) # with clang, which it has waited for
            child.returncode = os.waitstatus_to_exitcode(status)
            texts = []
            for file in (out, err):
                file.seek(0)
                texts.append(file.read().decode())
        what = f"{arguments}\n{texts[0][-1500:]}\n{texts[1][-1500:]}"
        self.assertEqual(child.returncode, code, what)
        self.assertIn(message, texts[1] if code not in (0, 1) else texts[0] + texts[1], what)
        self.assertNotIn(leak, texts[0] + texts[1], what)
        self.assertNotIn("Stack dump", texts[1], what)
        if code == 3:
            self.assertEqual(texts[0], "", what)
        for text in texts:
            bad = [c for c in text if (c < " " and c not in "\n\t") or "\x7f" <= c < "\xa0"]
            self.assertEqual(bad, [], what)
        if not SANITIZED:
            self.assertLess(usage.ru_utime + usage.ru_stime, SECONDS, what)
            self.assertLess(usage.ru_maxrss, KIBIBYTES, what)
        return texts

    def refused(self, source, message, *options, **more):
        """A source that does not compile, with and without --confine."""
        self.write("e.cu", source)
        for confine in ([], ["--confine"]):
            self.expect(3, message, "check", "e.cu", *options, *confine, **more)


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Options(Case):
    """What a file is called, and what a launch file holds, is no option of clang's."""

    def victim(self):
        return self.folder / "victim"

    def test_response_file(self):
        self.write("evil.cu", "-o ./victim k.cu\n")
        self.write("@evil.cu", KERNEL)
        self.expect(0, "k on", "run", self.launch("@evil.cu"))
        self.expect(0, "k: ", "check", "@evil.cu")
        self.assertFalse(self.victim().exists())

    def test_response_file_in_a_define(self):
        self.write("args", "-o ./victim")
        for value in ("@args", "-o./victim", "X -o ./victim"):
            launch = self.launch(more=f"compile: {{define: [{json.dumps(value)}]}}\n")
            code = 3 if value[0] in "@-" else 0
            self.expect(code, "NAME or NAME=VALUE" if code else "k on", "run", launch)
            self.assertFalse(self.victim().exists())

    def test_include_folders_that_look_like_options(self):
        for folder in ("@args", "-o", "-", "=x", "a b", "-Xclang -load"):
            self.write(f"{folder}/part.h", "#define VALUE 7\n")
            self.write("p.cu", '#include <part.h>\n__global__ void k(int *x) { *x = VALUE; }\n')
            launch = self.launch("p.cu", f"compile: {{include: [{json.dumps(folder)}]}}\n")
            self.expect(0, "k on", "run", "--confine", launch)

    def test_names_that_look_like_options(self):
        for name in ("-fplugin=x.cu", "--help.cu", "-.cu", "a b.cu", 'q"q.cu', "b\\n.cu", "é.cu",
                     "日本 語.cu", "$(touch victim).cu", "'`x`.cu", "%s%n.cu", "#.cu"):
            self.write(name, KERNEL)
            out, _ = self.expect(0, "k on", "run", self.launch(name), "--confine")
            self.assertIn(f"{name}:1", out)
            out, _ = self.expect(0, "", "run", "launch.yaml", "--format", "json")
            self.assertEqual({line["file"] for line in json.loads(out)["lines"]} - {None}, {name})
            self.assertIn("x[0] = 1", self.expect(0, "x[0]", "run", "launch.yaml")[0])
        self.assertFalse(self.victim().exists())

    def test_a_name_with_a_newline(self):
        self.write("a\nb\x1b[31m.cu", "#error \x1b[31m\n")
        self.expect(3, "a\\x0ab\\x1b[31m.cu", "run", self.launch("a\nb\x1b[31m.cu"))


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Lines(Case):
    """Reports print lines of no file but those that were compiled."""

    def test_line_directive(self):
        for name in ("../host.txt", str(self.host), "inside.txt"):
            self.write("inside.txt", f"{SECRET}\n" * 9)
            body = "".join(f'#line {n} "{name}"\nx[{n}000] = x[{n}] * x[{n}7];\n'
                           for n in range(1, 9))
            self.write("e.cu", "__global__ void k(int *x) {\n%s}\n" % body)
            launch = self.write("l.yaml", (LAUNCH % "e.cu").replace("64", "9000"))
            out, _ = self.expect(0, "k on", "run", launch)
            self.assertIn(".txt:", out)
            for command in ("check", "disasm"):
                self.expect(0, "", command, "e.cu")

    def test_lines_of_what_was_compiled(self):
        self.write("part.h", "__device__ int twice(int x) { return x * 2 /* own line */; }\n")
        self.write("e.cu", '#include "part.h"\n__global__ void k(int *x) { x[0] = twice(x[1]); }\n')
        self.assertIn("own line", self.expect(0, "k on", "run", self.launch("e.cu"))[0])

    def test_lines_of_a_header_outside(self):
        self.write("../part.h", "__device__ int f(int x) { return x * %s; }\n" % "1234567")
        self.write("e.cu", '#include "../part.h"\n__global__ void k(int *x) { x[0] = f(x[1]); }\n')
        out, _ = self.expect(0, "k on", "run", self.launch("e.cu"))
        self.assertIn("part.h:1", out)
        self.assertNotIn("1234567", out)
        out, _ = self.expect(0, "k on", "run",
                             self.launch("e.cu", "compile: {include: [..]}\n"))
        self.assertIn("1234567", out)

    def test_loc(self):
        for name in ("../host.txt", str(self.host)):
            self.write("e.wsasm", WSASM % name)
            self.write("e.ptx", PTX % name)
            for program in ("e.wsasm", "e.ptx"):
                self.assertIn("host.txt:1",
                              self.expect(0, "k on", "run", self.launch(program))[0])
                self.expect(0, "k: ", "check", program)
                self.expect(0, "", "disasm", program)
                self.expect(0, "", "asm", program, "-o", "e.wsbin")
                self.expect(0, "k on", "run", self.launch("e.wsbin"))

    def test_escapes_in_loc(self):
        for text, name in (("a b", "a b"), ("q\\\"q", 'q"q'), ("b\\\\c", "b\\c"), ("\\303\\251", "é"),
                           ("é", "é")):
            self.write("e.wsasm", WSASM % text)
            self.write("e.ptx", PTX % text)
            for program in ("e.wsasm", "e.ptx"):
                out, _ = self.expect(0, "k on", "run", self.launch(program))
                self.assertIn(f"{name}:1", out)

    def test_control_characters(self):
        self.write("e.cu", "__global__ void k(int *x) { x[0] = x[1]; /* \x1b[31m\x07\u202e\x85 */ }\n")
        out, _ = self.expect(0, "\\x1b[31m\\x07\\u202e\\x85", "run", self.launch("e.cu"))
        self.expect(3, "error: ", "check", self.write("f.cu", "#error \x1b]0;t\x07\n"))
        self.expect(3, "\\x1b", "run", self.write("f.yaml", 'version: 1\n"\\e[31m": 1\n'))
        self.expect(2, "\\x1b", "run", "--\x1b[31m")
        self.write("d.yaml", 'inherit: h200\nname: "\\e[31mred"\n')
        self.expect(0, "\\x1b[31mred", "run", "launch.yaml", "--device", "./d.yaml")


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Includes(Case):
    def test_outside(self):
        names = ["../host.txt", str(self.host), "sub/../../host.txt", "leads.h", "links/host.txt",
                 "absolute.h", "/proc/self/environ", "/etc/passwd", "/dev/null"]
        (self.folder / "sub").mkdir()
        (self.folder / "leads.h").symlink_to("../host.txt")
        (self.folder / "absolute.h").symlink_to(self.host)
        (self.folder / "links").symlink_to("..")
        for name in names:
            self.write("e.cu", f'#include "{name}"\n{KERNEL}')
            self.expect(3, f"'{name}' is outside the target's folder", "check", "e.cu",
                        "--confine")

    def test_no_other_takes_the_place_of_a_refused_one(self):
        """queue and cuda_fp16.h are headers of ours, part.h lies in another folder."""
        self.write("other/part.h", "#define VALUE 3\n")
        for name in ("queue", "cuda_fp16.h", "part.h"):
            (self.folder / name).symlink_to("../host.txt")
            self.write("e.cu", f'\n#include "{name}"\n{KERNEL}')
            self.expect(3, f"e.cu:2:10: error: '{name}' is outside the target's folder", "check", "e.cu",
                        "--confine", "-I", "other")
            self.write("f.cu", f"#if 0\n#include \"{name}\"\n#endif\n{KERNEL}")
            self.expect(0, "k: ", "check", "f.cu", "--confine", "-I", "other")
        (self.folder / "algorithm").mkdir()
        for text in ("#include <math.h>", "#include <algorithm>", '#include "algorithm"'):
            self.write("g.cu", f"{text}\n{KERNEL}")
            self.expect(0, "k: ", "check", "g.cu", "--confine")

    def test_the_same_whether_it_exists(self):
        messages = []
        for name in (f"{self.top}/host.txt", f"{self.top}/none.txt"):
            self.write("e.cu", f'#include "{name}"\n{KERNEL}')
            _, err = self.expect(3, "outside", "check", "e.cu", "--confine")
            messages.append(err.replace(name, ""))
        self.assertEqual(*messages)

    def test_by_macros(self):
        self.write("e.cu", "#define S_(x) #x\n#define S(x) S_(x)\n#define DOT ..\n"
                           f"#include S(DOT/host.txt)\n{KERNEL}")
        self.expect(3, "'../host.txt' is outside", "check", "e.cu", "--confine")
        self.write("part.h", "#define VALUE 3\n")
        self.write("f.cu", "#define S_(x) #x\n#define S(x) S_(x)\n#define NAME part\n"
                           "#include S(NAME.h)\n__global__ void k(int *x) { *x = VALUE; }\n")
        self.expect(0, "k: ", "check", "f.cu", "--confine")
        self.expect(0, "k: ", "check", "f.cu")

    def test_probing(self):
        self.write("e.cu", "".join(
            f'#if {ask}({name})\n#error found\n#endif\n'
            for ask in ("__has_include", "__has_include_next")
            for name in (f'"{self.host}"', '"../host.txt"', "</etc/passwd>", '"/proc/self/exe"',
                         '"/usr/include/../../etc/passwd"')) + KERNEL)
        self.expect(0, "k: ", "check", "e.cu", "--confine")

    def test_other_ways_to_read(self):
        for way in (f'#include_next "{self.host}"', f'#import "{self.host}"',
                    f'#pragma GCC dependency "{self.host}"',
                    f'#pragma clang module load "{self.host}"',
                    f'#pragma clang module import host', f'asm(".incbin \\"{self.host}\\"");',
                    f'#embed "{self.host}"', f'%:include "{self.host}"',
                    f'#/**/include "{self.host}"', f'#inc\\\nlude "{self.host}"',
                    f'_Pragma("include_alias(\\"a\\", \\"{self.host}\\")")\n#include "a"'):
            self.write("e.cu", f"{way}\n{KERNEL}")
            done = subprocess.run([PROGRAM, "check", "e.cu", "--confine"], cwd=self.folder,
                                  capture_output=True, text=True, timeout=HANGS)
            self.assertIn(done.returncode, (0, 1, 3), way)
            self.assertNotIn(SECRET, done.stdout + done.stderr, way)

    def test_modules_and_precompiled_headers(self):
        for name in ("module.modulemap", "e.cu.gch", "e.cu.pch", "cuda_runtime.h.gch"):
            self.write(name, f'module x {{ header "{self.host}" }}\n')
        self.expect(0, "k: ", "check", self.write("e.cu", KERNEL), "--confine")

    def test_pipes_and_devices(self):
        os.mkfifo(self.folder / "fifo")
        (self.folder / "zero").symlink_to("/dev/zero")
        for name in ("fifo", "/dev/zero", "/dev/stdin", "/dev/tty", "/dev/random", "zero"):
            self.write("e.cu", f'#include "{name}"\n{KERNEL}')
            self.expect(3, f"'{name}' is not a regular file", "check", "e.cu")
        self.refused('#include "fifo"\n', "'fifo' is not a regular file")
        self.refused('#define A "fi"\n#include "sub"\n', "'sub' file not found")
        self.refused('#include "."\n', "'.' is a folder")
        self.refused(f"#define F fi ## fo\n#include <{self.folder}/fifo>\n", "is not a regular file")

    def test_recursion(self):
        self.refused("#include __FILE__\n#include __FILE__\n", "nested too deeply")

    def test_many(self):
        for i in range(600):
            self.write(f"h/{i}.h", f'#include "{i + 1}.h"\n' if i % 150 != 149 else "")
        lines = "".join(f'#include "h/{i}.h"\n' for i in range(0, 600, 150))
        self.write("e.cu", lines + KERNEL)
        self.expect(0, "k: ", "check", "e.cu", "--confine")
        limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
        self.expect(3, "includes more than", "check", "e.cu", preexec_fn=limit)
        # All limits around the least that is enough: it works, or says that it does not.
        self.write("e.cu", KERNEL)
        seen = set()
        for most in range(210, 270, 3):
            few = lambda most=most: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
            done = subprocess.run([PROGRAM, "check", "e.cu"], cwd=self.folder, capture_output=True, text=True, preexec_fn=few,
                                  env={**os.environ, "XDG_CACHE_HOME": str(self.top / f"cache{most}")})
            seen.add(done.returncode)
            if done.returncode == 0:
                self.assertTrue(done.stdout.startswith("k: "), done.stdout[:200])
            else:
                self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
        self.assertEqual(seen, {0, 3})

    def test_large(self):
        with open(self.folder / "large.h", "w") as file:
            file.truncate(1 << 40)
        self.refused('#include "large.h"\n', "'large.h' is too large")
        (self.folder / "large.h").rename(self.folder / "large.cu")
        self.expect(3, "is larger than the limit of", "check", "large.cu")


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Ends(Case):
    def test_crash(self):
        for pragma in ("crash", "parser_crash", "llvm_fatal_error"):
            self.write("e.cu", f"#pragma clang __debug {pragma}\n{KERNEL}")
            _, err = self.expect(3, "e.cu: error: clang crashed", "check", "e.cu")
            self.assertEqual(err.count("\n"), 1, err)

    def test_endless(self):
        self.write("e.cu", f"#pragma clang __debug overflow_stack\n{KERNEL}")
        self.expect(3, "e.cu: error: clang took more than 8 seconds of processor time; "
                    "--max-compile-seconds sets another limit", "check", "e.cu", "--confine")
        self.write("launch.yaml", LAUNCH % "e.cu")
        for target in ("e.cu", "launch.yaml"):
            self.expect(3, "e.cu: error: clang took more than 1 seconds of processor time; "
                        "--max-compile-seconds sets another limit", "check", target,
                        "--max-compile-seconds=1")

    def end_during_clang(self, command, number, group):
        """Ends `command` with a signal while clang, a script that sleeps, runs; what it printed."""
        pid_file = self.top / "pid"
        clang = self.top / "clang"
        clang.write_text(f"#!/bin/sh\necho $$ > {pid_file}\nexec sleep 1000\n")
        clang.chmod(0o755)
        temporary = self.top / "tmp"
        temporary.mkdir(exist_ok=True)
        environment = dict(os.environ, WARPSTEP_CLANG=str(clang), TMPDIR=str(temporary))
        child = subprocess.Popen([PROGRAM, *command], cwd=self.folder, env=environment, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 start_new_session=True)
        end = time.monotonic() + HANGS
        while not (pid_file.exists() and pid_file.read_text().strip()):
            self.assertLess(time.monotonic(), end, "clang was not started")
            time.sleep(0.01)
        pid = int(pid_file.read_text())
        (os.killpg if group else os.kill)(child.pid, number)
        out, err = child.communicate(timeout=HANGS)
        self.assertEqual(child.returncode, -number)
        while os.path.exists(f"/proc/{pid}") and self.state(pid) not in "ZX":
            self.assertLess(time.monotonic(), end, "clang still runs")
            time.sleep(0.01)
        pid_file.unlink()
        self.assertEqual(list(temporary.iterdir()), [])
        return out, err

    def test_clang_dies_with_its_parent(self):
        """And leaves nothing behind."""
        for target in ("k.cu", "vecadd"):
            self.end_during_clang(["check", target], signal.SIGKILL, False)

    def test_interrupted(self):
        """Ctrl-C of a terminal, which clang gets as well, and signals that it does not get."""
        self.write("launch.yaml", LAUNCH % "k.cu")
        for command in (["check", "k.cu"], ["disasm", "launch.yaml"], ["run", "vecadd"],
                        ["run", "launch.yaml", "--format=json"]):
            for number, group in ((signal.SIGINT, True), (signal.SIGINT, False),
                                  (signal.SIGTERM, False)):
                with self.subTest(command=command, number=number, group=group):
                    self.assertEqual(self.end_during_clang(command, number, group), ("", ""))

    @staticmethod
    def state(pid):
        try:
            return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return "X"


class Named(Case):
    """Files that a launch file names."""

    def setUp(self):
        super().setUp()
        self.write("e.wsasm", WSASM % "e.wsasm")

    def reads(self, name, kind="buffer"):
        if kind == "buffer":
            text = (LAUNCH % "e.wsasm").replace("count: 64", "init: {file: %s}" % json.dumps(name))
        elif kind == "expect":
            text = LAUNCH % "e.wsasm" + "expect: [{buffer: x, file: %s}]\n" % json.dumps(name)
        elif kind == "device":
            text = LAUNCH % "e.wsasm" + "device: %s\n" % json.dumps(name)
        else:
            text = LAUNCH % json.dumps(name)
        return self.write("launch.yaml", text)

    def test_outside(self):
        (self.top / "host.yaml").write_text(f"{SECRET}: 1\n")
        (self.top / "host.wsasm").write_text(SECRET)
        (self.folder / "folder").symlink_to("..")
        for kind, ending in (("buffer", ".txt"), ("expect", ".txt"), ("device", ".yaml"),
                             ("program", ".wsasm")):
            link = self.folder / f"link{ending}"
            link.unlink(missing_ok=True)
            link.symlink_to(f"../host{ending}")
            for name in (f"../host{ending}", f"{self.top}/host{ending}", f"link{ending}",
                         f"folder/host{ending}", f"../work/../host{ending}", f"../none{ending}"):
                self.expect(3, "is outside the target's folder", "run",
                            self.reads(name, kind), "--confine")

    def test_inside(self):
        (self.folder / "x.bin").write_bytes(bytes(256))
        (self.folder / "link.bin").symlink_to("sub/../x.bin")
        (self.folder / "sub").mkdir()
        for name in ("x.bin", "link.bin", "./x.bin", "sub/../x.bin", str(self.folder / "x.bin")):
            self.expect(0, "k on", "run", self.reads(name), "--confine")
            self.expect(0, "k on", "run", f"../work/{self.reads(name)}", "--confine")
            self.expect(0, "k on", "run", f"{self.folder}", "--confine")

    def test_links_as_targets(self):
        (self.folder / "link.yaml").symlink_to("../host.txt")
        (self.folder / "link.cu").symlink_to("../host.txt")
        (self.folder / "dangling.yaml").symlink_to("nothing")
        self.expect(3, "is outside the target's folder", "run", "link.yaml", "--confine")
        self.expect(3, "is outside the target's folder", "check", "link.cu", "--confine")
        self.expect(3, "dangling.yaml: error:", "run", "dangling.yaml", "--confine")

    def test_inherited_devices(self):
        (self.top / "host.yaml").write_text(f"{SECRET}: 1\n")
        self.write("d.yaml", "inherit: ../host.yaml\n")
        self.expect(3, "is outside the target's folder", "run", self.reads("d.yaml", "device"),
                    "--confine")

    def test_include_folders(self):
        launch = self.launch(more="compile: {include: [%s, ..]}\n" % self.top)
        self.write("k.cu", "#include <host.txt>\n" + KERNEL)
        if HAS_CLANG:
            self.expect(3, "'host.txt' is outside", "run", launch, "--confine")

    def test_not_regular(self):
        os.mkfifo(self.folder / "fifo")
        os.mkfifo(self.folder / "fifo.wsasm")
        (self.folder / "dir.wsasm").mkdir()
        for name, why in (("fifo", "is not a regular file"), ("/dev/zero", "is not a regular file"),
                          ("/dev/stdin", "is not a regular file"), (".", "is a folder"),
                          ("/proc/self/mem", "error")):
            self.expect(3, why, "run", self.reads(name))
        self.expect(3, "is not a regular file", "run", self.reads("fifo.wsasm", "program"))
        self.expect(3, "is a folder", "run", self.reads("dir.wsasm", "program"))
        self.expect(3, "", "run", self.reads("/proc/self/environ"),
                    env=dict(os.environ, WS_SECRET=SECRET))

    def test_built_in(self):
        self.expect(0, "vecadd on", "run", "vecadd", "--sms", "1", "--confine")
        self.expect(0, ": ", "check", "vecadd", "--confine")
        self.expect(3, "error", "run", "vecadd/../../host.txt", "--confine")


unittest.main()
