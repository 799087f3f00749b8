"""What `meson install` brings: test_install.py MESON BUILD_ROOT SOURCE_ROOT PREFIX LIBDIR PYTHON_FOLDER

Installs into an empty folder (DESTDIR) and looks at what lies there: nothing more and nothing less.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from clangs import HAS_CLANG

MESON, BUILD, SOURCES, PREFIX = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4]
LIBDIR, PYTHON_FOLDER = sys.argv[5], sys.argv[6]
SITE = pathlib.Path(BUILD, "docs/site/html")  # where there is Sphinx
del sys.argv[1:]

SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO"]
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def setUpModule():
    global FOLDER, ROOT, PROGRAM, PAGES
    FOLDER = tempfile.TemporaryDirectory()
    subprocess.run(
        [MESON, "install", "-C", BUILD, "--no-rebuild", "--quiet"],
        check=True, stdin=subprocess.DEVNULL, env=dict(os.environ, DESTDIR=FOLDER.name),
    )
    ROOT = pathlib.Path(FOLDER.name + PREFIX)
    PROGRAM = ROOT / "bin/warpstep"
    PAGES = sorted((ROOT / "share/man/man1").iterdir())


def tearDownModule():
    FOLDER.cleanup()


def run(*arguments, cwd=None):
    """Of the environment it gets a path to find clang, and nothing else."""
    return subprocess.run(
        arguments, cwd=cwd, env={"PATH": f"{ROOT}/bin:/usr/bin:/bin"}, capture_output=True, text=True
    )


def commands():
    text = run("warpstep", "--help").stdout
    return re.findall(r"^  (\w+) ", text[text.index("Commands:") :], flags=re.M)


def version():
    return run("warpstep", "--version").stdout.split()[1]


def files_below(folder):
    """Without what meson compiles for Python: newer versions do."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"}


class Files(unittest.TestCase):
    def test_nothing_else_is_installed(self):
        wanted = {"bin/warpstep", "share/man/man1/warpstep.1"}
        wanted |= {f"share/man/man1/warpstep-{command}.1" for command in commands()}
        wanted |= {
            "share/bash-completion/completions/warpstep",
            "share/zsh/site-functions/_warpstep",
            "share/fish/vendor_completions.d/warpstep.fish",
        }
        wanted |= {f"{LIBDIR}/{name}.so{end}" for name in ("libwarpstep",)
                   for end in ("", ".0", f".{version()}")} | {f"{LIBDIR}/libwarpstep-cudart.so"}
        wanted |= {f"{LIBDIR}/warpstep/libcudart.so.{end}" for end in ("11.0", "12", "13")}
        wanted |= {f"{LIBDIR}/pkgconfig/warpstep.pc", "include/warpstep/warpstep.h"}
        wanted.add(os.path.relpath(PYTHON_FOLDER, PREFIX) + "/warpstep.py")
        documents = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE"}
        documents |= {str(path.relative_to(SOURCES)) for path in (SOURCES / "docs").rglob("*.md")}
        documents |= {f"docs/images/{path.name}" for path in (SOURCES / "docs/images").iterdir()}
        documents |= {str(path.relative_to(SOURCES)) for path in (SOURCES / "docs").rglob("*.json")}
        documents |= {
            f"workloads/{name}" for name in files_below(SOURCES / "workloads") if "/" in name and not name.endswith(".figures")
        }
        if SITE.exists():
            documents |= {f"html/{name}" for name in files_below(SITE)}
        wanted |= {f"share/doc/warpstep/{name}" for name in documents}
        wanted |= {f"share/warpstep/vscode/{name}" for name in files_below(SOURCES / "editors/vscode")
                   if not name.startswith("node_modules/") and name not in ("package-lock.json", "warpstep.vsix")}
        self.assertEqual(files_below(ROOT), wanted)
        self.assertGreater(len(commands()), 5)
        self.assertEqual(files_below(pathlib.Path(FOLDER.name)), {PREFIX.lstrip("/") + "/" + name for name in wanted})

    def test_links_of_the_documents_lead_somewhere(self):
        links = 0
        for page in (ROOT / "share/doc/warpstep").rglob("*.md"):
            for link in LINK.findall(page.read_text()):
                links += 1
                self.assertTrue((page.parent / link).exists(), f"{page.name}: {link}")
        self.assertGreater(links, 20)


class Library(unittest.TestCase):
    """The programs of docs/reference/library.md, with what is installed."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.page = (ROOT / "share/doc/warpstep/docs/reference/library.md").read_text()
        self.env = {"PATH": os.environ["PATH"], "LD_LIBRARY_PATH": str(ROOT / LIBDIR),
                    "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(self.folder))}

    def program(self, language):
        return re.search(rf"^```{language}\n(.*?)^```", self.page, re.M | re.S).group(1)

    def run_program(self, *command):
        done = subprocess.run(command, cwd=self.folder, env=self.env, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def compile(self, compiler, name):
        (self.folder / name).write_text(self.program("c"))
        flags = subprocess.run(
            ["pkg-config", "--cflags", "--libs", "warpstep"], check=True, capture_output=True, text=True,
            env=dict(os.environ, PKG_CONFIG_SYSROOT_DIR=FOLDER.name, PKG_CONFIG_PATH=str(ROOT / LIBDIR / "pkgconfig"),
                     PKG_CONFIG_LIBDIR="")).stdout.split()
        subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-pedantic", name, "-o", "scale", *flags],
                       cwd=self.folder, check=True)

    def test_the_program_in_c(self):
        self.compile("cc", "scale.c")
        self.assertRegex(self.run_program("./scale"), r"^x\[999\] = 1998 after \d+ cycles\n$")

    def test_exports_what_the_header_declares(self):
        header = re.sub(r"/\*.*?\*/", "", (ROOT / "include/warpstep/warpstep.h").read_text(), flags=re.S)
        names = set(re.findall(r"\b(warpstep_\w+)\(", header))
        table = subprocess.run(["nm", "-D", "--defined-only", ROOT / LIBDIR / "libwarpstep.so"], check=True, capture_output=True,
                               text=True).stdout
        self.assertEqual({line.split()[2].split("@")[0] for line in table.splitlines() if " T " in line}, names)

    @unittest.skipIf(shutil.which("c++") is None, "no compiler for C++")
    def test_the_header_in_cpp(self):
        (self.folder / "h.cpp").write_text("#include <warpstep/warpstep.h>\nint main() { return warpstep_version() == nullptr; }\n")
        subprocess.run(["c++", "-Wall", "-Wextra", "-Werror", "-pedantic", f"-I{ROOT}/include", "-c", "h.cpp"], cwd=self.folder,
                       check=True)

    @unittest.skipUnless(HAS_CLANG and pathlib.Path("/usr/include/c++").is_dir(), "no clang or no C++ headers")
    def test_a_whole_program(self):
        """It finds the libraries beside the command that made it, wherever that was installed."""
        del self.env["LD_LIBRARY_PATH"]
        page = (ROOT / "share/doc/warpstep/docs/use/programs.md").read_text()
        (self.folder / "saxpy.cu").write_text(re.search(r"^```cpp saxpy.cu\n(.*?)^```", page, re.M | re.S).group(1))
        self.run_program(ROOT / "bin/warpstep", "cc", "-o", "saxpy", "saxpy.cu")
        self.env["WARPSTEP_MODE"] = "functional"
        self.assertEqual(self.run_program("./saxpy"), "2 7998: no error\n")

    def test_the_program_in_python(self):
        self.env.update(PYTHONPATH=FOLDER.name + PYTHON_FOLDER, PYTHONDONTWRITEBYTECODE="1")
        program = self.program("python")
        if subprocess.run([sys.executable, "-c", "import numpy"], stderr=subprocess.DEVNULL).returncode != 0:
            program = program.replace("import numpy, warpstep", "import array, warpstep").replace(
                "numpy.arange(1000, dtype=numpy.float32)", "array.array('f', range(1000))")
        (self.folder / "scale.py").write_text(program)
        lines = self.run_program(sys.executable, "scale.py").splitlines()
        self.assertRegex(lines[0], r"^1998.0 \d+ \('\w+', \d+, 0.\d+\)$")
        self.assertGreater(len(lines), 4)


# What the examples of the manual's pages work on.
FILES_OF_EXAMPLES = {
    "queries.csv": "block,regs\n256,40\n",
    "saxpy.cu": """__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += a * x[i];
}
""",
    "kernels.cu": """template <typename T> __global__ void reduce(const T *in, T *out)
{
    atomicAdd(out, in[blockIdx.x * blockDim.x + threadIdx.x]);
}
template __global__ void reduce<float>(const float *, float *);
template __global__ void reduce<int>(const int *, int *);
""",
}


class Program(unittest.TestCase):
    """From a folder that has nothing to do with the sources."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_runs_a_workload(self):
        done = run("warpstep", "run", "vecadd", cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("passed  c: 10,000 elements", done.stdout)
        self.assertNotIn(str(SOURCES), done.stdout)
        self.assertEqual(os.listdir(self.folder), [])

    def test_runs_an_installed_launch_file(self):
        done = run("warpstep", "run", str(ROOT / "share/doc/warpstep/workloads/vecadd"), cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_examples_of_the_manual(self):
        examples = 0
        for page in PAGES:
            text = page.read_text()
            commands_of_page = text[text.index("\n.EX") : text.index("\n.EE")].splitlines()[2:]
            with tempfile.TemporaryDirectory() as folder:
                for name, contents in FILES_OF_EXAMPLES.items():
                    pathlib.Path(folder, name).write_text(contents)
                labs = pathlib.Path(folder, "labs")
                shutil.copytree(SOURCES / "workloads/labs", labs)
                shutil.copytree(labs / "transpose/reference", pathlib.Path(folder, "submissions/alice"))
                for command in map(plain, commands_of_page):
                    self.assertTrue(command.startswith("warpstep "), command)
                    done = run("/bin/sh", "-c", command, cwd=folder)
                    code = re.search(r"  # exit code (\d+)$", command)
                    self.assertEqual(done.returncode, int(code.group(1)) if code else 0,
                                     f"{page.name}: {command}\n{done.stderr}")
                    examples += 1
        self.assertGreaterEqual(examples, 2 * len(commands()))


def plain(roff):
    """The text of a page's source."""
    roff = re.sub(r"\\f[BIR]|\\&", "", roff).replace("\\-", "-").replace("\\e", "\\")
    return roff.replace("\\(aq", "'").replace("\\(ga", "`").replace("\\(ha", "^").replace("\\(ti", "~")


class Manual(unittest.TestCase):
    def test_sections(self):
        for page in PAGES:
            found = re.findall(r"^\.SH (.*)$", page.read_text(), flags=re.M)
            wanted = list(SECTIONS)
            if page.name == "warpstep.1":
                wanted.insert(3, "COMMANDS")
            self.assertEqual(found, wanted, page.name)

    def test_every_option_of_help(self):
        for command in commands():
            page = plain((ROOT / f"share/man/man1/warpstep-{command}.1").read_text())
            tags = re.findall(r"^\.TP\n(.*)$", page, flags=re.M)
            lines = [
                line.strip()
                for line in run("warpstep", command, "--help").stdout.splitlines()
                if re.match(r"  (-\w, )?--\w", line)
            ]
            self.assertGreaterEqual(len(lines), 2, "--help and --color")
            for line in lines:
                # "-d, --device=DEVICE   what it does"
                tag, _, text = re.match(r"(-.*?)(\s{2,}|$)(.*)", line).groups()
                with self.subTest(command=command, option=tag):
                    self.assertIn(tag, tags)
                    if tag != "-h, --help":
                        self.assertIn(text, page)

    def test_every_command_and_exit_code(self):
        text = plain((ROOT / "share/man/man1/warpstep.1").read_text())
        for command in commands():
            self.assertRegex(text, rf"(?m)^{command} ")
            self.assertIn(f"warpstep-{command} (1)", text)
        shown = run("warpstep", "--help").stdout
        groups = re.findall(r"^\n([A-Z].*)\n  \w", shown, flags=re.M)
        self.assertEqual(re.findall(r"^\.SS (.*)$", text, flags=re.M), groups)
        self.assertGreater(len(groups), 3)
        codes = re.findall(r"(\d+) ([a-z][^,.]*)[,.]", shown[shown.index("Exit codes:") :].replace("\n", " "))
        self.assertGreater(len(codes), 6)
        for code, meaning in codes:
            self.assertIn(f".TP\n{code}\n{meaning}\n", text)

    def test_formats(self):
        """groff's warnings, by man. It takes what a minimal Debian has in its place for no man."""
        version = shutil.which("man") and subprocess.run(["man", "--version"], capture_output=True, text=True)
        if not version or not version.stdout.startswith("man "):
            self.skipTest("man is not installed")
        for page in PAGES:
            done = subprocess.run(
                ["man", "--warnings=w", "-E", "UTF-8", "-l", page],
                capture_output=True, text=True, env=dict(os.environ, MANWIDTH="80", LC_ALL="C.UTF-8"),
            )
            self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)
            self.assertIn("SEE ALSO", done.stdout)
            self.assertLessEqual(max(map(len, done.stdout.splitlines())), 80, page.name)

    def test_mandoc_has_nothing_to_say(self):
        if not shutil.which("mandoc"):
            self.skipTest("mandoc is not installed")
        for page in PAGES:
            done = subprocess.run(
                ["mandoc", "-Tlint", "-Wwarning", page], capture_output=True, text=True
            )
            # The pages have no date, so that they are the same whenever they are made.
            said = [line for line in done.stdout.splitlines() if "missing date" not in line]
            self.assertEqual(said, [])

    def test_whatis(self):
        if not shutil.which("lexgrog"):
            self.skipTest("lexgrog (man-db) is not installed")
        for page in PAGES:
            done = subprocess.run(["lexgrog", page], capture_output=True, text=True)
            self.assertIn(f'{page.stem} - ', done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
