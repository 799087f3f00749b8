"""Brings the pages of the manual up to date: update_docs.py WARPSTEP SOURCE_ROOT

What has changed without being said wrongly is filled in: outputs of commands, figures. What remains
to be done by hand is listed.
"""
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).parent
for script in ("test_docs.py", "test_doc_figures.py", "test_cli_screen.py"):
    subprocess.run([sys.executable, here / script, *sys.argv[1:], "--update"], stdout=subprocess.DEVNULL)
sys.exit(subprocess.run([sys.executable, here / "test_doc_figures.py", *sys.argv[1:]]).returncode)
