#!/usr/bin/env python3
"""calibration_page.py CALIBRATE PAGE [--check]: runs `calibrate`, which takes minutes, and puts the
tables it prints between the two marks in docs/understand/calibration.md, or says that the page is out of date. The
exit code is 1 for that, and if a row is off by more than is allowed."""
import subprocess
import sys

BEGIN = '<!-- begin: written by ninja update-calibration -->\n'
END = '<!-- end -->\n'

calibrate, path = sys.argv[1:3]
done = subprocess.run([calibrate], stdout=subprocess.PIPE, encoding='utf-8', check=False)
if done.returncode not in (0, 1):
    sys.exit(f'{calibrate} ended with {done.returncode}')
with open(path, encoding='utf-8') as page:
    old = page.read()
before, rest = old.split(BEGIN)
_, after = rest.split(END)
wanted = before + BEGIN + done.stdout + END + after
if wanted != old and '--check' in sys.argv:
    sys.exit(f'{path} is out of date; run: ninja -C build update-calibration')
if wanted != old:
    with open(path, 'w', encoding='utf-8') as page:
        page.write(wanted)
sys.exit(done.returncode)
