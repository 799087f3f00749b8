"""Submissions that try to cheat, to spy or to break: test_grade_attacks.py WARPSTEP

What they must not see holds SECRET; none of it may be in any output, whatever the format. What they
must not get are points. What they break must be their own check, never the grader's.
"""
import json
import os
import resource
import shutil
import sys
import unittest

from grade_fixture import ANSWERS, ASSIGNMENT, HAS_CLANG, LAUNCH, REFERENCE, SECRET, GradeCase

GradeCase.program = os.path.abspath(sys.argv.pop(1))
SANITIZED = "asan" in GradeCase.program
# What a class's folder has for each student.
FORMATS = {"result.txt", "result.html", "result.json", "junit.xml", "result.tap", "results.json"}


def processor_seconds():
    """Of what was started and has ended: a busy machine is no fault of the grader's."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Attack(GradeCase):
    def all_formats(self):
        """All that one grading writes and says: every format, with timelines, and the class's pages."""
        out = self.top / "all_formats"
        shutil.rmtree(out, ignore_errors=True)
        done = self.warpstep("grade", self.lab, "--all", self.submission.parent, "--out", out, "--timelines")
        files = sorted(path for path in out.rglob("*") if path.is_file())
        self.assertLessEqual(FORMATS, {path.name for path in files})
        return "".join(path.read_text() for path in files) + done.stdout + done.stderr

    def gets_nothing(self, source=None, *, seconds=30):
        """No point for the program; nothing of the assignment seen; the grader is whole."""
        if source is not None:
            self.hand_in(source)
        start = processor_seconds()
        grade = self.grade(code=1)  # two minutes at most, whatever it waits for
        if not SANITIZED:
            self.assertLess(processor_seconds() - start, seconds)
        self.assertIsNone(grade["error"])
        self.assertNotIn("passed", [c["outcome"] for c in grade["checks"] if c["name"] in
                                    ("right", "right_hidden", "fast", "quick_hidden")], grade)
        return json.dumps(grade)

    def refused(self, source, message):
        self.assertIn(message, self.gets_nothing(source))


class Reading(Attack):
    def test_include_by_relative_name(self):
        for name in ("../../lab/reference/scale.cu", "../../lab/hidden/launch.yaml"):
            self.refused(f'#include "{name}"\n', "outside")

    def test_include_by_absolute_name(self):
        self.hand_in(f'#include "{self.lab}/reference/scale.cu"\n')
        done = self.warpstep("grade", self.lab, self.submission, code=1)
        self.assertNotIn(SECRET, done.stdout)
        self.assertIn("0/3  right", done.stdout)

    def test_include_from_the_public_folder_upwards(self):
        self.refused('#include "helper.h"\n#include "../reference/scale.cu"\n', "scale.cu")
        self.refused('#include "launch.yaml/../../reference/scale.cu"\n', "scale.cu")

    def test_include_put_together_by_macros(self):
        self.refused("#define P ../../lab/reference/scale.cu\n#define S(x) #x\n#define T(x) S(x)\n"
                     "#include T(P)\n", "scale.cu")

    def test_public_header_may_be_included(self):
        self.hand_in('#include "helper.h"\n' + REFERENCE.replace("3 *", "THREE *"))
        self.assertEqual(self.outcomes(code=0)["right"], "passed")

    def test_has_include_tells_nothing_of_hidden_files(self):
        source = ('#if __has_include("../../lab/hidden/launch.yaml") || '
                  '__has_include("../hidden/launch.yaml")\n#error it is there\n#endif\n')
        self.hand_in(source + REFERENCE)
        self.assertEqual(self.outcomes(code=0)["right"], "passed")

    def test_line_directive(self):
        for name in ("../../lab/reference/scale.cu", f"{self.lab}/hidden/launch.yaml"):
            self.hand_in(f'#line 1 "{name}"\nint int;\n')
            done = self.warpstep("grade", self.lab, self.submission, code=1)
            self.assertNotIn(SECRET, done.stdout)
            self.hand_in(REFERENCE.replace("{", f'{{\n#line 1 "{name}"\n', 1).replace("i < n", "i >= 0"))
            self.assertNotIn(SECRET, self.all_formats())

    def test_incbin(self):
        self.gets_nothing(REFERENCE.replace(
            "{", f'{{ asm volatile(".incbin \\"{self.lab}/reference/scale.cu\\"");', 1))
        self.gets_nothing(f'asm(".incbin \\"{self.lab}/hidden/launch.yaml\\"");\nint int;\n')

    def test_embed(self):
        self.gets_nothing('const char t[] = {\n#embed "../../lab/reference/scale.cu"\n};\n')

    def test_program_is_a_link(self):
        self.hand_in(None)
        os.symlink(self.lab / "reference/scale.cu", self.submission / "scale.cu")
        self.assertIn("not a file of the submission", self.gets_nothing())
        (self.submission / "scale.cu").unlink()
        os.symlink("../../lab/reference/scale.cu", self.submission / "scale.cu")
        self.gets_nothing()

    def test_link_to_a_folder(self):
        self.hand_in('#include "l/scale.cu"\n')
        os.symlink(self.lab / "reference", self.submission / "l")
        self.gets_nothing()

    def test_answers_are_a_link(self):
        self.hand_in(answers=None)
        os.symlink(self.lab / "reference/answers.yaml", self.submission / "answers.yaml")
        self.assertEqual(self.outcomes(code=1)["guess"], "failed")

    def test_link_within_the_submission(self):
        self.hand_in(None)
        self.put("in/ann/src/real.cu", REFERENCE)
        os.symlink("src/real.cu", self.submission / "scale.cu")
        self.assertEqual(self.outcomes(code=0)["right"], "passed")

    def test_response_file(self):
        self.put("in/ann/args", f"-include {self.lab}/reference/scale.cu\n")
        self.gets_nothing('#include "@args"\nint int;\n')
        self.put("in/ann/scale.cu.rsp", "-o /tmp/x")
        self.gets_nothing("#pragma comment(linker, \"@args\")\nint int;\n")

    def test_another_students_work(self):
        self.hand_in(student="bob")
        self.refused('#include "../bob/scale.cu"\n', "outside")

    def test_environment_and_processes(self):
        for name in ("/proc/self/environ", "/proc/self/cmdline", "/etc/passwd", "/dev/stdin"):
            self.gets_nothing(f'#include "{name}"\n')


    def test_files_by_way_of_proc(self):
        for name in (f"/proc/self/root{self.lab}/reference/scale.cu", "/proc/self/fd/3", "/proc/self/cwd/lab/"
                     "reference/scale.cu", "/dev/fd/0", "/proc/1/root/etc/passwd"):
            self.gets_nothing(f'#include "{name}"\n')

    def test_names_written_in_another_way(self):
        for name in (".//..//../lab/reference/scale.cu", "./.././../lab/./reference/scale.cu", "helper.h/../../"
                     "reference/scale.cu", "..\\..\\lab\\reference\\scale.cu", f"/{self.lab}/reference/scale.cu",
                     "~/../lab/reference/scale.cu", f"file://{self.lab}/reference/scale.cu"):
            self.gets_nothing(f'#include "{name}"\n')

    def test_include_next_import_and_modules(self):
        for text in ('#include_next "scale.cu"', '#import "../../lab/reference/scale.cu"',
                     "#pragma clang module import reference", f'#include <{self.lab}/reference/scale.cu>',
                     "#pragma GCC dependency \"../../lab/reference/scale.cu\""):
            self.hand_in(text + "\n" + REFERENCE.replace("3 *", "2 *"))
            self.gets_nothing()

    def test_files_and_lines_in_inline_ptx(self):
        self.hand_in(REFERENCE.replace("{", "{ asm volatile(\".file 9 \\\"" + str(self.lab / "reference/scale.cu")
                                       + "\\\"\\n.loc 9 1 0\\n\");\n*(int *)0 = 1;", 1))
        self.assertNotIn(SECRET, self.all_formats())
        self.gets_nothing()

    def test_options_of_compilers_in_files(self):
        self.hand_in("int int;\n")
        for name in (".clang", "clang.cfg", "clang++.cfg", "clang++-14.cfg", "x86_64-linux-gnu.cfg", "compile_flags.txt",
                     "compile_commands.json", ".ccls", "module.modulemap", "vfs.yaml"):
            self.put(f"in/ann/{name}", f"-include {self.lab}/reference/scale.cu\n")
        self.gets_nothing()


class Telling(Attack):
    """Hidden inputs through what the grader says."""

    def setUp(self):
        super().setUp()
        self.put("lab/assignment.yaml", ASSIGNMENT.replace(", needs: [right]}", "}").replace(
            "    draw: seed\n", ""))
        self.put("lab/hidden/launch.yaml", LAUNCH.replace("{random: {seed: seed, max: 1000}}",
                                                          "{fill: 54321}").replace("n: 100", "n: 60913"))

    def hidden_outputs(self, kernel):
        self.hand_in(kernel)
        text = self.all_formats()
        # A page of a run has many numbers: these are long enough to be there by no chance.
        for value in ("54321", "54,321", "60913", "60,913", "d431", "D431"):
            self.assertNotIn(value, text)
        grade = self.grade()
        self.assertIsNone(grade["error"])
        return next(c for c in grade["checks"] if c["name"] == "right_hidden")

    def test_printf(self):
        self.hidden_outputs("#include <cstdio>\n" + REFERENCE.replace(
            "out[i] =", 'printf("%u %d", in[i], n), out[i] ='))

    def test_wrong_element(self):
        check = self.hidden_outputs(REFERENCE.replace("3 *", "2 *"))
        self.assertEqual((check["cause"]["rationale"], check["log"]), ("the results are wrong", []))

    def test_address_of_a_fault(self):
        check = self.hidden_outputs(REFERENCE.replace("3 * in[i]", "*(unsigned *)(unsigned long)in[i]"))
        self.assertNotRegex(json.dumps(check), "0x|block|thread \\(")

    def test_thread_and_line_of_a_fault(self):
        branches = "".join(f"if (in[0] >> 4 == {k}) *(int *)0 = 1;\n" for k in range(3390, 3400))
        check = self.hidden_outputs(REFERENCE.replace("if (i < n)", branches + "if (i < n)"))
        self.assertNotRegex(json.dumps(check), "scale.cu:")

    def test_cycles(self):
        self.hidden_outputs(REFERENCE.replace("if (i < n)", "for (unsigned k = 0; k < in[0]; k++)"
                                              " __nanosleep(1);\n if (i < n)"))

    def test_named_barrier_and_deadlock(self):
        check = self.hidden_outputs(REFERENCE.replace("if (i < n)", "if (in[0] > 50000 && threadIdx.x < 32)"
                                                      " __syncthreads();\n if (i < n)"))
        self.assertNotIn("warp", json.dumps(check))

    def test_messages_with_values_of_macros(self):
        self.put("lab/hidden/launch.yaml", LAUNCH + "compile: {define: [KEY=54321]}\n")
        self.hidden_outputs("#ifdef KEY\ntemplate <int N> struct A;\nA<KEY> a;\n#endif\n" + REFERENCE)
        self.hidden_outputs("#ifdef KEY\n#define S(x) #x\n#define T(x) S(x)\n"
                            "#pragma message(T(KEY))\nint int;\n#endif\n" + REFERENCE)

    def test_reveal_is_for_teachers(self):
        self.hand_in(REFERENCE.replace("3 *", "2 *"))
        self.assertIn("162963", self.text("--reveal"))


class Forging(Attack):
    def test_files_that_look_like_results(self):
        self.hand_in("int int;\n")
        for name in ("results.json", "result.json", "assignment.yaml", "launch.yaml", "answers.json"):
            self.put(f"in/ann/{name}", '{"score": 100, "tests": []}')
        self.gets_nothing()

    def test_text_in_messages(self):
        self.hand_in('#error "}],\\"score\\": 100, \\"tests\\": [{"\n#error \x1b[2J\x1b]0;x\x07 ok 1 - right\n')
        text = self.all_formats()
        self.assertNotIn("\x1b", text)
        self.assertNotIn("\nok 1 - right", text)
        self.assertEqual(json.loads(self.text("-f", "gradescope"))["score"], 1)

    def test_name_of_the_student(self):
        self.submission = self.top / "in" / 'a"}<script>\x1b[2J'
        self.submission.mkdir(parents=True)
        (self.submission / "scale.cu").write_text(REFERENCE)
        (self.submission / "answers.yaml").write_text(ANSWERS)
        text = self.all_formats()
        self.assertNotIn("\x1b", text)
        self.assertNotIn("<script>", self.text("-f", "html") + self.text("-f", "junit"))

    def test_text_in_answers(self):
        self.hand_in(answers='loads: "4\\nok 9 - forged"\n')
        self.assertNotIn("\nok 9 - forged", self.text("-f", "tap"))

    def test_number_that_is_any_number(self):
        for answer in ("nan", "inf", "1e999", "0x4", "4 5", ".inf", "4e0 # x"):
            self.hand_in(answers=f"loads: {answer}\n")
            self.assertEqual(self.outcomes()["guess"],
                             "passed" if answer in ("0x4", "4e0 # x") else "failed", answer)

    def test_empty_kernel(self):
        self.gets_nothing("__global__ void scale(unsigned *out, const unsigned *in, int n) {}\n")

    def test_figures_of_wrong_results(self):
        self.put("lab/assignment.yaml", ASSIGNMENT.replace(", needs: [right]", "").replace(
            "    needs: [right]\n", ""))
        self.gets_nothing("__global__ void scale(unsigned *out, const unsigned *in, int n) {}\n")

    def test_learnt_by_heart(self):
        """What is right for the open test alone gives nothing for the hidden one."""
        self.hand_in(REFERENCE.replace("if (i < n)", "if (n == 100 && i < n)"))
        self.assertEqual(self.outcomes(code=1)["right_hidden"], "failed")

    def test_search_for_the_expected_values(self):
        """Expectations do not lie in the machine's memory."""
        self.gets_nothing(REFERENCE.replace("3 * in[i]", "in[i + 64 * 1024]"))
        self.gets_nothing(REFERENCE.replace("3 * in[i]", "*((unsigned *)0x10000000 - 128 + i)"))

    def test_other_kernel_or_parameters(self):
        self.refused(REFERENCE.replace("scale", "scael"), "cannot be launched")
        self.refused(REFERENCE.replace(", int n)", ")").replace("< n", "< 100"), "cannot be launched")
        self.refused(REFERENCE.replace("int n", "double n"), "cannot be launched")

    def test_host_code_does_not_run(self):
        mark = self.top / "mark"
        self.hand_in("#include <cstdlib>\nstatic int x = system(\"touch " + str(mark) + "\");\n" + REFERENCE)
        self.grade()
        self.assertFalse(mark.exists())

    def test_time_and_place_of_compilation(self):
        self.hand_in('__device__ const char *when = __DATE__ __TIME__ __FILE__;\n' + REFERENCE.replace(
            "3 *", "(when[19] == '9' ? 4 : 3) *"))
        self.assertEqual(self.outcomes()["right"], "passed")


    def test_input_is_overwritten(self):
        """What is expected comes from the reference's own run, not from what is left of the input."""
        self.gets_nothing(REFERENCE.replace("const unsigned *in", "unsigned *in").replace(
            "out[i] = 3 * in[i]", "in[i] = 0, out[i] = 3 * in[i]"))

    def test_atomics_in_inline_ptx(self):
        for text in ("red.global.add.u32 [%0], 0;", "{ .reg .u32 t; atom.global.add.u32 t, [%0], 0; }"):
            self.hand_in("#define A as##m\n" + REFERENCE.replace(
                "if (", f'__asm__ volatile("{text}" :: "l"(out) : "memory");\n    if ('))
            self.assertEqual(self.outcomes(code=1)["plain"], "failed")

    def test_control_characters_in_names_of_files(self):
        self.hand_in('#line 1 "a\\x1b[2J\u202eb\\nok 1 - right"\nint int;\n')
        for format in ("text", "html", "tap"):
            text = self.text("-f", format)
            self.assertNotRegex(text, "\x1b|\u202e")
        self.assertNotIn("\nok 1 - right", text)


class Breaking(Attack):
    """Most of these run until a limit ends them: the limits are low, so that they take no longer than it needs to be seen."""

    def setUp(self):
        super().setUp()
        self.put("lab/assignment.yaml", ASSIGNMENT.replace("cycles: 200000, seconds: 5", "cycles: 20000, seconds: 1").replace(
            "compile_seconds: 10", "compile_seconds: 3"))

    def test_compiler_is_told_to_crash(self):
        """And writes no reproducer of its crash."""
        temporary = self.top / "tmp"
        temporary.mkdir()
        self.put("lab/assignment.yaml", ASSIGNMENT.replace("compile_seconds: 10", "compile_seconds: 1"))
        for what in ("crash", "overflow_stack", "llvm_fatal_error"):
            self.hand_in(f"#pragma clang __debug {what}\nint int;\n")
            self.gets_nothing()
        self.warpstep("grade", self.lab, self.submission, code=1, env={"TMPDIR": str(temporary)})
        self.assertEqual(list(temporary.iterdir()), [])

    def test_messages_without_end(self):
        for text in ("#warning " + "x" * 900 + "\n", "#pragma message(\"" + "y" * 900 + "\")\n", "int int;\n"):
            self.hand_in(text * 20000 + "int int;\n")
            self.gets_nothing()
            self.assertLess(len(self.text()), 200000)

    def test_calls_that_double(self):
        self.put("lab/assignment.yaml", ASSIGNMENT.replace("compile_seconds: 10", "compile_seconds: 2"))
        calls = "".join(f"__device__ unsigned f{k}(unsigned x) {{ return f{k - 1}(x ^ {k}) + f{k - 1}(x + {k} * x); }}\n"
                        for k in range(1, 40))
        self.refused("__device__ unsigned f0(unsigned x) { return x * x + 1; }\n" + calls +
                     REFERENCE.replace("3 * in[i]", "f39(in[i])"), "took more than 2 seconds of processor time; compile_seconds")

    def test_unrolled_without_end(self):
        self.gets_nothing(REFERENCE.replace("if (", "unsigned s = 0;\n#pragma unroll\nfor (int k = 0; k < 10000000; k++)"
                                            " s = s * in[k % n] + (s >> 3);\n    if (").replace("3 *", "s +"))

    def test_long_sleep(self):
        self.gets_nothing(REFERENCE.replace("if (", "while (true) __nanosleep(4000000000u); if ("))

    def test_barriers_of_others(self):
        self.gets_nothing(REFERENCE.replace("if (", 'asm volatile("bar.sync 5, 96;"); if ('))
        self.gets_nothing(REFERENCE.replace("if (", 'asm volatile("bar.sync 99;"); if ('))

    def test_sparse_files(self):
        for name in ("scale.cu", "answers.yaml"):
            self.hand_in()
            with open(self.submission / name, "r+b") as file:
                file.truncate(1 << 40)
            self.assertIn("failed", self.outcomes(code=1).values())

    def test_answers_that_are_no_file(self):
        self.hand_in(answers=None)
        path = self.submission / "answers.yaml"
        os.mkfifo(path)
        self.assertEqual(self.outcomes(code=1)["guess"], "failed")
        path.unlink()
        os.symlink("/dev/zero", path)
        self.assertEqual(self.outcomes(code=1)["guess"], "failed")
        path.unlink()
        path.mkdir()
        self.assertEqual(self.outcomes(code=1)["guess"], "failed")

    def test_answers_that_multiply(self):
        text = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi"))
        for answers in (text + "loads: 4\n", "loads: &x 4\nother: *x\n", "<<: {loads: 4}\n", "loads: [4]\n",
                        "? {loads: 4}\n: 4\n", "\0loads: 4\n", "loads: {4: 4}\n"):
            self.hand_in(answers=answers)
            self.assertEqual(self.outcomes(code=1)["guess"], "failed", answers)

    def test_endless_loop(self):
        self.refused(REFERENCE.replace("if (", "for (volatile int k = 0; k < 2;) ; if ("), "cycle")

    def test_spin_on_a_lock(self):
        self.gets_nothing(REFERENCE.replace("if (", "while (atomicCAS(out, 0u, 1u)) ; if ("))

    def test_deadlock(self):
        self.gets_nothing(REFERENCE.replace("if (", "if (threadIdx.x < 32) __syncthreads(); "
                                            "else while (true) __syncwarp(); if ("))

    def test_trap_and_faults(self):
        for what in ("__trap();", "*(int *)0 = 1;", "out[1 << 28] = 1;", "*(int *)((char *)out + 1) = 1;",
                     "((void (*)())in)();"):
            self.gets_nothing(REFERENCE.replace("if (", what + " if ("))

    def test_recursion(self):
        self.gets_nothing("__device__ unsigned f(unsigned x) { return x ? f(x - 1) + f(x / 2) : 1; }\n" +
                          REFERENCE.replace("3 * in[i]", "f(in[i] + 100000)"))

    def test_endless_templates(self):
        self.gets_nothing("template <int N> struct A { enum { v = A<N + 1>::v + A<N + 2>::v }; };\n"
                          "int x = A<0>::v;\n")

    def test_endless_constexpr(self):
        self.gets_nothing("constexpr long f(long n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
                          "static_assert(f(60) == 1, \"\");\n")

    def test_macros_without_end(self):
        text = "#define A0 x x x x x x x x x x\n" + "".join(
            f"#define A{k} " + f"A{k - 1} " * 10 + "\n" for k in range(1, 12))
        self.gets_nothing(text + "int y = A11;\n", seconds=60)

    def test_include_of_itself(self):
        self.gets_nothing('#include "scale.cu"\n')

    def test_much_memory(self):
        self.gets_nothing("__device__ char a[1u << 31];\n" + REFERENCE.replace("3 *", "a[i] +"))
        self.gets_nothing("__shared__ char b[1 << 20];\n" + REFERENCE.replace("3 *", "b[i] +"))
        self.gets_nothing(REFERENCE.replace("if (", "char c[1 << 23]; for (int k = 0; k < n; k++) c[in[k]] = k;\n"
                                            "    if (").replace("3 *", "c[i] +"))

    def test_large_sources(self):
        self.gets_nothing("/" * (65 << 20))
        self.gets_nothing("int a = " + "(" * 200000 + "1;\n")
        self.gets_nothing("\0" * 1000 + "\xff\xfe")

    def test_files_that_are_none(self):
        self.hand_in(None)
        os.mkfifo(self.submission / "scale.cu")
        self.gets_nothing()
        (self.submission / "scale.cu").unlink()
        os.symlink("/dev/zero", self.submission / "scale.cu")
        self.gets_nothing()
        (self.submission / "scale.cu").unlink()
        os.symlink("scale.cu", self.submission / "scale.cu")
        self.gets_nothing()

    def test_folder_in_place_of_the_program(self):
        self.hand_in(None)
        self.put("in/ann/scale.cu/launch.yaml", LAUNCH)
        self.gets_nothing()

    def test_program_is_missing(self):
        self.hand_in(None)
        self.assertIn("is missing from the submission", self.gets_nothing())

    def test_answers_that_grow(self):
        for text in ("[" * 100000, "a: " * 100000, "- " * 200000, "loads: !!python/object 4\n",
                     "loads: 4\nloads: 5\n", "x" * (2 << 20)):
            self.hand_in(answers=text)
            self.assertEqual(self.outcomes(code=1)["guess"], "failed")
            self.assertEqual(self.outcomes()["right"], "passed")

    def test_nothing_is_left_behind(self):
        self.hand_in(REFERENCE.replace("i < n", "i <= n"))
        before = set(self.top.rglob("*"))
        temporary = self.top / "tmp"
        temporary.mkdir()
        self.warpstep("grade", self.lab, self.submission, env={"TMPDIR": str(temporary)})
        self.assertEqual(set(self.top.rglob("*")) - before, {temporary})

    def test_one_test_takes_too_long_and_the_others_go_on(self):
        self.put("lab/assignment.yaml", ASSIGNMENT.replace("cycles: 200000, seconds: 5",
                                                           "cycles: 100000000000, seconds: 1"))
        self.hand_in(REFERENCE.replace("if (", "if (n == 777) for (volatile int k = 0; k < 2;) "
                                       "atomicAdd(out, 1); if ("))
        outcomes = self.outcomes(code=1)
        self.assertEqual((outcomes["right"], outcomes["right_hidden"]), ("passed", "failed"))


if __name__ == "__main__":
    unittest.main(verbosity=1)
