#!/usr/bin/env python3
"""calibration_page.py CALIBRATE FILE.json [--check]: runs `calibrate`, which takes minutes, and writes the tables that
it prints as data, or says that the file, docs/understand/calibration.json, is out of date. The exit code is 1 for that,
and if a row is off by more than is allowed."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'docs/site'))
import tables

calibrate, path = sys.argv[1], pathlib.Path(sys.argv[2])
done = subprocess.run([calibrate], stdout=subprocess.PIPE, encoding='utf-8', check=False)
if done.returncode not in (0, 1):
    sys.exit(f'{calibrate} ended with {done.returncode}')
wanted = tables.dumped(tables.from_markdown(done.stdout))
if wanted != path.read_text(encoding='utf-8'):
    if '--check' in sys.argv:
        sys.exit(f'{path} is out of date; run: ninja -C build update-calibration')
    path.write_text(wanted, encoding='utf-8')
sys.exit(done.returncode)
