"""The notebooks of the Python module, executed: test_notebooks.py LIBRARY FOLDER_OF_THE_BINDING

Each cell must run to its end, with the assertions that are in it, and show what a reader is to see. Skipped where nbconvert,
a kernel for it, numpy or matplotlib are missing.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from patience import HANGS  # noqa: E402

LIBRARY, FOLDER = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1)).resolve()
NBCONVERT = shutil.which("jupyter-nbconvert", path="/usr/bin:" + os.environ["PATH"])
NEEDED = ("numpy", "matplotlib", "ipykernel")

# By notebook: kinds of output that it shows, and texts in them.
SHOWN = {
    "first_run": ({"text/html", "stream"}, ["srcdoc", "long_scoreboard", "just past the end of buffer"]),
    "what_if": ({"image/png", "stream"}, ["not_selected", "multiply-adds a cycle"]),
    "divergent_warp": ({"text/plain", "stream"}, ["." * 28 + "#" * 4, "lane 28 x = -72", "16 lanes wait at the end of the if"]),
}


def is_complete():
    """The kernel is the system's Python, whichever runs this."""
    looks = "import importlib.util, sys; sys.exit(not all(map(importlib.util.find_spec, sys.argv[1:])))"
    return NBCONVERT and subprocess.run(["/usr/bin/python3", "-c", looks, *NEEDED], check=False).returncode == 0


class Notebooks(unittest.TestCase):
    def test_all_are_here(self):
        self.assertEqual({path.stem for path in (FOLDER / "notebooks").glob("*.ipynb")}, set(SHOWN))

    def test_nothing_is_kept_of_a_run(self):
        for path in (FOLDER / "notebooks").glob("*.ipynb"):
            for cell in json.loads(path.read_text())["cells"]:
                self.assertEqual((cell.get("outputs", []), cell.get("execution_count")), ([], None), path.name)

    def test_each_runs(self):
        with tempfile.TemporaryDirectory() as home:
            environment = dict(os.environ, HOME=home, PYTHONPATH=str(FOLDER), WARPSTEP_LIBRARY=LIBRARY,
                               PYTHONDONTWRITEBYTECODE="1")
            environment.pop("MPLBACKEND", None)
            for name, (kinds, texts) in SHOWN.items():
                with self.subTest(name):
                    done = subprocess.run([NBCONVERT, "--to", "notebook", "--execute", "--stdout", FOLDER / f"notebooks/{name}.ipynb"],
                                          capture_output=True, text=True, env=environment, cwd=home, timeout=HANGS)
                    self.assertEqual(done.returncode, 0, done.stderr[-3000:])
                    outputs = [output for cell in json.loads(done.stdout)["cells"] for output in cell.get("outputs", [])]
                    found = {kind for output in outputs for kind in output.get("data", {})}
                    found |= {output["output_type"] for output in outputs}
                    self.assertLessEqual(kinds, found)
                    everything = "".join("".join(output.get("text", [])) + "".join(output.get("data", {}).get("text/html", []))
                                         for output in outputs)
                    for text in texts:
                        self.assertIn(text, everything)


if __name__ == "__main__":
    if not is_complete():
        print("jupyter-nbconvert or what the notebooks import is missing")
        sys.exit(77)
    unittest.main()
