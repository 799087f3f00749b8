"""What docs/understand/extending.md says is enough: test_extending.py SOURCES [FOLDER]

In a copy of the sources (in FOLDER, if it is given, which is kept) the page's policy, instructions and matrix load are
added as it says, and of the things of its table a divergence model, a format of grades, a format of traces, a command, a
setting and a pane: no other file is touched. The copy is built, and the tests that the page names run. Takes the time
of a build.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCES = pathlib.Path(sys.argv[1]).resolve()
PAGE = (SOURCES / "docs/understand/extending.md").read_text()
BLOCKS = re.findall(r"^```\w*\n(.*?)^```$", PAGE, flags=re.M | re.S)
TESTS = ["policies", "lanes_random", "encoding", "settings"]


def block(word):
    """The block of the page with the word."""
    found = [text for text in BLOCKS if word in text]
    assert len(found) == 1, f"{len(found)} blocks with {word}"
    return found[0]


class Copy:
    def __init__(self, folder):
        self.root = folder
        names = subprocess.run(["git", "ls-files", "-z"], cwd=SOURCES, check=True, capture_output=True, text=True).stdout
        for name in filter(None, names.split("\0")):
            if (SOURCES / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(SOURCES / name, folder / name)

    def write(self, name, text):
        assert not (self.root / name).exists(), name
        (self.root / name).write_text(text)

    def insert(self, name, after, text):
        """Behind the first line that begins so."""
        lines = (self.root / name).read_text().split("\n")
        at = next(number for number, line in enumerate(lines) if line.startswith(after))
        lines.insert(at + 1, text.rstrip("\n"))
        (self.root / name).write_text("\n".join(lines))

    def replace(self, name, old, new):
        text = (self.root / name).read_text()
        assert text.count(old) == 1, f"{name}: {old}"
        (self.root / name).write_text(text.replace(old, new))

    def run(self, *command):
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True,
                              env=dict(os.environ, XDG_CACHE_HOME=str(self.root / "cache")))
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stdout[-6000:]}{done.stderr[-6000:]}")
        return done.stdout


def add_policy(copy):
    copy.write("sim/policies/youngest.c", block("ws_policy_youngest ="))
    last = '    ROW(CCWS, ccws, "ccws")\n'
    copy.replace("sim/device/policies.h", last, last.replace("\n", " \\\n") + block("ROW(YOUNGEST"))
    copy.insert("tests/sim/test_policies.c", "static const Order orders[]", block('{"youngest", "w2'))
    copy.insert("tests/sim/test_policies.c", "} locks[] = {", block('{"youngest", {0'))


def add_instructions(copy):
    for word in ("INSTRUCTION(IAVG", "INSTRUCTION(ELECT", "INSTRUCTION(LDSMR"):
        copy.insert("isa/bytecode/instructions.def", "INSTRUCTION(NOP", block(word))
    copy.insert("sim/lanes/integer.c", "WS_BODY(IABS", block("WS_BODY(IAVG"))
    copy.replace("sim/lanes/warp.c", "void WS_NAME(VOTE)", block("WS_NAME(ELECT)") + "\nvoid WS_NAME(VOTE)")
    copy.insert("sim/lanes/bodies.def", "BODY(MOVM", block("BODY(IAVG)") + "BODY(ELECT)")
    copy.replace("tests/support/scalar_integer.c", "    case WS_OP_IABS:\n", block("case WS_OP_IAVG") + "    case WS_OP_IABS:\n")
    copy.replace("tests/support/scalar_reference.c", "        [WS_OP_VOTE] = execute_vote,",
                 "        [WS_OP_VOTE] = execute_vote,\n        [WS_OP_ELECT] = execute_elect,")
    copy.replace("tests/support/scalar_reference.c", "typedef void (*Execute)(ScalarStep *step);", """
static void execute_elect(ScalarStep *step)
{
    guint lowest = 0;

    while ((step->mask >> lowest & 1) == 0)
        lowest++;
    scalar_put_predicate(step, WS_SLOT_Pd, step->lane == lowest);
}

typedef void (*Execute)(ScalarStep *step);""")
    row = block("guint r = instruction->opcode == WS_OP_LDSMR").strip()
    copy.insert("sim/memory/matrix_load.c", "#include", '#include "isa/bytecode/opcode.h"')
    copy.replace("sim/memory/matrix_load.c", "guint r = lane / 4, c = lane % 4 * 2;", row)


def add_divergence_model(copy):
    """The code of another model under a name of its own: what counts is where models are named."""
    copy.write("sim/divergence/mine.c", "#define ws_divergence_its  ws_divergence_mine\n"
               "#define ws_divergence_none ws_divergence_mine_none\nextern const int unused;\n"
               '#include "sim/divergence/its.c"\n')
    copy.insert("sim/device/divergence_models.h", "    ROW(STACK", "    ROW(MINE, mine) \\")


def add_formats(copy):
    copy.write("grade/export/points.c", """/* Only the points. */
#include "grade/export/grade_format.h"

static char *write_grade(const WsGrade *grade)
{
    return ws_points_text(grade->score);
}

const WsGradeFormat ws_grade_format_points = {"points", "points.txt", write_grade};
""")
    copy.insert("grade/export/grade_formats.def", "FORMAT(text)", "FORMAT(points)")
    copy.write("inspect/export/dots.c", """/* A dot an event. */
#include "inspect/export/exporter.h"

static void put_dot(WsExport *export, const WsTraceEvent *event)
{
    ws_trace_put_char(&export->out, '.');
}

const WsExporter ws_exporter_dots = {
    .name = "dots", .kinds = WS_ALL_EVENTS, .event = put_dot};
""")
    copy.insert("inspect/export/exporters.def", "EXPORTER(text)", "EXPORTER(dots)")


def add_command(copy):
    copy.write("cli/command_hello.c", """/* `warpstep hello`: greets. */
#include "cli/command.h"

static int run(const WsCommand *command, char **arguments)
{
    const GOptionEntry entries[] = {{NULL, 0, 0, 0, NULL, NULL, NULL}};
    if (!ws_parse_options(command, entries, arguments, 0, 0))
        return WS_ERROR_USAGE;
    ws_put("hello\\n");
    return 0;
}

const WsCommand ws_command_hello = {
    .name = "hello",
    .group = WS_GROUP_TEACH,
    .summary = "greet",
    .usage = "",
    .details = "Examples:\\n  warpstep hello\\n",
    .run = run,
};
""")
    copy.insert("cli/commands.def", "COMMAND(grade)", "COMMAND(hello)")


def add_setting(copy):
    copy.insert("sim/device/settings.def", "SETTING_INTEGER(sub_cores,",
                'SETTING_INTEGER(patience, "mine.patience", "cycles", 0, 100, 0, "a setting of mine")')


def add_pane(copy):
    copy.write("inspect/screen/pane_mine.c", """#include "inspect/screen/screen_private.h"

void ws_draw_mine(const WsView *view, WsPane pane, WsGrid *grid, const WsRectangle *in)
{
    ws_grid_put(grid, in, 0, 0, WS_LOOK_BAR, "mine");
}
""")
    copy.insert("inspect/screen/panes.def", "PANE(SUB_CORES", 'PANE(MINE, mine, "Mine", 2, 20, 0, 4, "Mine: a pane of mine")')
    copy.insert("inspect/screen/meson.build", "  'pane_machine.c'", "  'pane_mine.c',")


def check(copy):
    program = "build/cli/warpstep"
    help_text = copy.run(program, "--help")
    assert "  hello      greet\n" in help_text, help_text
    assert "|points|" in copy.run(program, "grade", "--help")
    assert "|dots|" in copy.run(program, "trace", "--help")
    assert copy.run(program, "hello") == "hello\n"
    assert set(copy.run(program, "trace", "if_else", "--format", "dots")) == {"."}
    assert "mine.patience" in copy.run(program, "devices", "--settings")
    copy.run(program, "run", "if_else", "--policy", "youngest", "--set", "divergence.model=mine", "--set", "mine.patience=9")
    assert "\nhello\n" in (copy.root / "build/cli/warpstep.1").read_text().replace("\\fB", "\n").replace("\\fR", "\n")
    assert "hello" in (copy.root / "build/cli/completion/warpstep").read_text()


def main():
    if not (SOURCES / ".git").exists():
        print("the sources are no checkout: nothing says which files are theirs")
        return 77  # meson: skipped
    with tempfile.TemporaryDirectory() as scratch:
        copy = Copy(pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else scratch).resolve())
        for add in (add_policy, add_instructions, add_divergence_model, add_formats, add_command, add_setting, add_pane):
            add(copy)
        copy.run("meson", "setup", "build")
        copy.run("ninja", "-C", "build", "cli/warpstep", "cli/warpstep.1", "cli/completion/warpstep",
                 *(f"tests/test_{test}" for test in TESTS))
        check(copy)
        copy.run("meson", "test", "-C", "build", "--no-rebuild", *TESTS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
